import CX11
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Z23: the accessibility tree forbids lifts where a press alone would do harm.
extension ForeignLiftTests {
  /// An accessibility bus on the test's screen, as desktops have one.
  private final class AccessibilityBus {
    private let session: ChildProcess
    private let launcher: ChildProcess
    /// Of programs that are on it.
    let environment: [String: String?]

    static let program = "/usr/libexec/at-spi-bus-launcher"

    init(_ s: Scene) throws {
      let folder = s.server.folder + "/bus"
      mkdir(folder, 0o700)
      var environment: [String: String?] = [
        "DISPLAY": s.server.display, "XDG_RUNTIME_DIR": folder, "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": nil,
        "AT_SPI_BUS_ADDRESS": nil, "WAYLAND_DISPLAY": nil,
      ]
      session = try ChildProcess(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], environment: environment, output: .pipe)
      let address = try #require(session.readLine(), "no session bus")
      environment["DBUS_SESSION_BUS_ADDRESS"] = address
      launcher = try ChildProcess([Self.program, "--launch-immediately"], environment: environment)
      self.environment = environment
      let x = try #require(XClient(s.server.display))
      try #require(Wait.until(seconds: 20) { x.hasProperty("AT_SPI_BUS", of: x.root) }, "no accessibility bus")
    }

    deinit {
      // It ends the accessibility bus, and that ends all who are on it.
      launcher.stop(SIGTERM)
      session.stop(SIGTERM)
    }
  }

  /// A program with a button and a text. What has been dropped stays where it was.
  private func peer(_ s: Scene, _ bus: AccessibilityBus, _ more: String...) throws -> ForeignPeer {
    try ForeignPeer(
      s.server, ["Grüße vom", "anderen"] + more, named: "accessible", source: "accessible",
      environment: bus.environment)
  }

  /// Rests a finger at a place until the tree has been heard about it: on a busy machine it may come too late, or the finger
  /// has gone by then.
  ///
  /// - Parameter words: what the engine's line has to contain.
  private func whatIsSaid(
    _ s: Scene, at x: Double, _ y: Double, _ words: String = "the accessibility tree says"
  ) -> String? {
    for touch in 1...60 {
      s.server.down(UInt32(touch), x, y)
      let line = s.engine.readLine { $0.contains("no lift is tried") || $0.contains("lift out of window") }
      s.server.up(UInt32(touch), x, y)
      if let line, line.contains("no lift is tried"), line.contains(words) { return line }
    }
    return nil
  }

  /// Carries away what a finger lifts, and lets go beside everything. On a busy machine the lift takes several tries.
  ///
  /// - Parameter word: what the engine has to say before each lift.
  private func carries(_ s: Scene, _ touch: UInt32, after word: String? = nil) -> Bool {
    let isLifted = (0..<6).contains { _ in
      s.server.down(touch, 200, 400)
      let isSaid = word.map { word in s.engine.readLine { $0.contains(word) } != nil } ?? true
      if isSaid, s.step("lifted", seconds: 4) != nil { return true }
      s.server.up(touch, 200, 400)
      return false
    }
    guard isLifted else { return false }
    for x in stride(from: 220.0, through: 600, by: 40) { s.server.move(touch, x, 400) }
    guard s.step("began") != nil else { return false }
    s.server.up(touch, 600, 400)
    return s.step("ended") != nil
  }

  @Test("Z23: where the accessibility tree says button nothing is pressed, and the button has its touch")
  func Z23_theTreeForbidsAButton() throws {
    guard Files.exists(AccessibilityBus.program) else { return print("SKIPPED: no at-spi-bus-launcher") }
    let s = try Scene("accessible")
    let bus = try AccessibilityBus(s)
    let peer = try peer(s, bus)
    #expect(s.isGuarded())
    let said = whatIsSaid(s, at: 200, 300)
    #expect(said?.contains("the accessibility tree says push button") == true, "\(said ?? "nothing was said")")
    #expect(try !s.buttonIsDown())
    #expect(peer.says(["clicked"]) != nil)
    // Nothing stays of a question, neither a connection nor a thread.
    let bridge = try #require(s.bridge)
    func kept() -> Int { ["fd", "task"].map { Files.list("/proc/\(bridge)/\($0)").count }.reduce(0, +) }
    let before = kept()
    for _ in 1...5 { #expect(whatIsSaid(s, at: 200, 300) != nil) }
    #expect(Wait.until(seconds: 10) { kept() <= before }, "\(kept()) descriptors and threads, \(before) before")
    withExtendedLifetime(bus) {}
  }

  @Test("Z23: a program that has a tree only from the first question on is asked again: its first press is no other")
  func Z23_aTreeThatWakes() throws {
    guard Files.exists(AccessibilityBus.program) else { return print("SKIPPED: no at-spi-bus-launcher") }
    let s = try Scene("accessible")
    let bus = try AccessibilityBus(s)
    let peer = try peer(s, bus, "asleep")
    #expect(s.isGuarded())
    // On a busy machine the answer comes too late, and the press is tried; or the finger has gone when it comes.
    var line: String?
    for touch in UInt32(1)...60 {
      var isLate = false
      s.server.down(touch, 200, 300)
      line = s.engine.readLine {
        isLate = isLate || $0.contains("does not answer in time") || $0.contains("too late") || $0.contains("busy")
        return $0.contains("no lift is tried") || $0.contains("lift out of window")
      }
      s.server.up(touch, 200, 300)
      if !isLate { break }
    }
    #expect(line?.contains("the accessibility tree says push button") == true, "\(line ?? "nothing was said")")
    withExtendedLifetime((bus, peer)) {}
  }

  @Test("Z23: nothing is pressed in a browser that does not say what is there")
  func Z23_aBrowserThatSaysNothing() throws {
    guard Files.exists(AccessibilityBus.program) else { return print("SKIPPED: no at-spi-bus-launcher") }
    let s = try Scene("accessible")
    let bus = try AccessibilityBus(s)
    let peer = try peer(s, bus, "browser")
    #expect(s.isGuarded())
    let said = whatIsSaid(s, at: 200, 300, "the browser does not describe this place yet")
    #expect(said != nil)
    withExtendedLifetime((bus, peer)) {}
  }

  @Test("Z23: where the accessibility tree says text only what is selected lifts")
  func Z23_onlySelectedTextLifts() throws {
    guard Files.exists(AccessibilityBus.program) else { return print("SKIPPED: no at-spi-bus-launcher") }
    let s = try Scene("accessible")
    let target = try s.target()
    let bus = try AccessibilityBus(s)
    let peer = try peer(s, bus)
    #expect(s.isGuarded())
    #expect(s.lift(1, 150, 370), "the selection does not lift")
    for x in stride(from: 200.0, through: 1000, by: 80) { s.server.move(1, x, 400) }
    #expect(s.step("entered") != nil)
    s.server.up(1, 1000, 400)
    let got = target.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") }
    #expect(got?.contains("Grüße vom") == true, "\(got ?? "nothing was received")")
    #expect(whatIsSaid(s, at: 150, 520)?.contains("the accessibility tree says text") == true)
    withExtendedLifetime((bus, peer)) {}
  }

  @Test("Z23: an accessibility bus that does not answer forbids nothing, and keeps no thread")
  func Z23_aBusThatHangs() throws {
    let s = try Scene()
    // It takes connections, and says nothing.
    let bus = try SocketListener(path: s.server.folder + "/hangs")
    let x = try #require(XClient(s.server.display))
    x.setText("AT_SPI_BUS", of: x.root, "unix:path=\(s.server.folder)/hangs")
    let peer = try ForeignPeer(s.server, ["text", "anyway"])
    #expect(s.isGuarded())
    let bridge = try #require(s.bridge)
    func threads() -> Int { Files.list("/proc/\(bridge)/task").count }
    let before = threads()
    for touch in UInt32(1)...3 {
      let isCarried = carries(s, touch, after: "the accessibility tree does not answer in time")
      #expect(isCarried, "the tree answered, nothing was lifted, or it was not carried")
    }
    // GLib keeps one thread of its own.
    #expect(Wait.until(seconds: 10) { threads() <= before + 1 }, "\(threads()) threads, \(before) before")
    #expect(s.bridge == bridge)
    withExtendedLifetime((bus, peer)) {}
  }

  /// What takes programs in as a bus does, and is none.
  private final class FalseBus {
    /// It says nothing more, it goes at the first question, or it names a file that programs should read to be taken in.
    enum Kind: CaseIterable { case silent, goes, namesAFile }

    /// The answer to `Hello`, the first message: a name.
    private static let hello: [UInt8] =
      [0x6C, 2, 0, 1, 9, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0, 5, 1, 0x75, 0, 1, 0, 0, 0, 8, 1, 0x67, 0, 1, 0x73, 0, 0]
      + [4, 0, 0, 0] + Array(":1.1".utf8) + [0]

    private let socket: SocketListener

    init(_ path: String, _ kind: Kind) throws {
      socket = try SocketListener(path: path)
      let raw = socket.descriptor
      // Who opens it to read waits for ever.
      try check("mkfifo") { mkfifo(path + "-pipe", 0o600) }
      let file = "../../../../../.." + path + "-pipe"
      try Worker.start {
        while true {
          var ready = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
          guard poll(&ready, 1, -1) == 1, ready.revents == POLLIN else { return }
          let client = accept(raw, nil, nil)
          if client >= 0, !Self.takesIn(client, kind, file) { close(client) }
        }
      }
    }

    deinit { shutdown(socket.descriptor, CInt(SHUT_RDWR)) }

    /// - Returns: whether the client stays.
    private static func takesIn(_ client: CInt, _ kind: Kind, _ file: String) -> Bool {
      var bytes = [UInt8](repeating: 0, count: 4096)
      func answers(_ answer: some Collection<UInt8>) -> Bool {
        send(client, Array(answer), answer.count, CInt(MSG_NOSIGNAL)) == answer.count
      }
      while case let n = recv(client, &bytes, bytes.count, 0), n > 0 {
        let line = String(decoding: bytes[..<n].drop { $0 == 0 }, as: UTF8.self)
        guard !line.isEmpty else { continue }
        var answer = "ERROR"
        if line.hasPrefix("l\u{1}") || line.hasPrefix("BEGIN") {
          guard line.contains("Hello") else { continue }
          return kind == .silent || (answers(hello) && recv(client, &bytes, 1, 0) < 0)
        } else if line.hasPrefix("AUTH DBUS_COOKIE_SHA1") {
          answer = "DATA " + "\(file) 1 00".utf8.map { String($0, radix: 16) }.joined()
        } else if kind == .namesAFile {
          answer = "REJECTED DBUS_COOKIE_SHA1"
        } else if line == "AUTH\r\n" {
          answer = "REJECTED EXTERNAL"
        } else if line.hasPrefix("AUTH") {
          answer = "OK 0123456789abcdef0123456789abcdef"
        }
        guard answers("\(answer)\r\n".utf8) else { return false }
      }
      return false
    }
  }

  @Test(
    "Z23: what takes programs in as an accessibility bus does keeps neither a thread nor a descriptor",
    arguments: FalseBus.Kind.allCases)
  private func Z23_falseBuses(kind: FalseBus.Kind) throws {
    let s = try Scene()
    let path = s.server.folder + "/false"
    let bus = try FalseBus(path, kind)
    let x = try #require(XClient(s.server.display))
    x.setText("AT_SPI_BUS", of: x.root, "unix:path=\(path)")
    let peer = try ForeignPeer(s.server, ["text", "anyway"])
    #expect(s.isGuarded())
    let bridge = try #require(s.bridge)
    func kept() -> Int { ["fd", "task"].map { Files.list("/proc/\(bridge)/\($0)").count }.reduce(0, +) }
    var before = 0
    for touch in UInt32(1)...6 {
      let word = kind == .silent ? "the accessibility tree does not answer in time" : nil
      let isCarried = carries(s, touch, after: word)
      #expect(isCarried, "the tree answered, nothing was lifted, or it was not carried")
      // GLib keeps what it has made for the first.
      if touch == 1 { before = kept() }
    }
    #expect(Wait.until(seconds: 10) { kept() <= before + 2 }, "\(kept()) descriptors and threads, \(before) before")
    // Opens only where somebody waits to read.
    #expect(clinux_open(path + "-pipe", O_WRONLY | O_NONBLOCK, 0) < 0, "the bridge reads what the bus has named")
    withExtendedLifetime((bus, peer)) {}
  }

  @Test(
    "Z23: what is no accessibility bus of this machine is not asked",
    arguments: [
      "", "autolaunch:", "tcp:host=127.0.0.1,port=9", "unix:path=/nonexistent", "unix:path=/dev/null;tcp:", "%",
    ])
  func Z23_oddBuses(address: String) throws {
    let s = try Scene()
    let x = try #require(XClient(s.server.display))
    x.setText("AT_SPI_BUS", of: x.root, address)
    let peer = try ForeignPeer(s.server, ["text", "anyway"])
    #expect(s.isGuarded())
    #expect(s.lift(1, 200, 400), "nothing was lifted")
    withExtendedLifetime(peer) {}
  }
}

extension XClient {
  fileprivate func hasProperty(_ name: String, of window: WindowID) -> Bool {
    var count: CInt = 0
    guard let atoms = XListProperties(connection, Window(window.raw), &count) else { return false }
    defer { XFree(atoms) }
    return UnsafeBufferPointer(start: atoms, count: Int(count)).contains(XInternAtom(connection, name, 0))
  }

  fileprivate func setText(_ name: String, of window: WindowID, _ text: String) {
    let bytes = Array(text.utf8)
    XChangeProperty(
      connection, Window(window.raw), XInternAtom(connection, name, 0), Atom(XA_STRING), 8, PropModeReplace, bytes,
      CInt(bytes.count))
    sync()
  }
}
