package import CarryModel
import CLinux

/// What the kernel says of a process's program (T14, T40): its file, its script, its sandbox.
///
/// Reading it touches no file system but procfs, except for a sandbox's own file on a file system of the kernel's, so that
/// a hostile program cannot keep the engine waiting. What cannot be told stays nil: doubt means stranger.
///
/// It holds against mistakes and against sandboxed programs. A program of the same user that is out to deceive can start
/// another program, and use that program's connection.
package struct ProgramFacts: Equatable, Sendable {
  /// The file that the process runs.
  package struct Executable: Equatable, Sendable {
    package var mark: FileMark
    /// As the kernel names it now, without the mark of a removed file.
    package var path: String { didSet { isInterpreter = ProgramFacts.isInterpreter(path) } }
    /// Whether the file was replaced or removed since the process began.
    package var isReplaced: Bool
    package var owner: UInt32
    /// Whether it runs other programs' texts. Found once: a user may have a thousand manifests, each of which asks.
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
  /// The process's first argument, if that is an absolute path. It means the script where the executable is an interpreter.
  package var firstArgument: String?
  /// Whether a path means the same file for the process as for the engine.
  package var seesOurFiles = false
  package var sandbox: Sandbox?

  package init() {}

  /// Of a process of which nothing can be told: it may be in a sandbox.
  package static let stranger = {
    var facts = ProgramFacts()
    facts.sandbox = .unknown
    return facts
  }()

  /// - Parameters:
  ///   - pid: the process. The caller holds a handle of it, and checks afterwards that it still runs.
  ///   - proc: where procfs is; another directory in tests.
  ///   - kernelFileSystems: those on which a sandbox's file may be read.
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
      // The last piece may be cut off: a whole argument is followed by a zero byte.
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

  /// Programs that run other programs' texts. Each is told apart by its script.
  private static let interpreters: Set<String> = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "python", "pypy", "perl", "ruby", "node", "nodejs", "gjs",
    "gjs-console", "lua", "luajit", "php", "tclsh", "wish", "guile", "java", "mono", "dotnet", "electron", "wine",
  ]

  /// Whether a program at this path runs scripts, as `/usr/bin/python3.11` does.
  package static func isInterpreter(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    var base = name
    while let last = base.last, last.isNumber || last == "." || last == "-" { base.removeLast() }
    return interpreters.contains(String(name)) || interpreters.contains(String(base))
  }
}
