import CarryModel

/// The items that the shelf keeps. Their data stays with their owners.
struct KeptItems {
  private struct Kept {
    let id: KeptItemID
    /// The shelf.
    let keeper: ClientID
    var item: ItemDescription
    let origin: ItemOrigin
    /// Whether it came with a foreign drag.
    let isForeign: Bool
    /// Whether the shelf has released it, so that only drags and loads under way retain it.
    var isReleased = false
  }

  private var items: [Kept] = []
  private var numbers = IdentifierSource()
  /// Whether a released item may no longer be retained by anything.
  private(set) var mayForget = false

  /// Whether there is room for one more item.
  ///
  /// - Parameter isForeign: whether it comes with a foreign drag.
  func hasRoom(isForeign: Bool) -> Bool {
    items.count < Limits.keptItems && (!isForeign || items.count(where: \.isForeign) < Limits.keptForeignItems)
  }

  /// - Parameter program: the dragging program. The item may come from another one.
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

  /// The kept item, to replace an item of the shelf's own; nil if there is none to lend.
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

  /// Releases an item on behalf of the shelf.
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

  /// Marks the items of an owner that is gone as lost.
  ///
  /// - Returns: the items to report to the shelf, and the sessions that may be over.
  mutating func lose(of owner: ClientID) -> [(id: KeptItemID, session: SessionID)] {
    var lost: [(KeptItemID, SessionID)] = []
    for i in items.indices where items[i].item.owner == owner && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append((items[i].id, items[i].origin.session))
    }
    return lost
  }

  /// Marks an item that its owner has withdrawn as lost.
  ///
  /// - Returns: the items to report to the shelf, and the sessions that may be over.
  mutating func lose(_ item: ItemID, of owner: ClientID) -> [(id: KeptItemID, session: SessionID)] {
    var lost: [(KeptItemID, SessionID)] = []
    for i in items.indices
    where items[i].origin.item == item && items[i].item.owner == owner && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append((items[i].id, items[i].origin.session))
    }
    return lost
  }

  /// Marks the items that came with a session as lost.
  ///
  /// - Returns: the items to report to the shelf.
  mutating func lose(with session: SessionID) -> [KeptItemID] {
    var lost: [KeptItemID] = []
    for i in items.indices where items[i].origin.session == session && !items[i].item.isLost {
      items[i].item.isLost = true
      lost.append(items[i].id)
    }
    return lost
  }

  /// A drag that may have carried kept items is over.
  mutating func sessionEnded() { if !items.isEmpty { mayForget = true } }

  /// Forgets the released items that are not in use.
  ///
  /// - Returns: the forgotten items, with the sessions that they came with.
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
