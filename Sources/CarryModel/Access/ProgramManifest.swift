/// What a file `carry/apps/NAME.conf` says of a program.
package struct ProgramManifest: Equatable, Sendable {
  /// The file's name without its ending: how the policy calls the program.
  package var program: String
  package var file: String
  /// Absolute paths; nil where the file names none. A program of an interpreter is named by its script.
  package var executable: String?
  package var script: String?
  /// The number of the program's sandbox, for a program that is in one.
  package var sandbox: Sandbox?
  package var name = ""
  package var icon = ""
  /// Nil also where the file is a user's own.
  package var team: String?
  package var isManaged = false
  /// The path of a helper that serves the program's files while the program does not run.
  package var fileProvider: String?
  /// Whether the file is the system's. A user's own says the name and the icon, and nothing else.
  package var isSystems: Bool

  package init(program: String, file: String, isSystems: Bool) {
    self.program = program
    self.file = file
    self.isSystems = isSystems
  }
}
