package import CarryModel

/// Z15: the shelf keeps items of drops, and lends them to later drags.
///
/// The drop that an item came with stays for as long as the item is kept, so its source provides as it does for every drop,
/// and hears that all is transferred once nobody can ask any more.
extension SessionEngine {
  /// The shelf keeps an item that was dropped on it.
  ///
  /// - Returns: the item's number; nil where it cannot be kept.
  package mutating func keep(
    by client: ClientID, _ id: SessionID, region: RegionID, item index: Int
  ) -> KeptItemID? {
    guard let session = sessions.find(id), let drop = session.drop, drop.client == client, drop.region == region,
      drop.mayLoad, session.items.indices.contains(index), kept.hasRoom(isForeign: session.isForeign)
    else { return nil }
    let item = session.items[index]
    guard !item.isLost else { return nil }
    return kept.keep(item, of: id, from: session.program, isForeign: session.isForeign, by: client)
  }

  /// The shelf lets go of an item. Drags and loads of it that are under way go on.
  package mutating func releaseKept(_ id: KeptItemID, by client: ClientID) { kept.release(id, by: client) }

  /// A client is gone: the shelf itself, or an owner of what it keeps.
  mutating func loseKept(of client: ClientID, into actions: inout [SessionAction]) {
    kept.releaseAll(of: client)
    for lost in kept.lose(of: client) { actions.append(.keptItemGone(lost.id)) }
    // The sessions that they came with have ended with their owner, or end in the next turn.
    kept.sessionEnded()
  }

  /// An owner cannot provide an item any more, such as a file that is not there.
  package mutating func withdrew(
    _ item: ItemID, by owner: ClientID, at now: Instant, into actions: inout [SessionAction]
  ) {
    for lost in kept.lose(item, of: owner) {
      actions.append(.keptItemGone(lost.id))
      if let session = sessions.find(lost.session) { settleDrop(session, at: now, into: &actions) }
    }
  }

  /// The bridge cannot provide what came with a foreign drag any more.
  mutating func loseKept(of session: Session, at now: Instant, into actions: inout [SessionAction]) {
    for id in kept.lose(with: session.id) { actions.append(.keptItemGone(id)) }
    settleDrop(session, at: now, into: &actions)
  }

  /// Ends what is no longer kept. Called once a turn.
  mutating func settleKept(at now: Instant, into actions: inout [SessionAction]) {
    guard kept.mayForget else { return }
    let forgotten = kept.forget { id in sessions.contains { $0.items.contains { $0.origin?.kept == id } } }
    for item in forgotten { actions.append(.forgetKept(item.id)) }
    // A drop without anything on the shelf, and one whose items were lost with their owner.
    for session in sessions where session.drop?.hasLanded == true && !kept.holds(session.id) {
      settleDrop(session, at: now, into: &actions)
    }
  }

  /// Where a drag that the shelf may get is under way, in screen pixels; nil while there is none.
  package var dragPoint: Point? {
    sessions.first { $0.isCarried && $0.mayBeKept && $0.optionsAreKnown && !$0.options.isRestricted }?.point
  }
}
