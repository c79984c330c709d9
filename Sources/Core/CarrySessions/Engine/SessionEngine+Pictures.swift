package import CarryModel

/// Changes the pictures of items while they are carried.
extension SessionEngine {
  /// The source shows another picture for an item of its session from now on, or no picture.
  package mutating func changedPreview(
    _ preview: PreviewID?, for item: ItemID, by client: ClientID, _ id: SessionID, into actions: inout [SessionAction]
  ) {
    guard let (session, i) = find(item, client, id) else { return }
    actions.append(.stage(session.id, .picture(item: i, preview)))
  }

  /// The source offers another picture for an item. The picture is requested when the item is visible.
  package mutating func offeredPreview(
    of item: ItemID, by client: ClientID, _ id: SessionID, into actions: inout [SessionAction]
  ) {
    guard let (session, i) = find(item, client, id) else { return }
    actions.append(.stage(session.id, .offer(item: i)))
  }

  /// The item at a position of a session, and the session whose source knows the item by that number.
  package func item(_ position: Int, of id: SessionID) -> (session: SessionID, item: ItemID)? {
    guard let session = sessions.find(id), session.items.indices.contains(position) else { return nil }
    let source = session.source(of: session.items[position].id)
    return (source.session, source.item)
  }

  /// The position of an item in a session.
  package func position(of item: ItemID, in id: SessionID) -> Int? {
    guard let session = sessions.find(id) else { return nil }
    return session.items.firstIndex { $0.id == item }
  }

  /// The region that a session was dropped on, until its end.
  package func dropRegion(of id: SessionID) -> RegionID? { sessions.find(id)?.drop?.region }

  /// Whether a finger carries the session.
  package func isCarried(_ id: SessionID) -> Bool { sessions.find(id)?.isCarried == true }

  /// Whether this finger carries a session.
  package func isCarrying(_ contact: ContactID) -> Bool { sessions.contains { $0.isCarried && $0.contact == contact } }

  private func find(_ item: ItemID, _ client: ClientID, _ id: SessionID) -> (Session, Int)? {
    guard let session = sessions.find(id), session.client == client else { return nil }
    if session.isLent, let host = host(of: session), !host.isOver {
      let number = host.borrowed.first { $0.value.session == id && $0.value.item == item }?.key
      return host.items.firstIndex { $0.id == number }.map { (host, $0) }
    }
    guard !session.isOver, let i = session.items.firstIndex(where: { $0.id == item })
    else { return nil }
    return (session, i)
  }
}
