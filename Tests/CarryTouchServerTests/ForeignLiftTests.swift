import CInputTest
import CX11
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Z23: touches lift out of programs that know nothing of Carry.
@Suite(.serialized) struct ForeignLiftTests {
  /// Xorg, the engine with its monitor, and a program of another toolkit from which something can be dragged by mouse.
  final class Scene {
    let server: TouchServer
    let engine: ChildProcess
    let monitor: ChildProcess
    let socket: String

    /// - Parameters:
    ///   - applications: what may be lifted out of.
    ///   - furnish: puts on the screen what is there before the engine.
    init(_ applications: String = "liftable-gtk3", furnish: (TouchServer) throws -> Void = { _ in }) throws {
      server = try TouchServer()
      try furnish(server)
      socket = server.folder + "/socket"
      let settings = server.folder + "/carry.conf"
      try Self.write("[lift]\napplications = \(applications)\n", to: settings)
      engine = try ChildProcess(
        [
          try Checkout.program("carryd"), "--display", server.display, "--socket", socket, "--config", settings,
          "--verbose",
        ], output: .pipe)
      try #require(engine.readLine { $0.contains("touch gate runs") } != nil, "no touch gate")
      monitor = try ChildProcess(
        [try Checkout.program("carry"), "monitor", "--json", "--with-engine", "--socket", socket], output: .pipe)
      try #require(engine.readLine { $0.contains("is carry monitor") } != nil, "the monitor did not connect")
    }

    deinit {
      // Before the X server goes.
      looker = nil
      engine.stop(SIGKILL)
    }

    static func write(_ text: String, to path: String) throws {
      let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      Output.write(text, to: fd.raw)
    }

    func isGuarded() -> Bool { engine.readLine { $0.contains("touches are held") } != nil }

    func target(_ more: String...) throws -> ChildProcess {
      try ChildProcess(
        [try Checkout.program("carry"), "drop", "--with-engine", "--json", "--geometry", "300x300+850+250"] + more,
        environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket], output: .pipe)
    }

    func step(_ event: String, seconds: Double = 15) -> String? {
      monitor.readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") }
    }

    /// A finger comes down and lifts. The engine has little time for it, so that a busy machine may need several tries.
    func lift(_ touch: UInt32, _ x: Double, _ y: Double) -> Bool {
      (0..<6).contains { _ in
        server.down(touch, x, y)
        if step("lifted", seconds: 4) != nil { return true }
        server.up(touch, x, y)
        return false
      }
    }

    /// A finger comes down and rests until the bridge has pressed; on a busy machine the first may be too late.
    ///
    /// - Returns: the finger, which is down; nil if nothing was pressed.
    func presses(_ x: Double, _ y: Double) -> UInt32? {
      for touch in UInt32(1)...6 {
        server.down(touch, x, y)
        let isPressed = Wait.until(seconds: 3) { (try? buttonIsDown()) == true }
        if isPressed { return touch }
        server.up(touch, x, y)
      }
      return nil
    }

    /// A finger lifts at 200,400 and carries to 600,400, and another one taps.
    ///
    /// - Returns: whether the tap added something.
    func liftsAndAdds(_ x: Double, _ y: Double) -> Bool {
      guard lift(1, 200, 400) else { return false }
      for x in stride(from: 210.0, through: 600, by: 30) { server.move(1, x, 400) }
      guard step("began") != nil else { return false }
      return (0..<6).contains { _ in
        server.down(2, x, y)
        server.up(2, x, y)
        return step("items-added", seconds: 4) != nil
      }
    }

    /// The finger goes on to the target, and lets go.
    func drops() -> Bool {
      server.move(1, 1000, 400)
      defer { server.up(1, 1000, 400) }
      return step("entered") != nil
    }

    /// The next thing that `carry drop` has received.
    func received(_ target: ChildProcess) -> String? {
      target.readLine(seconds: 20) { line in
        ["received", "failed"].contains { line.contains("\"event\": \"\($0)\"") }
      }
    }

    /// One connection for all looks at the buttons: a press is short, and a new connection takes long.
    private lazy var looker: XClient? = {
      guard let x = XClient(server.display), x.beginXInput() != nil else { return nil }
      return x
    }()

    /// Whether a button of the X server's own device for tests is down, which the bridge presses.
    func buttonIsDown() throws -> Bool {
      guard let x = looker else { throw Problem("no connection with XInput") }
      var count: CInt = 0
      guard let devices = XIQueryDevice(x.connection, XIAllDevices, &count) else { return false }
      defer { XIFreeDeviceInfo(devices) }
      return UnsafeBufferPointer(start: devices, count: Int(count)).contains { device in
        guard device.use == XISlavePointer, String(cString: device.name).contains("XTEST") else { return false }
        return (0..<Int(device.num_classes)).contains { i in
          guard let info = device.classes[i], info.pointee.type == XIButtonClass else { return false }
          let state = UnsafeRawPointer(info).assumingMemoryBound(to: XIButtonClassInfo.self).pointee.state
          return UnsafeBufferPointer(start: state.mask, count: Int(state.mask_len)).contains { $0 != 0 }
        }
      }
    }

    func pointer() throws -> Point {
      let x = try #require(XClient(server.display))
      var (root, child): (Window, Window) = (0, 0)
      var (rootX, rootY, windowX, windowY): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
      var mask: UInt32 = 0
      XQueryPointer(
        x.connection, XDefaultRootWindow(x.connection), &root, &child, &rootX, &rootY, &windowX, &windowY, &mask)
      return Point(x: Double(rootX), y: Double(rootY))
    }

    var bridge: pid_t? {
      ProcessID.children(of: engine.pid).first { ProcessID.arguments(of: $0).contains("--bridge") }
    }
  }

  /// Lifts with a finger at 200,400, carries to a place and drops there.
  private func carry(_ s: Scene, to x: Double, _ y: Double) {
    #expect(s.lift(1, 200, 400), "nothing was lifted")
    // The X server's pointer follows the finger. The press has moved it, and has put it back.
    if let pointer = try? s.pointer() { #expect(pointer.distance(to: Point(x: 200, y: 400)) < 2) }
    for i in 1...10 { s.server.move(1, 200 + (x - 200) * Double(i) / 10, 400 + (y - 400) * Double(i) / 10) }
    #expect(s.step("entered") != nil, "the target was not entered")
    s.server.up(1, x, y)
  }

  @Test(
    "Z23: a long press lifts text out of a program that knows nothing of Carry, and it is dropped on a Carry target",
    arguments: ForeignPeer.Toolkit.allCases)
  func Z23_liftsText(toolkit: ForeignPeer.Toolkit) throws {
    let s = try Scene("liftable-\(toolkit.rawValue)")
    let target = try s.target()
    let peer = try ForeignPeer(s.server, ["text", "Grüße"], toolkit)
    #expect(s.isGuarded())
    carry(s, to: 1000, 400)
    #expect(s.received(target)?.contains("\"text\": \"Grüße\"") == true)
    #expect(peer.says(["dropped", "failed"]) == "dropped")
    #expect(try !s.buttonIsDown())
    // And once more.
    carry(s, to: 1000, 400)
    #expect(s.received(target)?.contains("\"text\": \"Grüße\"") == true)
  }

  @Test("Z23: files are lifted as files, several at once") func Z23_liftsFiles() throws {
    let s = try Scene()
    let target = try s.target()
    let paths = [s.server.folder + "/a note.txt", s.server.folder + "/b.bin"]
    for path in paths { try Scene.write("on the lake", to: path) }
    let peer = try ForeignPeer(s.server, ["files"] + paths)
    #expect(s.isGuarded())
    carry(s, to: 1000, 400)
    let one = s.received(target)
    let lines = [one, s.received(target)].compactMap { $0 }
    #expect(lines.contains { $0.contains("\"name\": \"a note.txt\"") && $0.contains("on the lake") }, "\(lines)")
    #expect(lines.contains { $0.contains("\"name\": \"b.bin\"") }, "\(lines)")
    #expect(peer.says(["dropped", "failed"]) == "dropped")
  }

  @Test("Z23: what was lifted is dropped on a program that knows nothing of Carry either")
  func Z23_dropsOnXdnd() throws {
    let s = try Scene()
    let source = try ForeignPeer(s.server, ["text", "across"])
    #expect(s.isGuarded())
    let target = try ForeignPeer(s.server, ["850", "250"], named: "taker", source: "xdnd")
    carry(s, to: 1000, 400)
    #expect(target.process.readLine(seconds: 20) { $0.hasPrefix("got ") }?.contains("across") == true)
    #expect(source.says(["dropped", "failed"]) == "dropped")
  }

  @Test("Z23: a tap of another finger adds to what was lifted") func Z23_tapsAdd() throws {
    let s = try Scene()
    let target = try s.target()
    let peer = try ForeignPeer(s.server, ["text", "again"])
    #expect(s.isGuarded())
    #expect(s.liftsAndAdds(100, 300), "nothing was added")
    #expect(s.drops())
    #expect(s.received(target)?.contains("again") == true)
    #expect(s.received(target)?.contains("again") == true)
    withExtendedLifetime(peer) {}
  }

  @Test("Z23: a tap in a window of another program that knows nothing of Carry adds to what was lifted")
  func Z23_tapsAddFromOthers() throws {
    let s = try Scene("liftable-gtk3, liftable-qt6")
    let target = try s.target()
    let first = try ForeignPeer(s.server, ["text", "lake"])
    #expect(s.isGuarded())
    let second = try ForeignPeer(s.server, ["text", "hill"], .qt6, at: (450, 560))
    #expect(s.isGuarded())
    #expect(s.liftsAndAdds(600, 700), "nothing was added")
    #expect(s.drops())
    let texts = [s.received(target), s.received(target)].compactMap { $0 }
    #expect(texts.contains { $0.contains("lake") } && texts.contains { $0.contains("hill") }, "\(texts)")
    #expect(first.says(["dropped", "failed"]) == "dropped" && second.says(["dropped", "failed"]) == "dropped")
    #expect(try !s.buttonIsDown())
  }

  @Test("Z23: a lift beside a drag that hovers over another program costs that drag a pause")
  func Z23_twoFingers() throws {
    let s = try Scene()
    let source = try ForeignPeer(s.server, ["text", "both"])
    #expect(s.isGuarded())
    let target = try ForeignPeer(s.server, ["850", "250"], named: "taker", source: "xdnd")
    #expect(s.lift(1, 200, 400))
    for x in stride(from: 210.0, through: 930, by: 60) { s.server.move(1, x, 400) }
    #expect(target.says(["over"]) != nil)
    var isLeft = false
    let isLifted = (0..<6).contains { _ in
      s.server.down(2, 100, 300)
      isLeft = target.says(["left"]) != nil
      if s.step("lifted", seconds: 4) != nil { return true }
      // Too late, as a busy machine may be: the first finger hovers again before the next try.
      s.server.up(2, 100, 300)
      if isLeft { _ = target.says(["over"]) }
      return false
    }
    #expect(isLeft, "the target was not left before the lift")
    #expect(isLifted, "the second finger lifted nothing")
    #expect(target.says(["over"]) != nil, "the target was not entered again")
    s.server.up(1, 930, 400)
    #expect(target.process.readLine(seconds: 20) { $0.hasPrefix("got ") }?.contains("both") == true)
    for x in stride(from: 120.0, through: 1000, by: 60) { s.server.move(2, x, 400) }
    #expect(target.says(["over"]) != nil)
    s.server.up(2, 1000, 400)
    #expect(target.process.readLine(seconds: 20) { $0.hasPrefix("got ") }?.contains("both") == true)
    withExtendedLifetime(source) {}
  }

  /// A window that says it is of a program on the list, and in which nothing drags.
  private func still(_ s: Scene) throws -> Application {
    let app = try Application(s.server, Rect(x: 700, y: 100, width: 400, height: 400))
    let name = Array("liftable-gtk3\0Still\0".utf8)
    XChangeProperty(
      app.display, Window(app.window), Atom(XA_WM_CLASS), Atom(XA_STRING), 8, PropModeReplace, name, CInt(name.count))
    XSync(app.display, 0)
    return app
  }

  @Test("Z23: where nothing drags the application gets its touch whole, and within its time") func Z23_theTouchIsWhole()
    throws
  {
    let s = try Scene()
    let app = try still(s)
    #expect(s.isGuarded())
    s.server.down(1, 800, 200)
    #expect(s.engine.readLine { $0.contains("lift out of window") }?.contains("0 items") == true)
    #expect(app.got([XI_TouchBegin]))
    #expect(abs((app.events.first?.x ?? 0) - 100) < 2 && abs((app.events.first?.y ?? 0) - 100) < 2)
    s.server.move(1, 820, 220)
    #expect(app.got([XI_TouchBegin, XI_TouchUpdate]))
    s.server.up(1, 820, 220)
    #expect(Wait.until { app.kinds.last == XI_TouchEnd })
    // A tap there is a tap.
    app.forget()
    s.server.down(2, 800, 200)
    s.server.up(2, 800, 200)
    #expect(app.got([XI_TouchBegin, XI_TouchEnd]))
  }

  @Test("Z23: a list that changes counts at once, and without a list nothing is held")
  func Z23_theListChanges() throws {
    let s = try Scene("something-else, \u{20}LIFTABLE-gtk3")
    let app = try still(s)
    #expect(s.isGuarded())
    s.server.down(1, 800, 200)
    #expect(s.engine.readLine { $0.contains("lift out of window") } != nil)
    s.server.up(1, 800, 200)
    #expect(Wait.until { app.kinds.last == XI_TouchEnd })
    app.forget()
    try Scene.write("[lift]\napplications =\ncompletes-ms = 9000\n", to: s.server.folder + "/carry.conf")
    // From then on the touch comes at once; before it, it would come after nine seconds.
    var touch: UInt32 = 1
    let isFree = Wait.until(seconds: 20) {
      touch += 1
      s.server.down(touch, 800, 200)
      let isAtOnce = Wait.until(seconds: 0.5) { app.kinds.contains(XI_TouchBegin) }
      s.server.up(touch, 800, 200)
      _ = Wait.until { app.kinds.last == XI_TouchEnd }
      app.forget()
      return isAtOnce
    }
    #expect(isFree)
  }

  @Test("Z23: a button that rests under a finger is not clicked by the trial, and gets the touch after it")
  func Z23_aButtonIsNotClicked() throws {
    let s = try Scene("gtk3")
    let peer = try GtkPeer(gtk: 3, s.server, socket: nil)
    #expect(s.isGuarded())
    let place = peer.left.middle
    s.server.down(1, place.x, place.y)
    #expect(s.engine.readLine { $0.contains("lift out of window") }?.contains("0 items") == true)
    #expect(try !s.buttonIsDown())
    #expect(peer.count("clicked") == 0)
    // The button has had the whole touch: it is clicked as the finger goes up, once.
    s.server.up(1, place.x, place.y)
    #expect(peer.says("clicked left"))
    s.server.down(2, peer.right.middle.x, peer.right.middle.y)
    s.server.up(2, peer.right.middle.x, peer.right.middle.y)
    #expect(peer.says("clicked right"))
    #expect(peer.count("clicked") == 2, "\(peer.lines)")
  }

  @Test("Z23: a program that is not on the list is never pressed on, nor are its touches held") func Z23_notOnTheList()
    throws
  {
    let s = try Scene()
    let listed = try ForeignPeer(s.server, ["text", "listed"])
    #expect(s.isGuarded())
    let app = try Application(s.server, Rect(x: 700, y: 100, width: 400, height: 400))
    s.server.down(1, 800, 200)
    #expect(app.got([XI_TouchBegin]))
    // Longer than a lift takes.
    #expect(s.lift(2, 200, 400))
    s.server.up(2, 200, 400)
    s.server.up(1, 800, 200)
    #expect(app.got([XI_TouchBegin, XI_TouchEnd]), "\(app.kinds)")
    withExtendedLifetime(listed) {}
  }

  @Test("Z23: nothing is tried while a button of the mouse is down") func Z23_theMouseComesFirst() throws {
    let s = try Scene()
    let peer = try ForeignPeer(s.server, ["text", "no"])
    #expect(s.isGuarded())
    s.server.point(640, 700)
    s.server.button(true)
    s.server.down(1, 200, 400)
    #expect(s.engine.readLine { $0.contains("no lift is tried") }?.contains("button") == true)
    s.server.up(1, 200, 400)
    s.server.button(false)
    #expect(peer.process.isRunning)
  }

  @Test("Z23: a bridge that is killed during a lift leaves no button down", arguments: [0, 5, 20, 40, 80, 120, 160])
  func Z23_aKilledBridge(milliseconds: Int) throws {
    let s = try Scene()
    let peer = try ForeignPeer(s.server, ["text", "gone"])
    #expect(s.isGuarded())
    let bridge = try #require(s.bridge)
    // From the press on it is killed later and later.
    let touch = try #require(s.presses(200, 400), "nothing was pressed")
    _ = Wait.until(seconds: Double(milliseconds) / 1000) { false }
    kill(bridge, SIGKILL)
    #expect(Wait.until(seconds: 5) { (try? s.buttonIsDown()) == false }, "the button is down")
    s.server.up(touch, 200, 400)
    // The next bridge lifts again.
    #expect(Wait.until(seconds: 20) { s.bridge.map { $0 != bridge } ?? false })
    #expect(s.isGuarded())
    #expect(s.lift(9, 200, 400))
    #expect(peer.process.isRunning)
  }
}

/// A program that knows nothing of Carry: 300×300 pixels, at 50,250 or another place where it is a source.
final class ForeignPeer {
  enum Toolkit: String, CaseIterable {
    case gtk3, gtk4, qt6
  }

  let process: ChildProcess
  private static let folder = "/tmp/carry-lift-\(getpid())"

  /// - Parameters:
  ///   - what: its arguments; of a source without the place, as xdnd-source-gtk.c says.
  ///   - name: of the program, and so the instance of its windows.
  ///   - environment: of the program, instead of one without accessibility.
  init(
    _ server: TouchServer, _ what: [String], _ toolkit: Toolkit = .gtk3, named name: String? = nil,
    source: String = "xdnd-source", at place: (x: Int, y: Int) = (50, 250), environment: [String: String?] = [:]
  ) throws {
    let program = try PeerProgram.build(
      name ?? "liftable-\(toolkit.rawValue)", in: Self.folder, Self.command("\(Checkout.peers)/\(source)", toolkit))
    process = try ChildProcess(
      [program] + (source == "xdnd-source" ? ["\(place.x)", "\(place.y)"] : []) + what,
      environment: [
        "DISPLAY": server.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb",
        "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
      ].merging(environment) { $1 }, output: .pipe)
    try #require(process.readLine(seconds: 30) { $0 == "ready" } != nil, "the program did not start")
  }

  /// What compiles it.
  private static func command(_ source: String, _ toolkit: Toolkit) -> String {
    let (compiler, packages) =
      switch toolkit {
      case .gtk3: ("gcc -std=c11 '\(source)-gtk.c'", "gtk+-3.0")
      case .gtk4: ("gcc -std=c11 '\(source)-gtk.c'", "gtk4 x11")
      case .qt6: ("g++ -std=c++17 -fPIC '\(source)-qt.cpp'", "Qt6Widgets")
      }
    return "\(compiler) -Wall -Wextra -Werror $(pkg-config --cflags --libs \(packages))"
  }

  /// The next of some lines.
  func says(_ lines: [String]) -> String? { process.readLine(seconds: 10) { lines.contains($0) } }
}
