import CarryConfiguration
import CarryModel
import CarrySystem

/// `carry policy`: what the organisation's policy says of a source, a target and a type.
enum PolicyCommand: Command {
  static let name = "policy"
  static let summary = "check whether the policy allows a drag, and by which line"
  static let options: [Arguments.Option] = [.value("manifests"), .value("policy")]
  static let help = """
    Usage: carry policy check SOURCE TARGET TYPE

    Prints whether data of a type may be dragged from one program to another, and which line of the policy decides. A
    program is named by its manifest, such as org.example.Mail, or by - if it has none. The policy is read as the engine
    reads it. See carry-policy(5).

      --manifests DIR  the programs' manifests; carry/apps in the system's data directories if left out
      --policy DIR     the policy; /etc/carry/policy.d if left out

    Exit status: 0 allowed, 1 forbidden, or a mistake in the policy, 2 wrong usage.
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    let words = arguments.operands
    guard words.first == "check", words.count == 4 else {
      throw UsageError("'carry policy' takes check, a source, a target and a type")
    }
    guard SafeText.isMediaType(words[3]), !MediaType.isPattern(words[3]) else {
      throw UsageError("'\(SafeText.displayable(words[3]))' is no media type such as image/png")
    }
    let (manifests, mistakes) = ManifestFiles(named: arguments.value("manifests")).load()
    for mistake in mistakes { printer.error(SafeText.displayable(mistake.sentence, limit: 1024)) }
    let registry = ProgramRegistry(manifests)
    let (policy, problems) = PolicyFiles.load(arguments.value("policy") ?? PolicyFiles.place)
    // Two processes: a process may always drop on itself.
    let source = try program(words[1], 1, registry)
    let target = try program(words[2], 2, registry)
    let type = OfferedType(name: words[3], ancestors: MediaTypes().ancestors(of: words[3]))
    let rule = policy.rules(from: source, to: target).rule(for: type)
    let isForbidden = rule?.verdict == .forbid
    // What the answer says anyway is not said twice.
    for problem in problems where rule?.mistake == nil {
      printer.error(SafeText.displayable(problem.sentence, limit: 1024))
    }
    let why = rule.map { SafeText.displayable($0.reason, limit: 1024) } ?? "no rule says otherwise"
    printer.line("\(isForbidden ? "forbidden" : "allowed"): \(why)")
    return isForbidden ? .nothing : .done
  }

  private static func program(
    _ word: String, _ number: UInt32, _ registry: ProgramRegistry
  ) throws(UsageError) -> ProgramIdentity {
    if word == "-" { return ProgramIdentity(process: .peer(number)) }
    guard let found = registry.identity(named: word, .peer(number)) else {
      throw UsageError(
        "no manifest of the system is called '\(SafeText.displayable(word))'; - stands for a program without a manifest"
      )
    }
    return found
  }
}
