import CInputTest
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The promise of `GateTests` under window managers, which grab buttons on the windows of applications.
extension GateTests {
  /// The application's windows as a window manager has them.
  private func managed(_ manager: String, takesTouches: Bool) throws -> (scene: Scene, manager: ChildProcess) {
    var process: ChildProcess?
    let s = try Scene(takesTouches: takesTouches) { s in
      process = try ChildProcess([manager], environment: ["DISPLAY": s.server.display, "HOME": s.server.folder])
      #expect(Wait.until(seconds: 20) { Self.corner(of: s.app).isManaged && Self.corner(of: s.other).isManaged })
    }
    return (s, try #require(process))
  }

  /// Where a window is on the screen, and whether a window manager has it in a frame.
  private static func corner(of app: Application) -> (x: Double, y: Double, isManaged: Bool) {
    var (x, y): (CInt, CInt) = (0, 0)
    var (root, parent, child): (Window, Window, Window) = (0, 0, 0)
    var children: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    XQueryTree(app.display, Window(app.window), &root, &parent, &children, &count)
    if let children { XFree(children) }
    XTranslateCoordinates(app.display, Window(app.window), root, 0, 0, &x, &y, &child)
    return (Double(x), Double(y), parent != root)
  }

  private static func active(_ app: Application) -> UInt32 {
    let connection = XGetXCBConnection(app.display)
    let atom = UInt32(XInternAtom(app.display, "_NET_ACTIVE_WINDOW", 0))
    let cookie = xcb_get_property(connection, 0, UInt32(XDefaultRootWindow(app.display)), atom, 0, 0, 1)
    guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return 0 }
    defer { free(reply) }
    guard xcb_get_property_value_length(reply) == 4 else { return 0 }
    return xcb_get_property_value(reply)?.load(as: UInt32.self) ?? 0
  }

  private static func activate(_ app: Application) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = Window(app.window)
    event.xclient.message_type = XInternAtom(app.display, "_NET_ACTIVE_WINDOW", 0)
    event.xclient.format = 32
    // A pager's request: managers do what the user wants.
    event.xclient.data.l = (2, 0, 0, 0, 0)
    XSendEvent(
      app.display, XDefaultRootWindow(app.display), 0, Int(SubstructureRedirectMask | SubstructureNotifyMask), &event)
    XSync(app.display, 0)
  }

  @Test(
    "Z4, L1: under a window manager a touch that lifts never reaches the application, and any other is whole",
    arguments: ["openbox", "icewm"], [true, false])
  func Z4_L1_underAWindowManager(manager: String, takesTouches: Bool) throws {
    let (s, process) = try managed(manager, takesTouches: takesTouches)
    defer { process.stop(SIGKILL) }
    let (x, y, _) = Self.corner(of: s.app)
    // Managers grab the buttons of windows that have no focus, and so do it anew.
    for touch in [UInt32(1), 11] {
      for window in [s.app, s.other] {
        Self.activate(window)
        #expect(Wait.until { Self.active(window) == window.window })
      }
      s.source.calls = []
      s.app.forget()
      #expect(s.lift(touch, x + 100, y + 50), "\(touch)")
      s.server.move(touch, x + 160, y + 50)
      #expect(s.run { s.source.calls.contains("willBegin") })
      s.server.move(touch, x + 60, y + 350)
      s.server.up(touch, x + 60, y + 350)
      #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
      #expect(s.app.kinds.isEmpty, "\(touch): \(s.app.kinds)")
      s.server.down(touch + 1, x + 100, y + 50)
      #expect(s.app.kinds.isEmpty, "\(touch + 1)")
      s.server.up(touch + 1, x + 100, y + 50)
      #expect(
        s.app.got(takesTouches ? [XI_TouchBegin, XI_TouchEnd] : [XI_ButtonPress, XI_ButtonRelease]),
        "\(touch + 1): \(s.app.kinds)")
    }
  }

  @Test(
    "Z4, L1: a window manager that comes to a window later than Carry keeps no touch from lifting",
    arguments: ["openbox", "icewm"])
  func Z4_L1_aManagerThatComesLater(manager: String) throws {
    let s = try Scene()
    let process = try ChildProcess([manager], environment: ["DISPLAY": s.server.display, "HOME": s.server.folder])
    defer { process.stop(SIGKILL) }
    #expect(Wait.until(seconds: 20) { Self.corner(of: s.app).isManaged && Self.corner(of: s.other).isManaged })
    // Of the frame, since the grabs of the manager on the window itself are newer than Carry's.
    try #require(s.engine.readLine { $0.contains("touches are held") } != nil, "the frame is not guarded")
    Self.activate(s.other)
    #expect(Wait.until { Self.active(s.other) == s.other.window })
    let (x, y, _) = Self.corner(of: s.app)
    #expect(s.lift(1, x + 100, y + 50))
    s.server.move(1, x + 160, y + 50)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.up(1, x + 160, y + 50)
    #expect(s.run { s.source.calls.contains { $0.hasPrefix("didEnd") } })
    #expect(s.app.kinds.isEmpty, "\(s.app.kinds)")
    s.server.down(2, x + 100, y + 50)
    s.server.up(2, x + 100, y + 50)
    #expect(s.app.got([XI_TouchBegin, XI_TouchEnd]), "\(s.app.kinds)")
  }
}
