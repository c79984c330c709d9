import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// A service manager as systemd is one: it keeps a socket, hands it over, and hears how it goes.
private final class Manager {
  private let place: TestFolder
  var folder: String { place.path }
  var socket: String { folder + "/carry-0" }
  let listener: Descriptor
  private let ear: Descriptor
  private let earAddress: String

  init(kind: CInt = CInt(SOCK_STREAM.rawValue), listens: Bool = true, mode: mode_t = 0o600) throws {
    place = try TestFolder("service")
    let folder = place.path
    listener = try Self.bound(folder + "/carry-0", kind)
    chmod(folder + "/carry-0", mode)
    if listens { try check("listen") { [fd = listener.raw] in listen(fd, 16) } }
    // systemd's is abstract where there are no file systems yet.
    earAddress = "@carry-notify-\(folder)"
    ear = try Self.bound(earAddress, CInt(SOCK_DGRAM.rawValue))
  }

  private static func bound(_ name: String, _ kind: CInt) throws -> Descriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: name.utf8)
      if name.hasPrefix("@") { $0[0] = 0 }
    }
    let made = Descriptor(
      owning: try check("socket") { CLinux.socket(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0) })
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
    try check("bind", name) { [fd = made.raw] in
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, length) }
      }
    }
    return made
  }

  /// Starts the engine with the socket, as systemd does: the number of the process is known to the process only.
  func start(_ arguments: String..., display: String?, more: [String: String?] = [:]) throws -> ChildProcess {
    var variables: [String: String?] = [
      "LISTEN_FDS": "1", "NOTIFY_SOCKET": earAddress, "DISPLAY": display, "CARRY_SOCKET": nil, "XDG_SESSION_TYPE": nil,
      "WAYLAND_DISPLAY": nil, "XDG_RUNTIME_DIR": folder,
    ]
    variables.merge(more) { $1 }
    return try ChildProcess(
      ["sh", "-c", "LISTEN_PID=$$ exec \"$0\" \"$@\"", try Checkout.program("carryd")] + arguments,
      environment: variables,
      output: .pipe, descriptors: [listener.raw])
  }

  /// The next word that the engine has for the service manager.
  func hear(seconds: Double = 10) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var count = -1
    _ = Wait.until(seconds: seconds, descriptor: ear.raw) {
      count = recv(ear.raw, &bytes, bytes.count, CInt(MSG_DONTWAIT))
      return count >= 0
    }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

extension DesktopTests {
  @Suite(.serialized) struct Services {
    @Test func theServiceManagersSocketIsServedAndStays() throws {
      let server = try PrivateXServer()
      let manager = try Manager()
      // Who asks first starts it all, and waits.
      let early = try SocketListener.connect(to: manager.socket)
      let engine = try manager.start(display: server.display)
      let word = try #require(manager.hear())
      #expect(word.hasPrefix("READY=1\nSTATUS=Serving display \(server.display) on \(manager.socket)"))
      let client = try Client(name: "visitor", socket: manager.socket)
      #expect(client.engineVersion == "0.1.0")
      // Systemd's reload, with a word before and after.
      engine.signal(SIGHUP)
      #expect(manager.hear()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
      #expect(manager.hear()?.hasPrefix("READY=1") == true)
      #expect(engine.isRunning)
      engine.stop()
      #expect(manager.hear() == "STOPPING=1")
      #expect(engine.exitStatus == 0)
      // The socket is not ours to remove; the lock is.
      #expect(Files.list(manager.folder) == ["carry-0"])
      withExtendedLifetime(early) {}
    }

    @Test("a loop that goes round says so, as often as the service manager wants") func heartbeat() throws {
      let server = try PrivateXServer()
      let manager = try Manager()
      let engine = try manager.start(display: server.display, more: ["WATCHDOG_USEC": "200000"])
      let words = (0..<5).map { _ in manager.hear() ?? "" }
      #expect(words.contains { $0.hasPrefix("READY=1") })
      #expect(words.count { $0 == "WATCHDOG=1" } >= 3, "\(words)")
      engine.signal(SIGSTOP)
      // Stopped, it says nothing more.
      #expect(Wait.until { ProcessID.isStopped(engine.pid) })
      while manager.hear(seconds: 0) != nil {}
      engine.signal(SIGCONT)
      #expect(manager.hear() == "WATCHDOG=1")
      engine.stop()
    }

    @Test func whereTheServiceManagerListensNobodyElseDoes() throws {
      let server = try PrivateXServer()
      let manager = try Manager()
      // As the autostart entry would start it: one line, a status of its own, and nothing changed.
      let (status, text) = try run(["--socket", manager.socket], display: server.display)
      #expect(status == 3)
      #expect(text.contains("kept by the service manager") && text.split(separator: "\n").count == 1, "\(text)")
      #expect(SocketListener.isServed(manager.socket))
      let engine = try manager.start(display: server.display)
      #expect(manager.hear()?.hasPrefix("READY=1") == true)
      #expect(engine.isRunning)
    }

    @Test func aSocketOfTheWrongKindIsRefused() throws {
      let server = try PrivateXServer()
      for (manager, words) in [
        (try Manager(kind: CInt(SOCK_DGRAM.rawValue), listens: false), "not a listening stream socket"),
        (try Manager(listens: false), "not a listening stream socket"), (try Manager(mode: 0o666), "SocketMode=0600"),
      ] {
        let engine = try manager.start(display: server.display)
        let text = engine.remainingLines().joined(separator: "\n")
        #expect(engine.waitForExit(seconds: 10) == 1)
        #expect(text.contains(words), "\(text)")
        #expect(Files.exists(manager.socket))
      }
    }

    @Test func whoWaitsForAnEngineThatCannotStartIsHungUpOn() throws {
      let manager = try Manager()
      let waiting = try SocketListener.connect(to: manager.socket)
      let engine = try manager.start(display: ":4711")
      #expect(engine.waitForExit(seconds: 10) == 3)
      var byte: UInt8 = 0
      #expect(recv(waiting.raw, &byte, 1, CInt(MSG_DONTWAIT)) == 0)
    }

    @Test func aWaylandSessionIsRefusedInASentence() throws {
      let server = try PrivateXServer()
      let folder = try TestFolder("session")
      for (variables, words) in [
        (["XDG_SESSION_TYPE": "wayland", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": server.display], "Xwayland"),
        (["XDG_SESSION_TYPE": "wayland", "DISPLAY": nil], "X11 only"),
        (["XDG_SESSION_TYPE": nil, "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": nil], "X11 only"),
      ] as [([String: String?], String)] {
        let (status, text) = try run(["--socket", folder.path + "/socket"], display: nil, more: variables)
        #expect(status == 3)
        #expect(text.contains("Wayland session") && text.contains(words), "\(text)")
        #expect(text.split(separator: "\n").count == 1)
      }
    }

    private func run(
      _ arguments: [String], display: String?, more: [String: String?] = [:]
    ) throws -> (CInt?, String) {
      var variables: [String: String?] = [
        "DISPLAY": display, "CARRY_SOCKET": nil, "XDG_SESSION_TYPE": nil, "WAYLAND_DISPLAY": nil,
      ]
      variables.merge(more) { $1 }
      let p = try ChildProcess([try Checkout.program("carryd")] + arguments, environment: variables, output: .pipe)
      let text = p.remainingLines().joined(separator: "\n")
      return (p.waitForExit(seconds: 10), text)
    }
  }

  @Suite(.serialized) struct Settings {
    @Test func settingsAreReadAgainHoweverTheyChange() throws {
      let server = try PrivateXServer()
      let place = try TestFolder("settings")
      let folder = place.path
      let (user, system) = (folder + "/user/carry/carry.conf", folder + "/system/carry/carry.conf")
      for name in ["system/carry", "elsewhere"] { try place.makeFolder(name) }
      try Files.write("[tap]\nslop-px = 11\n", to: system)
      let engine = try Engine(
        on: server.display,
        environment: [
          "XDG_CONFIG_HOME": folder + "/user", "XDG_CONFIG_DIRS": folder + "/system", "XDG_DATA_DIRS": folder + "/data",
        ], in: place)
      func says(_ words: String) -> Bool { engine.readLine { $0.contains(words) } != nil }
      #expect(says("settings from \(system)"))
      // Written in place.
      try Files.write("[tap]\nslop-px = 12\n", to: system)
      #expect(says("settings read again from \(system)"))
      // One that counts more appears, in a directory that was not there.
      try place.makeFolder("user/carry")
      try Files.write("[tap]\nslop-px = 13\n", to: user)
      #expect(says("settings read again from \(user)"))
      // Replaced, as editors do.
      try Files.write("[tap]\nslop-px = 14\n", to: user + ".new")
      rename(user + ".new", user)
      #expect(says("settings read again from \(user)"))
      // A mistake: one warning with its place, and the old settings stay.
      try Files.write("[tap]\n\nslop-px = wide\n", to: user)
      #expect(says("warning: \(user):3: 'slop-px' takes a number from 0 to 500, not 'wide'; the settings stay"))
      // Said again when somebody asks.
      engine.signal(SIGHUP)
      #expect(says("\(user):3:"))
      // A link to a file elsewhere, which is then written there.
      unlink(user)
      try Files.write("[tap]\nslop-px = 15\n", to: folder + "/elsewhere/mine")
      symlink(folder + "/elsewhere/mine", user)
      #expect(says("settings read again from \(user)"))
      try Files.write("[tap]\nslop-px = 16\n", to: folder + "/elsewhere/mine")
      #expect(says("settings read again from \(user)"))
      // Gone with its directory.
      unlink(user)
      rmdir(folder + "/user/carry")
      #expect(says("settings read again from \(system)"))
      unlink(system)
      #expect(says("there is no carry.conf any more"))
      #expect(engine.isRunning)
      #expect(engine.stop() == 0)
    }

    @Test("the engine serves while the settings' file system does not answer, and takes them when it does")
    func silentSettings() throws {
      guard let stuck = try StuckFile() else {
        return print("SKIPPED: no FUSE here, so no directory that does not answer")
      }
      let server = try PrivateXServer()
      let place = try TestFolder("silent")
      let folder = place.path
      let system = try place.makeFolder("system/carry") + "/carry.conf"
      try Files.write("[tap]\nslop-px = 11\n", to: system)
      let engine = try Engine(
        on: server.display,
        environment: [
          "XDG_CONFIG_HOME": stuck.silentPath, "XDG_CONFIG_DIRS": folder + "/system", "XDG_DATA_DIRS": folder + "/data",
        ], in: place)
      func says(_ words: String) -> Bool { engine.readLine(seconds: 30) { $0.contains(words) } != nil }
      #expect(says("carry.conf: its file system does not answer; until it does, the settings are the default ones"))
      func isServed() -> Bool {
        Wait.until(seconds: 20) { (try? Client(name: "patient", socket: engine.socket).synchronize()) != nil }
      }
      #expect(isServed())
      engine.signal(SIGHUP)
      #expect(isServed())
      stuck.answer()
      #expect(says("settings read again from \(system)"))
      #expect(engine.stop() == 0)
    }

    @Test("L1: settings that change apply to the next finger") func L1_settingsThatChangeApplyToTheNextFinger() throws {
      // Nothing would ever lift.
      let d = try Desktop(Traces.pressDragDrop, clients: 2, settings: "[lift]\ncompletes-ms = 10000\n")
      try d.engine.folder.write("[lift]\ncompletes-ms = 300\n", to: "carry.conf")
      #expect(d.engine.readLine { $0.contains("settings read again") } != nil)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"hello\"") })
      withExtendedLifetime(source) {}
    }
  }

  @Suite(.serialized) struct Replaying {
    /// What appears on a terminal of its own where `script` runs a command, up to the command's end.
    private func onTerminal(_ command: String) throws -> String {
      let p = try ChildProcess(["script", "-qec", "\(command); echo THE-END", "/dev/null"], output: .pipe)
      let text = p.remainingLines().joined(separator: "\n")
      #expect(text.hasSuffix("THE-END\r"))
      return String(text.dropLast(8))
    }

    @Test func aLongReplayShowsHowFarItIsOnATerminalOnly() throws {
      let carry = try Checkout.program("carry")
      let long = "'\(carry)' replay '\(Checkout.fixtures)/traces/press-drag-drop.gestures'"
      let seen = try onTerminal(long)
      #expect(seen.contains("press-drag-drop.gestures [==") && seen.contains("% ") && seen.contains(" of 1.6 s"))
      // Lines that are printed in between are whole, and no bar stays.
      let clear = "\r\u{1B}[K"
      // As a string a terminal's end of a line is one character.
      let lines = seen.utf8.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self).split(separator: clear, omittingEmptySubsequences: false).last ?? ""
      }
      #expect(!lines.contains { $0.contains(" of 1.6 s") })
      #expect(lines.contains { $0.hasPrefix("     0.500  lifted                  1      200      400") })
      #expect(lines.contains { $0.hasPrefix("     1.600  contact-ended") } && seen.contains(clear))
      #expect(try onTerminal("\(long) 2>&1 >/dev/null | cat").isEmpty)
      // What is over in a moment shows nothing.
      #expect(try onTerminal("'\(carry)' replay '\(Checkout.fixtures)/traces/tap.gestures' > /dev/null").isEmpty)
      #expect(try onTerminal(long + " --fast > /dev/null").isEmpty)
    }
  }
}
