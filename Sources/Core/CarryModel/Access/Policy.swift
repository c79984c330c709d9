/// The organisation's rules about what may be dragged from which program to which (G6).
///
/// The first rule that matches a source, a target and a type decides. If no rule matches, the drag is allowed. A
/// process may always drop on itself.
package struct Policy: Equatable, Codable, Sendable {
  package enum Verdict: String, Equatable, Codable, Sendable {
    case allow
    case forbid
  }

  /// A program, or a group of programs.
  package enum Party: Hashable, Codable, Sendable {
    case anyone
    case managed
    case unmanaged
    /// Programs without a system manifest.
    case strangers
    case sandboxed
    case team(String)
    case program(String)

    package func includes(_ identity: ProgramIdentity) -> Bool {
      switch self {
      case .anyone: true
      case .managed: identity.isManaged
      case .unmanaged: !identity.isManaged
      case .strangers: identity.program == nil
      case .sandboxed: identity.sandbox != nil
      case .team(let team): identity.team == team
      case .program(let program): identity.program == program
      }
    }
  }

  package struct Rule: Equatable, Codable, Sendable {
    package var verdict: Verdict
    package var sources: [Party]
    package var targets: [Party]
    /// Media types; `image/*` means all images, `*/*` everything. A type matches if it conforms to one of these.
    package var types: [String]
    /// The file and line to show to people, such as `/etc/carry/policy.d/10-mail.conf:3`.
    package var place: String
    /// Why the rule forbids everything, if the cause is a mistake in its file.
    package var mistake: String?

    package init(
      _ verdict: Verdict, from sources: [Party] = [.anyone], to targets: [Party] = [.anyone],
      types: [String] = ["*/*"], place: String, mistake: String? = nil
    ) {
      self.verdict = verdict
      self.sources = sources
      self.targets = targets
      self.types = types
      self.place = place
      self.mistake = mistake
    }

    /// The place, and the mistake if there is one.
    package var reason: String { mistake.map { "\(place): \($0)" } ?? place }
  }

  package var rules: [Rule]

  package init(_ rules: [Rule] = []) { self.rules = rules }

  /// The rules that concern a source and a target, indexed for fast queries by type.
  package func rules(from source: ProgramIdentity, to target: ProgramIdentity) -> PairRules {
    guard !rules.isEmpty, !target.isShelf, !source.isSameProcess(as: target) else { return PairRules([]) }
    return PairRules(
      rules.filter { rule in
        rule.sources.contains { $0.includes(source) } && rule.targets.contains { $0.includes(target) }
      })
  }
}

/// The rules for one source and one target. A query costs a few look-ups however many rules there are, because a
/// source may promise thousands of types.
package struct PairRules: Sendable {
  private let rules: [Policy.Rule]
  /// For each type and each pattern, the first rule that names it.
  private var first: [String: Int] = [:]

  init(_ rules: [Policy.Rule]) {
    self.rules = rules
    for (i, rule) in rules.enumerated() {
      for type in rule.types where first[type] == nil { first[type] = i }
    }
  }

  /// The rule that decides about a type; nil if no rule matches, in which case the type is allowed.
  package func rule(for type: OfferedType) -> Policy.Rule? {
    guard !rules.isEmpty else { return nil }
    var found: Int?
    func consider(_ name: String) {
      if let i = first[name], i < found ?? .max { found = i }
    }
    consider("*/*")
    consider(type.name)
    let base = type.name.prefix { $0 != ";" }
    if base.count < type.name.count { consider(String(base)) }
    consider(base.prefix { $0 != "/" } + "/*")
    for ancestor in type.ancestors { consider(ancestor) }
    return found.map { rules[$0] }
  }
}
