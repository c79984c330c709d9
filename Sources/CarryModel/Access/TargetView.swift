/// What one target may see of a drag: the single answer to "which types of this item may this target see" and "may this
/// source drop on this target at all" (G4, G5, G6, I15, I16).
///
/// It is made once for a session and a target. Asking it costs nothing that grows with the rules or the types.
package struct TargetView: Sendable {
  package let isSameProcess: Bool
  package let isSameTeam: Bool
  private let isSandboxed: Bool
  private let rules: PairRules
  /// For each item, one bit for each of its types that the target may see.
  private var masks: [UInt32] = []
  /// Whether the target may see any type.
  package private(set) var seesAnyType = false
  /// Whether the target may see every type of every item.
  package private(set) var seesAllTypes = true
  /// The first rule that forbade a type, for the journal.
  package private(set) var forbiddingRule: String?

  package init(from source: ProgramIdentity, to target: ProgramIdentity, _ policy: Policy) {
    isSameProcess = source.isSameProcess(as: target)
    isSameTeam = source.isSameTeam(as: target)
    isSandboxed = target.sandbox != nil
    rules = policy.rules(from: source, to: target)
  }

  /// Decides about items that the session has got since the last call.
  ///
  /// - Parameter items: all items of the session.
  package mutating func learn(_ items: [ItemDescription]) {
    for item in items.dropFirst(masks.count) {
      var mask: UInt32 = 0
      for (t, type) in item.types.prefix(Limits.typesPerItem).enumerated() where mayEver(see: type) {
        mask |= 1 << UInt32(t)
        seesAnyType = true
      }
      if mask.nonzeroBitCount != item.types.count { seesAllTypes = false }
      masks.append(mask)
    }
  }

  private mutating func mayEver(see type: OfferedType) -> Bool {
    switch type.visibility {
    case .all: break
    case .team: guard isSameTeam else { return false }
    case .ownProcess: guard isSameProcess else { return false }
    case .outsideSandboxes: guard !isSandboxed else { return false }
    }
    guard let rule = rules.rule(for: type), rule.verdict == .forbid else { return true }
    forbiddingRule = forbiddingRule ?? rule.reason
    return false
  }

  /// Whether the target may see the type at this position of the item at this position.
  package func sees(type: Int, ofItem item: Int) -> Bool {
    masks.indices.contains(item) && type < Limits.typesPerItem && masks[item] & (1 << UInt32(type)) != 0
  }

  /// Whether the target may know anything about an item. A process may also know its items without types.
  package func sees(item: Int) -> Bool { isSameProcess || (masks.indices.contains(item) && masks[item] != 0) }

  /// The item at a position as the target may see it. An item of which the target sees no type keeps its place, without a
  /// name.
  package func shown(_ item: ItemDescription, at position: Int) -> ItemDescription {
    guard sees(item: position) else { return ItemDescription(id: item.id, types: []) }
    var shown = item
    if !isSameTeam { shown.teamData = [] }
    if !seesAllTypes {
      shown.types = item.types.indices.filter { sees(type: $0, ofItem: position) }.map { item.types[$0] }
    }
    return shown
  }
}
