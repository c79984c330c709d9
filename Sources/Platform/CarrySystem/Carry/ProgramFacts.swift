package import CarryModel
import CLinux

/// What the kernel knows of a process's program: its file, its script, its sandbox.
///
/// Reading accesses only procfs, and a sandbox's own file if it is on a file system of the kernel, so that a hostile
/// program cannot block the engine. Unknown facts are nil; in doubt a program counts as a stranger.
///
/// This stops mistakes and sandboxed programs. A hostile program of the same user can start another program and use
/// its connection.
package struct ProgramFacts: Equatable, Sendable {
  /// The file that the process runs.
  package struct Executable: Equatable, Sendable {
    package var mark: FileMark
    /// As the kernel names it now, without the mark of a deleted file.
    package var path: String { didSet { isInterpreter = ProgramFacts.isInterpreter(path) } }
    /// Whether the file was replaced or removed since the process began.
    package var isReplaced: Bool
    package var owner: UInt32
    /// Whether it interprets scripts. Stored, since a user may have a thousand manifests, each of which asks.
    package private(set) var isInterpreter: Bool

    package init(mark: FileMark, path: String, isReplaced: Bool, owner: UInt32) {
      self.mark = mark
      self.path = path
      self.isReplaced = isReplaced
      self.owner = owner
      isInterpreter = ProgramFacts.isInterpreter(path)
    }
  }

  package var executable: Executable?
  /// The process's first argument, if it is an absolute path. For an interpreter it is the script.
  package var firstArgument: String?
  /// Whether a path means the same file for the process as for the engine.
  package var seesOurFiles = false
  package var sandbox: Sandbox?

  package init() {}

  /// A process of which nothing is known; it may be in a sandbox.
  package static let stranger = {
    var facts = ProgramFacts()
    facts.sandbox = .unknown
    return facts
  }()

  /// - Parameters:
  ///   - pid: The process. The caller holds a handle of it, and checks afterwards that it still runs.
  ///   - proc: The path of procfs; another directory in tests.
  ///   - kernelFileSystems: The file systems on which a sandbox's file may be read.
  package init(
    of pid: Int32, proc: String = "/proc", kernelFileSystems: Set<String> = ["tmpfs", "ext4", "xfs", "btrfs", "f2fs"]
  ) {
    let folder = "\(proc)/\(pid)"
    executable = Self.executable(folder + "/exe")
    if let own = Files.link("/proc/self/ns/mnt") { seesOurFiles = Files.link(folder + "/ns/mnt") == own }
    if seesOurFiles {
      let words =
        (try? Files.readStart(folder + "/cmdline", most: 2 * Int(PATH_MAX)))?
        .split(separator: 0, omittingEmptySubsequences: false) ?? []
      // The last argument may be truncated; a complete one is followed by a NUL.
      if words.count > 2, let text = String(validating: words[1], as: UTF8.self), text.hasPrefix("/") {
        firstArgument = text
      }
    } else {
      sandbox = SandboxFacts(folder, kernelFileSystems).sandbox
    }
  }

  private static func executable(_ path: String) -> Executable? {
    guard let fd = try? Descriptor.open(path, clinux_o_path()), let known = FileMark.Known(fd.raw),
      known.isRegular, var name = Files.link("/proc/self/fd/\(fd.raw)")
    else { return nil }
    let isReplaced = known.names == 0
    let ending = " (deleted)"
    if name.hasSuffix(ending), isReplaced { name.removeLast(ending.count) }
    return Executable(mark: known.mark, path: name, isReplaced: isReplaced, owner: known.owner)
  }

  /// Interpreters. Their programs are identified by script.
  private static let interpreters: Set<String> = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "python", "pypy", "perl", "ruby", "node", "nodejs", "gjs",
    "gjs-console", "lua", "luajit", "php", "tclsh", "wish", "guile", "java", "mono", "dotnet", "electron", "wine",
  ]

  /// Whether the program at this path interprets scripts, such as `/usr/bin/python3.11`.
  package static func isInterpreter(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    var base = name
    while let last = base.last, last.isNumber || last == "." || last == "-" { base.removeLast() }
    return interpreters.contains(String(name)) || interpreters.contains(String(base))
  }
}
