package import CarryModel

/// The shelf keeps items of drops, and lends them to later drags (Z15).
///
/// The drop session of an item lasts for as long as the item is kept. The source therefore provides data as for any
/// drop, and is told that the transfer is complete once the item can no longer be requested.
extension SessionEngine {
  /// Keeps an item that was dropped on the shelf.
  ///
  /// - Returns: the item's number; nil if it cannot be kept.
  package mutating func keep(
    by client: ClientID, _ id: SessionID, region: RegionID, item index: Int
  ) -> KeptItemID? {
    defer { listener?(.keep(client: client, session: id, region: region, item: index), nil, []) }
    guard let session = sessions.find(id), let drop = session.drop, drop.client == client, drop.region == region,
      drop.mayLoad, session.items.indices.contains(index), kept.hasRoom(isForeign: session.isForeign)
    else { return nil }
    let item = session.items[index]
    guard !item.isLost else { return nil }
    return kept.keep(item, of: id, from: session.program, isForeign: session.isForeign, by: client)
  }

  /// The shelf releases an item. Drags and loads of it that are under way continue.
  package mutating func releaseKept(_ id: KeptItemID, by client: ClientID) { kept.release(id, by: client) }

  /// Handles the loss of a client that is the shelf itself, or an owner of kept items.
  mutating func loseKept(of client: ClientID, into actions: inout [SessionAction]) {
    kept.releaseAll(of: client)
    for lost in kept.lose(of: client) { actions.append(.keptItemGone(lost.id)) }
    // The sessions of these items have ended with their owner, or end in the next turn.
    kept.sessionEnded()
  }

  /// An owner can no longer provide an item, for example because its file was deleted.
  package mutating func withdrew(
    _ item: ItemID, by owner: ClientID, at now: Instant, into actions: inout [SessionAction]
  ) {
    for lost in kept.lose(item, of: owner) {
      actions.append(.keptItemGone(lost.id))
      if let session = sessions.find(lost.session) { settleDrop(session, at: now, into: &actions) }
    }
  }

  /// The bridge can no longer provide the items of a foreign drag.
  mutating func loseKept(of session: Session, at now: Instant, into actions: inout [SessionAction]) {
    for id in kept.lose(with: session.id) { actions.append(.keptItemGone(id)) }
    settleDrop(session, at: now, into: &actions)
  }

  /// Ends the sessions of items that are no longer kept. Called once a turn.
  mutating func settleKept(at now: Instant, into actions: inout [SessionAction]) {
    guard kept.mayForget else { return }
    let forgotten = kept.forget { id in sessions.contains { $0.items.contains { $0.origin?.kept == id } } }
    for item in forgotten { actions.append(.forgetKept(item.id)) }
    // Drops without kept items, and drops whose items were lost with their owner.
    for session in sessions where session.drop?.hasLanded == true && !kept.holds(session.id) {
      settleDrop(session, at: now, into: &actions)
    }
  }

  /// Where a drag that the shelf may accept is under way, in screen pixels; nil if there is none.
  package var dragPoint: Point? {
    sessions.first { $0.isCarried && $0.mayBeKept && $0.optionsAreKnown && !$0.options.isRestricted }?.point
  }
}
