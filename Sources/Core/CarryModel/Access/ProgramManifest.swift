/// The contents of a file `carry/apps/NAME.conf`, which describes a program.
package struct ProgramManifest: Equatable, Sendable {
  /// The file's name without its extension; the policy refers to the program by it.
  package var program: String
  package var file: String
  /// Absolute paths; nil if the file names none. An interpreted program is identified by its script.
  package var executable: String?
  package var script: String?
  /// The sandbox's application id, for a program in a sandbox.
  package var sandbox: Sandbox?
  package var name = ""
  package var icon = ""
  /// Always nil in a user's own file.
  package var team: String?
  package var isManaged = false
  /// The path of a helper that serves the program's files while the program does not run.
  package var fileProvider: String?
  /// Whether the file is the system's. A user's own file sets only the name and the icon.
  package var isSystems: Bool

  package init(program: String, file: String, isSystems: Bool) {
    self.program = program
    self.file = file
    self.isSystems = isSystems
  }
}
