import CLinux
import CarryConfiguration
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Manifests and policies: what counts, and what a file with a mistake does.
@Suite struct AccessFilesTests {
  private final class Folder {
    private let folder: TestFolder
    var path: String { folder.path }
    init() throws { folder = try TestFolder("access") }

    func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws {
      chmod(try folder.write(text, to: name), mode)
    }

    var manifests: (manifests: [ProgramManifest], problems: [FileProblem]) { ManifestFiles(named: path).load() }
    var policy: (policy: Policy, problems: [FileProblem]) { PolicyFiles.load(path) }
  }

  // MARK: Manifests

  @Test("K6: a manifest says what a program is called, and to which team it belongs") func K6_aManifest() throws {
    let f = try Folder()
    try f.write(
      "org.example.Mail.conf",
      "# Mail\n[app]\nexecutable = /usr/bin/mail\nname = Mail\nicon = mail\nteam = example\nmanaged = yes\n"
        + "file-provider = /usr/lib/mail-files\n")
    let (manifests, problems) = f.manifests
    #expect(problems.isEmpty)
    let m = try #require(manifests.first)
    #expect(m.program == "org.example.Mail" && m.executable == "/usr/bin/mail" && m.name == "Mail" && m.icon == "mail")
    #expect(m.team == "example" && m.isManaged && m.fileProvider == "/usr/lib/mail-files" && m.isSystems)
  }

  @Test(
    "K6: a manifest with a mistake does not count, and the mistake has its file and line; the others count",
    arguments: [
      ("executable = mail\n", 1, "absolute path"), ("executable = /bin/x\nfoo = 1\n", 2, "unknown key 'foo'"),
      ("\nnonsense\n", 2, "expected"), ("name = Mail\n", 0, "names no program"),
      ("executable = /bin/x\nmanaged = maybe\n", 2, "yes or no"), ("executable = /usr/bin/python3\n", 0, "script"),
      ("executable = /bin/x\nteam = a b\n", 2, "letters"), ("[lift]\n", 1, "unknown section"),
    ]) func K6_mistakes(text: String, line: Int, word: String) throws
  {
    let f = try Folder()
    try f.write("a.conf", text)
    try f.write("b.conf", "executable = /bin/b\n")
    let (manifests, problems) = f.manifests
    #expect(manifests.map(\.program) == ["b"])
    #expect(problems.map(\.line) == [line] && problems[0].file == f.path + "/a.conf")
    #expect(problems[0].message.contains(word), "\(problems[0].message)")
  }

  @Test("K6: a file that others can write, a link out of the directory, a FIFO and a huge file do not count")
  func K6_untrustedFiles() throws {
    let f = try Folder()
    let other = try Folder()
    try other.write("x.conf", "executable = /bin/x\n")
    try f.write("a.conf", "executable = /bin/a\n", mode: 0o666)
    #expect(symlink(other.path + "/x.conf", f.path + "/b.conf") == 0)
    #expect(mkfifo(f.path + "/c.conf", 0o644) == 0)
    try f.write("d.conf", String(repeating: "#\n", count: 1 << 16))
    try f.write("e.conf", "executable = /bin/e\n")
    #expect(symlink("e.conf", f.path + "/f.conf") == 0)
    let (manifests, problems) = f.manifests
    #expect(manifests.map(\.program) == ["e", "f"])
    #expect(problems.map { String($0.file.suffix(6)) } == ["a.conf", "b.conf", "c.conf", "d.conf"])
    // A directory that others can write to.
    chmod(f.path, 0o777)
    #expect(f.manifests.manifests.isEmpty && f.manifests.problems.count == 1)
  }

  @Test("K6: a directory that somebody has filled is read in part, and one with too many names not at all")
  func K6_filledDirectories() throws {
    let f = try Folder()
    for i in 10..<30 { try f.write("\(i).conf", "executable = /bin/x\n" + String(repeating: "#\n", count: 25_000)) }
    #expect(f.manifests.manifests.count == 10)
    #expect(f.manifests.problems.map(\.message) == ["the manifests from 20.conf on are beyond 524288 bytes"])
    for i in 0..<8200 { try f.write("\(i).txt", "") }
    #expect(f.manifests.manifests.isEmpty && f.manifests.problems.count == 1)
  }

  @Test("K6: the program behind an executable, a script, a replaced file and a sandbox") func K6_matching() throws {
    let f = try Folder()
    let program = f.path + "/program"
    try f.write("program", "x")
    try f.write("script", "x")
    try f.write("a.conf", "executable = \(program)\nteam = t\n")
    try f.write("b.conf", "script = \(f.path)/script\n")
    try f.write("c.conf", "flatpak = org.example.C\nname = C\n")
    let registry = ProgramRegistry(f.manifests.manifests)
    func find(_ change: (inout ProgramFacts) -> Void) -> ProgramIdentity {
      var facts = ProgramFacts()
      facts.seesOurFiles = true
      facts.executable = .init(
        mark: FileMark(device: 1, file: 2), path: "/usr/bin/python3", isReplaced: false, owner: 0)
      change(&facts)
      return registry.identity(of: facts, .peer(1)).identity
    }
    let mark = try #require(FileMark(ofPath: program))
    #expect(find { $0.executable?.mark = mark }.team == "t")
    // Another file of the same name, in a place of the user's own.
    #expect(find { $0.executable?.path = program }.program == nil)
    #expect(
      find {
        $0.executable?.path = program
        $0.executable?.isReplaced = true
      }.program == "a")
    #expect(
      find {
        $0.executable?.path = program
        $0.executable?.isReplaced = true
        $0.seesOurFiles = false
      }.program == nil)
    #expect(find { $0.firstArgument = f.path + "/script" }.program == "b")
    #expect(
      find {
        $0.firstArgument = f.path + "/script"
        $0.executable?.owner = 1000
      }.program == nil)
    #expect(
      find {
        $0.firstArgument = f.path + "/script"
        $0.executable?.path = "/usr/bin/other"
      }.program == nil)
    #expect(find { $0.sandbox = .flatpak("org.example.C") }.name == "C")
    #expect(
      find {
        $0.sandbox = .unknown
        $0.executable?.mark = mark
      }.program == nil)
    #expect(find { $0.executable = nil }.program == nil)
  }

  @Test(
    "K6: a program that was found once stays itself when its file is replaced and the manifests are read again")
  func K6_foundOnce() throws {
    let f = try Folder()
    try f.write("program", "x")
    try f.write("a.conf", "executable = \(f.path)/program\n")
    var facts = ProgramFacts()
    facts.seesOurFiles = true
    facts.executable = .init(
      mark: try #require(FileMark(ofPath: f.path + "/program")), path: f.path + "/program", isReplaced: false, owner: 0)
    let first = ProgramRegistry(f.manifests.manifests).identity(of: facts, .peer(1))
    try f.write("new", "y")
    rename(f.path + "/new", f.path + "/program")
    try f.write("a.conf", "executable = \(f.path)/program\nmanaged = yes\n")
    let again = ProgramRegistry(f.manifests.manifests)
    #expect(again.identity(of: facts, .peer(1), known: first.manifest).identity.isManaged)
    #expect(again.identity(of: facts, .peer(1)).identity.program == nil)
  }

  @Test("K6: of the paths that a user's own manifest names nothing is asked")
  func K6_aUsersOwnPathsAreNames() throws {
    let f = try Folder()
    try f.write("program", "x")
    #expect(symlink("program", f.path + "/link") == 0)
    var facts = ProgramFacts()
    facts.seesOurFiles = true
    facts.executable = .init(
      mark: try #require(FileMark(ofPath: f.path + "/program")), path: f.path + "/program", isReplaced: false, owner: 0)
    func name(_ path: String, isSystems: Bool) -> String {
      var manifest = ProgramManifest(program: "a", file: "a.conf", isSystems: isSystems)
      manifest.executable = path
      manifest.name = "Mine"
      return ProgramRegistry([manifest]).identity(of: facts, .peer(1)).identity.name
    }
    #expect(name(f.path + "/program", isSystems: false) == "Mine")
    // Only who follows the link finds the program.
    #expect(name(f.path + "/link", isSystems: true) == "Mine" && name(f.path + "/link", isSystems: false) == "")
  }

  @Test("K6: a user's own manifest counts for the name, and for nothing else") func K6_aUsersOwn() throws {
    var own = ProgramManifest(program: "a", file: "/home/a.conf", isSystems: false)
    own.sandbox = .flatpak("x")
    own.name = "Mine"
    own.team = "stolen"
    own.isManaged = true
    var facts = ProgramFacts()
    facts.sandbox = .flatpak("x")
    let found = ProgramRegistry([own]).identity(of: facts, .peer(1)).identity
    #expect(found.name == "Mine" && found.program == nil && found.team == nil && !found.isManaged)
  }

  // MARK: Policy

  @Test("G6: policies are read in the order of their names, and each rule knows its line") func G6_order() throws {
    let f = try Folder()
    try f.write("20-b.conf", "[forbid]\nsource = managed\ntarget = unmanaged strangers\ntype = image/* text/plain\n")
    try f.write("10-a.conf", "# first\n[allow]\nsource = org.example.Mail team:example app:mail\n")
    let (policy, problems) = f.policy
    #expect(problems.isEmpty)
    #expect(policy.rules.map(\.place) == [f.path + "/10-a.conf:2", f.path + "/20-b.conf:1"])
    #expect(policy.rules[0].sources == [.program("org.example.Mail"), .team("example"), .program("mail")])
    #expect(policy.rules[1].targets == [.unmanaged, .strangers] && policy.rules[1].types == ["image/*", "text/plain"])
    #expect(PolicyFiles.load("/nonexistent/policy.d").policy.rules.isEmpty)
  }

  @Test("G6: a policy whose place cannot be listed forbids") func G6_unlistable() throws {
    let f = try Folder()
    // As `opendir` fails where there are no descriptors left: it is there, and it cannot be listed.
    try f.write("policy.d", "", mode: 0o755)
    let (policy, problems) = PolicyFiles.load(f.path + "/policy.d")
    #expect(policy.rules.map(\.verdict) == [.forbid] && problems.map(\.file) == [f.path + "/policy.d"])
  }

  @Test(
    "G6: a policy with a mistake forbids, and says where the mistake is",
    arguments: [
      ("[deny]\n", 1, "unknown section"), ("source = managed\n", 1, "before the first rule"),
      ("[forbid]\nsource = nobody\n", 2, "is not a program"), ("[forbid]\ntype = everything\n", 2, "no media type"),
      ("[forbid]\nsources = managed\n", 2, "unknown key"), ("[forbid]\nsource =\n", 2, "words"),
      ("[forbid\n", 1, "bracket"),
    ]) func G6_mistakes(text: String, line: Int, word: String) throws
  {
    let f = try Folder()
    try f.write("10.conf", "[allow]\nsource = managed\n")
    try f.write("20.conf", text)
    let (policy, problems) = f.policy
    #expect(problems.map(\.line) == [line] && problems[0].message.contains(word), "\(problems)")
    #expect(policy.rules.map(\.verdict) == [.allow, .forbid])
    #expect(policy.rules[1].reason.hasPrefix("\(f.path)/20.conf:\(line): "))
  }

  @Test("G6: a policy that others can write, or with too many lines, forbids") func G6_untrustedPolicies()
    throws
  {
    let f = try Folder()
    try f.write("a.conf", "[allow]\n", mode: 0o662)
    #expect(f.policy.policy.rules.map(\.verdict) == [.forbid])
    try f.write("a.conf", String(repeating: "[allow]\n", count: PolicyFiles.maxLines + 1))
    #expect(f.policy.policy.rules.map(\.verdict) == [.forbid])
    // Comments are read, too.
    let half = String(repeating: "#" + String(repeating: "-", count: 1022) + "\n", count: PolicyFiles.maxBytes / 2048)
    try f.write("a.conf", "[allow]\n" + half)
    try f.write("b.conf", half.dropLast(100) + "\n")
    #expect(f.policy.policy.rules.map(\.verdict) == [.allow])
    try f.write("c.conf", "[allow]\n" + half)
    #expect(f.policy.policy.rules.map(\.verdict) == [.allow, .forbid])
    #expect(f.policy.problems.first?.message.contains("\(PolicyFiles.maxBytes) bytes") == true)
  }
}
