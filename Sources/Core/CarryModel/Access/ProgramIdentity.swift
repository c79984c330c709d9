/// A process, for as long as the engine runs.
package enum ProcessKey: Hashable, Codable, Sendable {
  /// A process that made one or more connections. The engine numbers such processes and never reuses a number.
  case peer(UInt32)
  /// The process behind this connection, about which nothing is known.
  case connection(ClientID)
  /// A process that the X server cannot identify, for example on another machine. It equals no other process.
  case unknown
}

/// The sandbox that a program runs in, as reported by the kernel or by the sandbox's own file.
package enum Sandbox: Hashable, Codable, Sendable {
  case flatpak(String)
  case snap(String)
  /// The program sees other files than the engine does, but the sandbox is not known.
  case unknown
}

/// The identity of a client, or of the program that a region represents: the kernel's facts about the process,
/// matched with the manifests.
///
/// Only a system manifest sets `program` and `team`, or makes a program managed. A program without one is a stranger.
package struct ProgramIdentity: Hashable, Codable, Sendable {
  package var process: ProcessKey
  /// The name of the system manifest without its extension, such as `org.example.Mail`; nil for a stranger.
  package var program: String?
  /// A name to show to people, from a manifest; empty for none.
  package var name: String
  /// How the journal can identify a program without a manifest: the name that its client gives itself, made safe for
  /// a terminal, and its file's name without the directory. Empty if unknown. Access decisions never use them.
  package var clientName = ""
  package var fileName = ""
  package var team: String?
  /// Whether the manifest says that the organisation manages the program.
  package var isManaged: Bool
  package var sandbox: Sandbox?
  /// Whether it is the engine's own shelf. No rule keeps anything from the shelf, because the shelf reads nothing:
  /// the rules apply to the destination that takes the items from there.
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

  /// The program's name in the journal: from its manifest, or else from its own claim and its file. Safe for a
  /// terminal.
  package var journalName: String {
    if let program { return SafeText.displayable(program) }
    // A program's own text must not end the quotation.
    let words = String((name.isEmpty ? clientName : name).map { $0 == "'" ? "’" : $0 })
    let file = fileName.isEmpty ? "" : "\(SafeText.displayable(fileName)), "
    return words.isEmpty
      ? (fileName.isEmpty ? "a program without a manifest" : "\(SafeText.displayable(fileName)) (without a manifest)")
      : "'\(SafeText.displayable(words))' (\(file)without a manifest)"
  }

  /// Journal names are not compared: connections of one process may use different names.
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

  /// Whether both programs belong to one team. Two connections of one process always do.
  package func isSameTeam(as other: ProgramIdentity) -> Bool {
    isSameProcess(as: other) || (team != nil && team == other.team)
  }
}
