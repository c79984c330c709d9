/// A process, for as long as the engine runs.
package enum ProcessKey: Hashable, Sendable {
  /// A process that made one or more connections. The engine numbers such processes, and never uses a number again.
  case peer(UInt32)
  /// The process of this connection, about which nothing is known.
  case connection(ClientID)
  /// A process that the X server cannot tell, on another machine for example. It is the same as no other.
  case unknown
}

/// The sandbox that a program runs in, as the kernel or the sandbox's own file tells.
package enum Sandbox: Hashable, Sendable {
  case flatpak(String)
  case snap(String)
  /// The program sees other files than the engine does, and nobody says which sandbox that is.
  case unknown
}

/// Who a client is, or who a region stands for: what the kernel says of the process, matched with the manifests.
///
/// Only a manifest of the system gives a program number, a team, or makes a program managed. A program without such a
/// manifest is a stranger.
package struct ProgramIdentity: Hashable, Sendable {
  package var process: ProcessKey
  /// The name of the system's manifest, without its ending, such as `org.example.Mail`; nil for a stranger.
  package var program: String?
  /// A name for people, from a manifest; empty for none.
  package var name: String
  /// What a program without a manifest can be known by in the journal: the name that its client gives itself, made safe for a
  /// terminal, and its file's name without the directory. Empty where they are not known. They decide nothing.
  package var clientName = ""
  package var fileName = ""
  package var team: String?
  /// Whether the manifest says that the organisation manages the program.
  package var isManaged: Bool
  package var sandbox: Sandbox?
  /// Whether it is the engine's own shelf. No rule keeps anything from the shelf, which reads nothing: the rules hold for where
  /// the items go from there.
  package var isShelf = false

  package init(
    process: ProcessKey, program: String? = nil, name: String = "", team: String? = nil, isManaged: Bool = false,
    sandbox: Sandbox? = nil
  ) {
    self.process = process
    self.program = program
    self.name = name
    self.team = team
    self.isManaged = isManaged
    self.sandbox = sandbox
  }

  /// How the journal calls the program: by its manifest, or else by what it says of itself and its file. The text is safe for a
  /// terminal.
  package var journalName: String {
    if let program { return SafeText.displayable(program) }
    // What others say of themselves must not end the quotation.
    let words = String((name.isEmpty ? clientName : name).map { $0 == "'" ? "’" : $0 })
    let file = fileName.isEmpty ? "" : "\(SafeText.displayable(fileName)), "
    return words.isEmpty
      ? (fileName.isEmpty ? "a program without a manifest" : "\(SafeText.displayable(fileName)) (without a manifest)")
      : "'\(SafeText.displayable(words))' (\(file)without a manifest)"
  }

  /// Names for the journal do not count: connections of one process may give themselves several.
  package static func == (a: ProgramIdentity, b: ProgramIdentity) -> Bool { a.facts == b.facts }

  package func hash(into hasher: inout Hasher) { hasher.combine(facts) }

  private struct Facts: Hashable {
    var process: ProcessKey
    var program: String?
    var name: String
    var team: String?
    var isManaged: Bool
    var sandbox: Sandbox?
    var isShelf: Bool
  }

  private var facts: Facts {
    Facts(
      process: process, program: program, name: name, team: team, isManaged: isManaged, sandbox: sandbox,
      isShelf: isShelf)
  }

  package func isSameProcess(as other: ProgramIdentity) -> Bool {
    process == other.process && process != .unknown
  }

  /// Whether both programs belong to one team. A process belongs to its own team, whatever that is.
  package func isSameTeam(as other: ProgramIdentity) -> Bool {
    isSameProcess(as: other) || (team != nil && team == other.team)
  }
}
