import CInputTest
import CX11
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Z23: touches lift out of programs that know nothing of Carry.
@Suite(.serialized) struct ForeignLiftTests {
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
    #expect(peer.isDropped())
    #expect(try !s.buttonIsDown())
    // And once more.
    carry(s, to: 1000, 400)
    #expect(s.received(target)?.contains("\"text\": \"Grüße\"") == true)
  }

  @Test("Z23: what is lifted and put down unmoved gets its context menu") func Z23_menu() throws {
    let s = try Scene()
    let peer = try ForeignPeer(s.server, ["text", "words"])
    #expect(s.isGuarded())
    #expect(s.lift(1, 200, 400))
    s.server.up(1, 200, 400)
    #expect(peer.says(["menu at 150,150"]) != nil)
    #expect(try !s.buttonIsDown())
  }

  @Test("Z23: files are lifted as files, several at once") func Z23_liftsFiles() throws {
    let s = try Scene()
    let target = try s.target()
    let paths = [s.server.folder + "/a note.txt", s.server.folder + "/b.bin"]
    for path in paths { try Files.write("on the lake", to: path) }
    let peer = try ForeignPeer(s.server, ["files"] + paths)
    #expect(s.isGuarded())
    carry(s, to: 1000, 400)
    let one = s.received(target)
    let lines = [one, s.received(target)].compactMap { $0 }
    #expect(lines.contains { $0.contains("\"name\": \"a note.txt\"") && $0.contains("on the lake") }, "\(lines)")
    #expect(lines.contains { $0.contains("\"name\": \"b.bin\"") }, "\(lines)")
    #expect(peer.isDropped())
  }

  @Test("Z23: what was lifted is dropped on a program that knows nothing of Carry either")
  func Z23_dropsOnXdnd() throws {
    let s = try Scene()
    let source = try ForeignPeer(s.server, ["text", "across"])
    #expect(s.isGuarded())
    let target = try ForeignPeer(s.server, ["850", "250"], named: "taker", source: "xdnd")
    carry(s, to: 1000, 400)
    #expect(target.process.readLine(seconds: 20) { $0.hasPrefix("got ") }?.contains("across") == true)
    #expect(source.isDropped())
  }

  @Test("Z23: a tap of another finger adds to what was lifted") func Z23_tapsAdd() throws {
    let s = try Scene()
    let target = try s.target()
    let peer = try ForeignPeer(s.server, ["text", "again"])
    #expect(s.isGuarded())
    #expect(s.liftsAndAdds(100, 340), "nothing was added")
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
    #expect(first.isDropped() && second.isDropped())
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
      s.server.down(2, 100, 340)
      isLeft = target.says(["left"]) != nil
      if s.step("lifted", seconds: 4) != nil { return true }
      // Too late, as a busy machine may be: the first finger hovers again before the next try.
      s.server.up(2, 100, 340)
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

  @Test("Z23: nothing is pressed where a window without a manager's decorations may have its own title bar")
  func Z23_titleBars() throws {
    let s = try Scene()
    let app = try still(s)
    func set(_ name: String, _ type: String, _ words: [UInt]) {
      _ = words.withUnsafeBytes {
        XChangeProperty(
          app.display, Window(app.window), XInternAtom(app.display, name, 0), XInternAtom(app.display, type, 0), 32,
          PropModeReplace, $0.baseAddress, CInt(words.count))
      }
      XSync(app.display, 0)
    }
    func press(_ y: Double) -> String? {
      s.server.down(1, 800, y)
      let line = s.engine.readLine { $0.contains("lift out of window") || $0.contains("no lift is tried") }
      s.server.up(1, 800, y)
      #expect(Wait.until { app.kinds.last == XI_TouchEnd })
      app.forget()
      return line
    }
    #expect(s.isGuarded())
    #expect(press(120)?.contains("0 items") == true)
    set("_MOTIF_WM_HINTS", "_MOTIF_WM_HINTS", [2, 0, 0, 0, 0])
    #expect(press(120)?.contains("that is a title bar") == true)
    #expect(press(160)?.contains("0 items") == true)
    // Twice as high where everything is.
    let resources = Array("Xft.dpi:\t192\n".utf8)
    XChangeProperty(
      app.display, XDefaultRootWindow(app.display), XInternAtom(app.display, "RESOURCE_MANAGER", 0), Atom(XA_STRING), 8,
      PropModeReplace, resources, CInt(resources.count))
    XSync(app.display, 0)
    #expect(press(160)?.contains("that is a title bar") == true)
    #expect(press(210)?.contains("0 items") == true)
    // The desktop has none, and files up there.
    set("_NET_WM_WINDOW_TYPE", "ATOM", [UInt(XInternAtom(app.display, "_NET_WM_WINDOW_TYPE_DESKTOP", 0))])
    #expect(press(120)?.contains("0 items") == true)
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
    try s.engine.folder.write("[lift]\napplications =\ncompletes-ms = 9000\n", to: "carry.conf")
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
    // Not where a window without a frame may have its title bar.
    let place = (x: peer.left.middle.x, y: peer.left.y + peer.left.height - 15)
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
