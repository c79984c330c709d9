package import CarryModel
package import CarrySystem

/// Finds the program that a process runs, using the manifests (K6).
package struct ProgramRegistry: Sendable {
  package let manifests: [ProgramManifest]

  package init(_ manifests: [ProgramManifest] = []) { self.manifests = manifests }

  /// The identity of a process's program. May wait for the file systems of the paths in the system manifests.
  ///
  /// - Parameters:
  ///   - facts: what the kernel reports about the process.
  ///   - known: the manifest that was found for the process before. If it still names the same program, it counts,
  ///     although
  ///     the program's file may have been replaced since.
  package func identity(
    of facts: ProgramFacts, _ process: ProcessKey, known: ProgramManifest? = nil
  ) -> (identity: ProgramIdentity, manifest: ProgramManifest?) {
    var identity = ProgramIdentity(process: process, sandbox: facts.sandbox)
    identity.fileName = facts.executable.map { String($0.path.split(separator: "/").last ?? "") } ?? ""
    let system = find(facts, known, isSystems: true)
    if let system {
      identity.program = system.program
      identity.team = system.team
      identity.isManaged = system.isManaged
    }
    // A user may choose any name for a program.
    identity.name = (find(facts, known, isSystems: false) ?? system)?.name ?? ""
    if identity.name.isEmpty { identity.name = system?.name ?? "" }
    return (identity, system)
  }

  private func find(_ facts: ProgramFacts, _ known: ProgramManifest?, isSystems: Bool) -> ProgramManifest? {
    if isSystems, let known,
      let same = manifests.first(where: { $0.isSystems && $0.program == known.program }),
      same.executable == known.executable, same.script == known.script, same.sandbox == known.sandbox
    {
      return same
    }
    return manifests.first { $0.isSystems == isSystems && Self.fits($0, facts) }
  }

  private static func fits(_ manifest: ProgramManifest, _ facts: ProgramFacts) -> Bool {
    // A sandbox's files are its own, whatever their paths.
    if let sandbox = facts.sandbox { return sandbox != .unknown && sandbox == manifest.sandbox }
    guard manifest.sandbox == nil, let executable = facts.executable else { return false }
    // Any program of the user can write a user's own manifest. Its paths may lie on a file system that does not
    // answer, so the files are not looked at: such a manifest only names a program for people, and decides nothing.
    guard manifest.isSystems else { return fitsByName(manifest, executable, facts) }
    if let path = manifest.executable, !isFile(executable, path, facts) { return false }
    guard let script = manifest.script else { return manifest.executable != nil }
    // Anyone may call their own program "python", but not as root.
    guard executable.isInterpreter, executable.owner == 0 || manifest.executable != nil,
      facts.seesOurFiles, let argument = facts.firstArgument
    else { return false }
    return argument == script || argument == Files.canonical(script)
  }

  private static func fitsByName(
    _ manifest: ProgramManifest, _ executable: ProgramFacts.Executable, _ facts: ProgramFacts
  ) -> Bool {
    guard facts.seesOurFiles, manifest.executable != nil || manifest.script != nil else { return false }
    if let path = manifest.executable, path != executable.path { return false }
    guard let script = manifest.script else { return true }
    return executable.isInterpreter && facts.firstArgument == script
  }

  private static func isFile(_ executable: ProgramFacts.Executable, _ path: String, _ facts: ProgramFacts) -> Bool {
    if FileMark(ofPath: path) == executable.mark { return true }
    // A replaced program is still the same program. Only someone who may write there can have had a file of this
    // name.
    return executable.isReplaced && facts.seesOurFiles
      && (executable.path == path || executable.path == Files.canonical(path))
  }

  /// The identity of a program given by the name of its manifest, for `carry policy check`.
  package func identity(named program: String, _ process: ProcessKey) -> ProgramIdentity? {
    guard let manifest = manifests.first(where: { $0.isSystems && $0.program == program }) else { return nil }
    return ProgramIdentity(
      process: process, program: program, name: manifest.name, team: manifest.team, isManaged: manifest.isManaged,
      sandbox: manifest.sandbox)
  }
}
