/// What one target may see of a drag. This is the only place that answers "which types of this item may this target
/// see" and "may this source drop on this target at all".
///
/// A view is made once for a session and a target. The cost of a query does not grow with the rules or the types.
/// Items from programs other than the dragging one (lent by the shelf or added by a tap) are judged by the program
/// that they come from.
package struct TargetView: Sendable {
  /// The target and one program that items come from.
  private struct Pair: Sendable {
    let source: ProgramIdentity
    let isSameProcess: Bool
    let isSameTeam: Bool
    let rules: PairRules

    init(from source: ProgramIdentity, to target: ProgramIdentity, _ policy: Policy) {
      self.source = source
      isSameProcess = source.isSameProcess(as: target)
      isSameTeam = source.isSameTeam(as: target)
      rules = policy.rules(from: source, to: target)
    }
  }

  private let target: ProgramIdentity
  private let policy: Policy
  /// The dragging program comes first.
  private var pairs: [Pair]
  /// The index of each item's pair, up to the last item that does not come from the dragging program.
  private var places: [Int] = []
  /// For each item, one bit for each type that the target may see.
  private var masks: [UInt32] = []
  /// Whether the dragging program and the target are one process. Stored, because every motion asks.
  package let isSameProcess: Bool
  /// Whether the target may see any type.
  package private(set) var seesAnyType = false
  /// Whether the target may see every type of every item.
  package private(set) var seesAllTypes = true
  /// The first rule that forbade a type, and the program that the item came from; for the journal.
  package private(set) var forbidden: (rule: String, source: ProgramIdentity)?

  package init(from source: ProgramIdentity, to target: ProgramIdentity, _ policy: Policy) {
    (self.target, self.policy) = (target, policy)
    let pair = Pair(from: source, to: target, policy)
    pairs = [pair]
    isSameProcess = pair.isSameProcess
  }

  /// Whether the dragging program and the target belong to one team.
  package var isSameTeam: Bool { pairs[0].isSameTeam }

  /// Whether an item comes from the target's own process.
  package func isOfTarget(item: Int) -> Bool { pair(ofItem: item).isSameProcess }

  /// Adds the items that the session has gained since the last call.
  ///
  /// - Parameter items: all items of the session.
  package mutating func learn(_ items: [ItemDescription]) {
    for (i, item) in items.enumerated().dropFirst(masks.count) {
      let pair = pairs[place(of: item, at: i)]
      var mask: UInt32 = 0
      for (t, type) in item.types.prefix(Limits.typesPerItem).enumerated() where mayEver(see: type, pair) {
        mask |= 1 << UInt32(t)
        seesAnyType = true
      }
      if mask.nonzeroBitCount != item.types.count { seesAllTypes = false }
      masks.append(mask)
    }
  }

  private mutating func place(of item: ItemDescription, at position: Int) -> Int {
    guard let source = item.program, source != pairs[0].source else { return 0 }
    places += Array(repeating: 0, count: position + 1 - places.count)
    if let known = pairs.firstIndex(where: { $0.source == source }) {
      places[position] = known
    } else {
      places[position] = pairs.count
      pairs.append(Pair(from: source, to: target, policy))
    }
    return places[position]
  }

  private func pair(ofItem item: Int) -> Pair { places.indices.contains(item) ? pairs[places[item]] : pairs[0] }

  private mutating func mayEver(see type: OfferedType, _ pair: Pair) -> Bool {
    switch type.visibility {
    case .all: break
    case .team: guard pair.isSameTeam else { return false }
    case .ownProcess: guard pair.isSameProcess else { return false }
    // The sandbox of an unknown process is unknown, too.
    case .outsideSandboxes: guard target.sandbox == nil, target.process != .unknown else { return false }
    }
    guard let rule = pair.rules.rule(for: type), rule.verdict == .forbid else { return true }
    if forbidden == nil { forbidden = (rule.reason, pair.source) }
    return false
  }

  /// Whether the target may see the type at this position of the item at this position.
  package func sees(type: Int, ofItem item: Int) -> Bool {
    masks.indices.contains(item) && type < Limits.typesPerItem && masks[item] & (1 << UInt32(type)) != 0
  }

  /// Whether the target may know of an item at all. A process may also know of its own items that have no types.
  package func sees(item: Int) -> Bool {
    isOfTarget(item: item) || (masks.indices.contains(item) && masks[item] != 0)
  }

  /// The item at a position as the target may see it. An item without visible types keeps its position but loses its
  /// name.
  package func shown(_ item: ItemDescription, at position: Int) -> ItemDescription {
    guard sees(item: position) else { return ItemDescription(id: item.id, types: []) }
    var shown = item
    if !pair(ofItem: position).isSameTeam { shown.teamData = [] }
    if !seesAllTypes {
      shown.types = item.types.indices.filter { sees(type: $0, ofItem: position) }.map { item.types[$0] }
    }
    return shown
  }
}
