import CarryModel

/// Z15: the items that the shelf keeps. Their data stays with their owners.
struct KeptItems {
  private struct Kept {
    let id: KeptItemID
    /// The shelf.
    let keeper: ClientID
    var item: ItemDescription
    let origin: ItemOrigin
    /// Whether it came with a drag of another protocol.
    let isForeign: Bool
    /// Whether the shelf has let go of it, and only drags and loads that are under way hold it.
    var isReleased = false
  }

  private var items: [Kept] = []
  private var numbers = IdentifierSource()
  /// Whether one that was released may no longer be held by anything.
  private(set) var mayForget = false

  /// Whether there is room for one item more.
  ///
  /// - Parameter isForeign: whether it comes with a drag of another protocol.
  func hasRoom(isForeign: Bool) -> Bool {
    items.count < Limits.keptItems && (!isForeign || items.count(where: \.isForeign) < Limits.keptForeignItems)
  }

  /// - Parameter program: what drags. An item may come from another program.
  mutating func keep(
    _ item: ItemDescription, of session: SessionID, from program: ProgramIdentity, isForeign: Bool, by keeper: ClientID
  ) -> KeptItemID {
    let id = KeptItemID(numbers.next())
    let first = item.origin
    var item = item
    item.program = item.program ?? program
    items.append(
      Kept(
        id: id, keeper: keeper, item: item,
        origin: ItemOrigin(kept: id, session: first?.session ?? session, item: first?.item ?? item.id),
        isForeign: isForeign))
    return id
  }

  /// The kept item, in the place of an item of the shelf's; nil where there is none to lend.
  func lend(_ id: KeptItemID, by keeper: ClientID, as stand: ItemDescription) -> ItemDescription? {
    guard let kept = items.first(where: { $0.id == id && $0.keeper == keeper && !$0.isReleased }),
      !kept.item.isLost
    else { return nil }
    var item = kept.item
    item.id = stand.id
    item.preview = stand.preview
    item.origin = kept.origin
    item.lent = id
    return item
  }

  /// Whether items that came with this session may still be loaded.
  func holds(_ session: SessionID) -> Bool {
    !items.isEmpty && items.contains { $0.origin.session == session && !$0.item.isLost }
  }

  /// The shelf lets go of an item.
  mutating func release(_ id: KeptItemID, by keeper: ClientID) {
    guard let i = items.firstIndex(where: { $0.id == id && $0.keeper == keeper }) else { return }
    items[i].isReleased = true
    mayForget = true
  }

  mutating func releaseAll(of keeper: ClientID) {
    for i in items.indices where items[i].keeper == keeper {
      items[i].isReleased = true
      mayForget = true
    }
  }

  /// An owner of items is gone.
  ///
  /// - Returns: what the shelf has to be told of, and the sessions that may be over.
  mutating func lose(of owner: ClientID) -> [(id: KeptItemID, session: SessionID)] {
    var lost: [(KeptItemID, SessionID)] = []
    for i in items.indices where items[i].item.owner == owner && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append((items[i].id, items[i].origin.session))
    }
    return lost
  }

  /// An owner has withdrawn an item.
  ///
  /// - Returns: what the shelf has to be told of, and the sessions that may be over.
  mutating func lose(_ item: ItemID, of owner: ClientID) -> [(id: KeptItemID, session: SessionID)] {
    var lost: [(KeptItemID, SessionID)] = []
    for i in items.indices
    where items[i].origin.item == item && items[i].item.owner == owner && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append((items[i].id, items[i].origin.session))
    }
    return lost
  }

  /// What came with a session can no longer be loaded.
  ///
  /// - Returns: what the shelf has to be told of.
  mutating func lose(with session: SessionID) -> [KeptItemID] {
    var lost: [KeptItemID] = []
    for i in items.indices where items[i].origin.session == session && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append(items[i].id)
    }
    return lost
  }

  /// A drag that may have had some of them is over.
  mutating func sessionEnded() { if !items.isEmpty { mayForget = true } }

  /// Forgets what was released and is not used.
  ///
  /// - Returns: what was forgotten, with the sessions that it came with.
  mutating func forget(except isUsed: (KeptItemID) -> Bool) -> [(id: KeptItemID, session: SessionID)] {
    mayForget = false
    var forgotten: [(KeptItemID, SessionID)] = []
    items.removeAll { kept in
      guard kept.isReleased, !isUsed(kept.id) else { return false }
      forgotten.append((kept.id, kept.origin.session))
      return true
    }
    return forgotten
  }
}
