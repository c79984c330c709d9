import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// What the kernel says of a program: of real processes, and of planted directories that look like procfs.
@Suite struct ProgramFactsTests {
  /// A directory of its own, which goes with the test.
  private final class Folder {
    private let folder: TestFolder
    var path: String { folder.path }
    init() throws { folder = try TestFolder("facts") }

    func write(_ name: String, _ text: String) throws { try folder.write(text, to: name) }
    func make(_ name: String) throws { try check("mkdir") { mkdir("\(path)/\(name)", 0o700) } }
    func link(_ name: String, to target: String) throws { try check("symlink") { symlink(target, "\(path)/\(name)") } }
  }

  /// Looks like a process in another mount namespace.
  private func process(_ f: Folder, root: String = "/tmp") throws {
    try f.make("7")
    try f.make("7/ns")
    try f.make("7/attr")
    try f.link("7/ns/mnt", to: "mnt:[1]")
    try f.link("7/exe", to: "/bin/sh")
    try f.write(
      "7/mountinfo", String(decoding: try Files.readAll("/proc/self/mountinfo", limit: 1 << 20), as: UTF8.self))
    try f.link("7/root", to: root)
  }

  private static let anyFileSystem: Set<String> = ["tmpfs", "ext4", "xfs", "btrfs", "overlay", "9p", "virtiofs"]

  private func sandbox(_ f: Folder) -> Sandbox? {
    ProgramFacts(of: 7, proc: f.path, kernelFileSystems: Self.anyFileSystem).sandbox
  }

  @Test("K6: a process's executable, first argument and files are what the kernel says") func K6_aProcess() throws {
    let facts = ProgramFacts(of: getpid())
    #expect(facts.executable?.mark == FileMark(ofPath: "/proc/self/exe"))
    #expect(facts.executable?.isReplaced == false)
    #expect(facts.seesOurFiles && facts.sandbox == nil)
    let f = try Folder()
    try f.write("script.sh", "kill -STOP $$\n")
    let child = try ChildProcess(["/bin/sh", f.path + "/script.sh", "an argument"])
    #expect(Wait.until { ProgramFacts(of: child.pid).firstArgument == f.path + "/script.sh" })
    let option = try ChildProcess(["/bin/sh", "-c", "kill -STOP $$; true", f.path + "/script.sh"])
    #expect(Wait.until { Files.link("/proc/\(option.pid)/exe") == Files.canonical("/bin/sh") })
    #expect(ProgramFacts(of: option.pid).firstArgument == nil)
  }

  @Test("K6: a program that was replaced while it runs is still known by its path and its file")
  func K6_aReplacedProgram() throws {
    let f = try Folder()
    let program = f.path + "/program"
    #expect(
      try ChildProcess(["cp", try #require(Files.canonical("/bin/sleep")), program]).waitForExit(seconds: 10) == 0)
    let child = try ChildProcess([program, "100"])
    defer { kill(child.pid, SIGKILL) }
    let mark = FileMark(ofPath: program)
    #expect(Wait.until { ProgramFacts(of: child.pid).executable?.mark == mark })
    // As a package manager replaces it.
    #expect(try ChildProcess(["cp", program, program + ".new"]).waitForExit(seconds: 10) == 0)
    #expect(rename(program + ".new", program) == 0)
    let after = try #require(ProgramFacts(of: child.pid).executable)
    #expect(after.isReplaced && after.path == program && after.mark == mark)
    #expect(FileMark(ofPath: program) != mark)
  }

  @Test("K6: a process that is not there, or that nothing can be told of, has no facts") func K6_nobody()
    throws
  {
    #expect(
      ProgramFacts(of: 7, proc: "/nonexistent")
        == {
          var f = ProgramFacts(); f.sandbox = .unknown; return f
        }())
    let f = try Folder()
    try f.make("7")
    try f.link("7/exe", to: "/tmp")
    #expect(ProgramFacts(of: 7, proc: f.path).executable == nil)
  }

  @Test("K6: which programs run scripts") func K6_interpreters() {
    for path in ["/usr/bin/python3.11", "/bin/sh", "/usr/bin/perl5.36.0", "/usr/bin/node", "/usr/bin/gjs-console"] {
      #expect(ProgramFacts.isInterpreter(path), "\(path)")
    }
    for path in ["/usr/bin/shotwell", "/usr/bin/pythonista", "/usr/bin/carry"] {
      #expect(!ProgramFacts.isInterpreter(path), "\(path)")
    }
  }

  @Test("K6: a Flatpak's number comes from its file, and from a regular file only") func K6_flatpak() throws {
    let root = try Folder()
    let f = try Folder()
    try process(f, root: root.path)
    #expect(sandbox(f) == .unknown)
    try root.write(".flatpak-info", "[Instance]\nname=other\n[Application]\nname=org.example.Mail\nruntime=x\n")
    #expect(sandbox(f) == .flatpak("org.example.Mail"))
    // On a file system that a program may keep, nothing is read.
    #expect(ProgramFacts(of: 7, proc: f.path, kernelFileSystems: []).sandbox == .unknown)
    try root.write(".flatpak-info", "[Application]\nname=../../evil name\n")
    #expect(sandbox(f) == .unknown)
    try root.write("elsewhere", "[Application]\nname=org.example.Mail\n")
    unlink(root.path + "/.flatpak-info")
    try root.link(".flatpak-info", to: "elsewhere")
    #expect(sandbox(f) == .unknown)
    unlink(root.path + "/.flatpak-info")
    #expect(mkfifo(root.path + "/.flatpak-info", 0o600) == 0)
    #expect(sandbox(f) == .unknown)
  }

  @Test("K6: a snap's name comes from the kernel's label, else from the control group") func K6_snap() throws {
    let f = try Folder()
    try process(f)
    try f.write("7/cgroup", "0::/user.slice/app.slice/snap.mail.mail-12ab.scope\n")
    #expect(sandbox(f) == .snap("mail"))
    try f.write("7/attr/current", "snap.firefox.firefox (enforce)\n")
    #expect(sandbox(f) == .snap("firefox"))
    try f.write("7/attr/current", "snap./../x.y (enforce)\n")
    #expect(sandbox(f) == .unknown)
  }
}
