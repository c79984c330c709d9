import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// What does not start says why in one sentence, and exits with the status that the command line promises.
  @Suite(.serialized) struct Starting {
    private func run(_ program: String, _ arguments: [String], display: String? = nil) throws -> (CInt?, String) {
      let p = try ChildProcess(
        [try Checkout.program(program)] + arguments, environment: ["DISPLAY": display, "CARRY_SOCKET": nil],
        output: .pipe)
      let text = p.remainingLines().joined(separator: "\n")
      return (p.waitForExit(seconds: 10), text)
    }

    @Test func noDisplayIsASentence() throws {
      let (status, text) = try run("carryd", ["--display", ":4711", "--socket", "/tmp/carry-none-\(getpid())"])
      #expect(status == 3)
      #expect(text.contains(":4711") && text.contains("--display"))
      let (status2, text2) = try run("carryd", ["--socket", "/tmp/carry-none-\(getpid())"])
      #expect(status2 == 3)
      #expect(text2.contains("DISPLAY"))
    }

    @Test func noEngineIsASentence() throws {
      for command in [["drag", "--text", "x"], ["drop"], ["monitor"]] {
        let (status, text) = try run("carry", command + ["--socket", "/tmp/carry-none-\(getpid())"])
        #expect(status == 3)
        #expect(text.contains("no engine") && text.contains("carryd"))
      }
    }

    @Test(
      "a socket where others may write is warned of, and one in a folder of one's own in /tmp is not",
      arguments: [(0o777, true), (0o1777, true), (0o700, false), (0o755, false)] as [(UInt32, Bool)])
    func aSharedFolder(mode: UInt32, isShared: Bool) throws {
      let server = try PrivateXServer()
      let place = try TestFolder("shared")
      let folder = place.path
      chmod(folder, mode)
      let engine = try Engine(on: server.display, in: place)
      let doctor = try ChildProcess(
        [try Checkout.program("carry"), "doctor", "--socket", engine.socket], environment: ["DISPLAY": server.display],
        output: .pipe)
      let state = isShared ? "warning directory:" : "ok      directory:"
      let said = doctor.remainingLines()
      #expect(said.contains { $0.hasPrefix(state) && $0.contains(folder) }, "\(said)")
      engine.stop(SIGTERM)
      let lines = engine.remainingLines()
      let warning = "others may write to \(folder)"
      #expect(lines.contains { $0.contains(warning) && $0.contains("mkdir -m 700") } == isShared)
    }

    @Test("a runtime directory that others may write to is none") func aSharedDirectory() throws {
      let server = try PrivateXServer()
      let place = try TestFolder("shared")
      let folder = place.path
      chmod(folder, 0o777)
      let p = try ChildProcess(
        [try Checkout.program("carryd"), "--display", server.display],
        environment: ["DISPLAY": nil, "CARRY_SOCKET": nil, "XDG_RUNTIME_DIR": folder], output: .pipe)
      let text = p.remainingLines().joined(separator: "\n")
      #expect(p.waitForExit(seconds: 10) == 1)
      #expect(text.contains("others may write to") && text.contains(folder), "\(text)")
      #expect(Files.list(folder).isEmpty)
    }

    @Test func aSecondEngineIsRefusedByDisplayAndBySocket() throws {
      let d = try Desktop()
      let (status, text) = try run("carryd", ["--display", d.server.display, "--socket", d.folder + "/other"])
      #expect(status == 3)
      #expect(text.contains("another engine"))
      let other = try PrivateXServer()
      let (status2, text2) = try run("carryd", ["--display", other.display, "--socket", d.socket])
      #expect(status2 == 3)
      #expect(text2.contains("another engine") && text2.contains(d.socket))
      #expect(d.engine.isRunning)
    }

    @Test func aReloadWhileTheEngineStartsDoesNotEndIt() throws {
      let server = try PrivateXServer()
      server.process.signal(SIGSTOP)
      let folder = try TestFolder("early")
      let socket = folder.path + "/socket"
      let engine = try ChildProcess([try Checkout.program("carryd"), "--display", server.display, "--socket", socket])
      #expect(Wait.until(seconds: 20) { Self.hangup("SigBlk", in: engine.pid) })
      engine.signal(SIGHUP)
      #expect(Wait.until(seconds: 20) { Self.hangup("ShdPnd", in: engine.pid) })
      server.process.signal(SIGCONT)
      #expect(Wait.until(seconds: 20) { Files.exists(socket) })
      #expect(Wait.until(seconds: 20) { !Self.hangup("ShdPnd", in: engine.pid) })
      #expect(engine.isRunning)
      #expect(engine.stop(SIGTERM) == 0)
    }

    /// Whether a process blocks SIGHUP, or has one to come: proc(5).
    private static func hangup(_ set: String, in process: Int32) -> Bool {
      let status = (try? Files.readAll("/proc/\(process)/status", limit: 1 << 16)) ?? []
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(set + ":") }
      let mask = line.flatMap { UInt64($0.dropFirst(set.count + 1).drop { $0 == "\t" }, radix: 16) } ?? 0
      return mask & (1 << UInt64(SIGHUP - 1)) != 0
    }

    @Test func aFileInTheSocketsPlaceIsLeftAlone() throws {
      let server = try PrivateXServer()
      let folder = try TestFolder("plain")
      let path = try folder.write("mine", to: "socket")
      let (status, text) = try run("carryd", ["--display", server.display, "--socket", path])
      #expect(status == 1)
      #expect(text.contains("is no socket") && text.contains(path))
      #expect(try Files.read(path, limit: 100) == Array("mine".utf8))
    }

    @Test func aRecordingWithoutTouchIsRefusedBeforeAnythingStarts() throws {
      let folder = try TestFolder("mouse")
      let path = try folder.write(
        "# EVEMU 1.3\nN: mouse\nI: 0003 0001 0001 0001\nE: 0.000000 0002 0000 1\nE: 0.000000 0000 0000 0\n",
        to: "mouse.events")
      let (status, text) = try run("carryd", ["--replay", path, "--socket", "/tmp/carry-none-\(getpid())"])
      #expect(status == 1)
      #expect(text.contains("no touch axes"))
    }

    @Test("Z36: what says that a client is refused names the session recording") func Z36_refused() throws {
      let server = try PrivateXServer()
      let folder = try TestFolder("refused")
      let engine = try Engine(on: server.display, options: ["--record-session", folder.path + "/a.session"])
      let raw = try RawClient(engine.socket)
      raw.greet()
      // More monitors than a client may have.
      for i in 0...UInt32(Limits.monitorsPerClient) { raw.send(RawClient.message(3, 4, RawClient.words([4 + i]))) }
      #expect(engine.readLine { $0.hasSuffix("; the session is in \(folder.path)/a.session") } != nil)
      withExtendedLifetime(raw) {}
    }

    @Test func aStaleSocketIsReplaced() throws {
      let d = try Desktop()
      d.engine.stop(SIGKILL)
      #expect(Files.exists(d.socket))
      let (status, text) = try run("carry", ["drop", "--socket", d.socket], display: d.server.display)
      #expect(status == 3 && text.contains("no engine"))
      let again = try Engine(on: d.server.display, in: d.engine.folder)
      let target = try d.target()
      #expect(Wait.until { d.client.children(of: d.client.root).count > 0 && target.isRunning })
      #expect(again.isRunning)
    }

    @Test("an engine that ends while a file cannot be closed makes room for another at once")
    func anEndThatIsStuck() throws {
      let d = try Desktop(compositor: nil)
      guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
      let raw = try RawClient(d.socket)
      raw.greet()
      raw.send(RawClient.message(3, 5, RawClient.words([4])))
      // No picture: it is refused, and closed.
      raw.send(RawClient.message(4, 2, RawClient.words([2, 2, 256])), descriptors: [file.fd])
      file.destroy()
      // Here and there.
      let isStuck = Wait.until {
        file.look()
        return file.flushes == 2
      }
      #expect(isStuck)
      // As a client has it that waits for the next engine.
      let lock = try Descriptor.open(d.socket + ".lock", O_RDWR)
      let number = lock.raw
      d.engine.signal(SIGTERM)
      let isUnlocked = Wait.until { flock(number, LOCK_EX | LOCK_NB) == 0 }
      #expect(isUnlocked)
      _ = consume lock
      let isFree = Wait.until { !Files.exists(d.socket) && !Files.exists(d.socket + ".lock") && raw.isClosed() }
      #expect(isFree)
      let again = try Engine(on: d.server.display, in: d.engine.folder)
      // For the kernel the first one listens there until its socket is closed.
      let answers = Wait.until { (try? Client(name: "visitor", socket: again.socket)) != nil }
      #expect(answers && again.isRunning)
      file.look()
      #expect(!file.cameTooLate && d.engine.isRunning)
      file.answer()
      #expect(d.engine.waitForExit(seconds: 10) == 0)
    }

    @Test("recordings and configurations that cannot be used")
    func recordingsAndConfigurationsThatCannotBeUsed() throws {
      let place = try TestFolder("start")
      let folder = place.path
      try Files.write("[lift]\nbegins-ms = soon\n", to: folder + "/bad.conf")
      try Files.write([0, 1, 2, 3, 255, 10, 7], to: folder + "/binary.events")
      try Files.write([], to: folder + "/empty.events")
      let (s1, t1) = try run("carryd", ["--config", folder + "/bad.conf", "--socket", folder + "/s"])
      #expect(s1 == 1 && t1.contains("bad.conf:2:") && t1.contains("begins-ms"))
      for name in ["binary", "empty", "missing"] {
        let (status, text) = try run("carryd", ["--replay", folder + "/\(name).events", "--socket", folder + "/s"])
        #expect(status == 1)
        #expect(text.contains("\(name).events"), "\(text)")
      }
      let (s2, t2) = try run("carryd", ["--config", "/dev/zero", "--socket", folder + "/s"])
      #expect(s2 == 1 && t2.contains("/dev/zero"))
    }

    @Test func aDeviceThatCannotBeOpenedIsNamed() throws {
      let server = try PrivateXServer()
      let (status, text) = try run(
        "carryd",
        ["--display", server.display, "--socket", "/tmp/carry-none-\(getpid())", "--device", "/dev/input/event4711"])
      #expect(status == 1)
      #expect(text.contains("/dev/input/event4711"))
    }

    @Test func wrongUsageSaysWhatToDo() throws {
      for (program, arguments) in [
        ("carryd", ["--frobnicate"]), ("carryd", ["file"]), ("carryd", ["--replay-delay", "1"]), ("carry", []),
        ("carry", ["frobnicate"]), ("carry", ["drag"]), ("carry", ["drag", "--text", "a", "b.txt"]),
        ("carry", ["drag", "--type", "nonsense", "--data", "/etc/hostname"]),
        ("carry", ["drop", "--accept", "nonsense"]), ("carry", ["drop", "--geometry", "big"]),
      ] {
        let (status, text) = try run(program, arguments)
        #expect(status == 2, "\(program) \(arguments): \(text)")
        #expect(text.contains("--help"), "\(text)")
      }
    }

    @Test func helpAndVersionNeedNothing() throws {
      for program in ["carry", "carryd"] {
        let (status, text) = try run(program, ["--help"])
        #expect(status == 0 && text.contains("Usage") || text.contains("carry COMMAND"))
        #expect(try run(program, ["--version"]).1.contains("0.1.0"))
      }
    }
  }
}
