import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension GateTests {
  @Test("Z7: Esc cancels what is carried, where Alt+Esc is the desktop's as well, and is everybody's own otherwise")
  func Z7_escCancelsWhatIsCarried() throws {
    let s = try Scene()
    let watcher = try #require(XClient(s.server.display))
    XSelectInput(watcher.connection, CX11.Window(s.app.window), CLong(KeyPressMask))
    XSetInputFocus(watcher.connection, CX11.Window(s.app.window), CInt(RevertToPointerRoot), UInt(CurrentTime))
    XSync(watcher.connection, 0)
    func presses() -> Int {
      XSync(watcher.connection, 0)
      var event = XEvent()
      var n = 0
      while XCheckMaskEvent(watcher.connection, CLong(KeyPressMask), &event) != 0 { n += 1 }
      return n
    }
    // As many a desktop does.
    XGrabKey(
      watcher.connection, CInt(XKeysymToKeycode(watcher.connection, KeySym(XK_Escape))), UInt32(Mod1Mask),
      XDefaultRootWindow(watcher.connection), 0, GrabModeAsync, GrabModeAsync)
    let escape: CInt = 1  // KEY_ESC
    try s.server.press(escape)
    #expect(Wait.until { presses() == 1 })

    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    try s.server.press(escape)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(presses() == 0)
    // The finger that carried goes on as nobody's; a new one may lift, and Esc is the application's again.
    s.server.up(1, 260, 150)
    try s.server.press(escape)
    #expect(Wait.until { presses() == 1 })
    s.server.down(2, 200, 150)
    #expect(s.run { s.source.calls.count { $0 == "begin" } == 2 })
    s.server.up(2, 200, 150)
  }

  /// A window over the whole screen that no window manager manages.
  private func cover(_ client: XClient) -> UInt {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    return XCreateWindow(
      client.connection, XDefaultRootWindow(client.connection), 0, 0, UInt32(XDisplayWidth(client.connection, 0)),
      UInt32(XDisplayHeight(client.connection, 0)), 0, 0, UInt32(InputOutput), nil, UInt(CWOverrideRedirect),
      &attributes)
  }

  @Test("Z7: a drag is cancelled when the screen locks")
  func Z7_aLockedScreen() throws {
    let s = try Scene()
    let locker = try #require(XClient(s.server.display))
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    let window = cover(locker)
    XMapWindow(locker.connection, window)
    XSync(locker.connection, 0)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    s.server.up(1, 260, 150)
  }

  @Test("Z7: an overlay over the whole screen that lets input through cancels nothing")
  func Z7_anOverlay() throws {
    let s = try Scene()
    let other = try #require(XClient(s.server.display))
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    let window = cover(other)
    XShapeCombineRectangles(other.connection, window, ShapeInput, 0, 0, nil, 0, ShapeSet, 0)
    XMapWindow(other.connection, window)
    XSync(other.connection, 0)
    // The engine accepts a region on a later window once the X server has told it of both.
    let later = try Application(s.server, CarryModel.Rect(x: 600, y: 600, width: 50, height: 50))
    let fence = Region(client: s.client, window: later.window, frame: Carry.Rect(x: 0, y: 0, width: 50, height: 50))
    try s.client.synchronize()
    #expect(fence.refusal == nil)
    // A drag that was cancelled hears of no motion.
    s.server.move(1, 700, 650)
    #expect(s.run { s.source.moved.x > 500 })
    s.server.up(1, 700, 650)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test("Z7: a full-screen window cancels nothing") func Z7_aFullScreenWindow() throws {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    let full = try Application(s.server, CarryModel.Rect(x: 0, y: 0, width: 4000, height: 4000))
    s.server.move(1, 700, 650)
    #expect(s.run { s.source.moved.x > 500 })
    #expect(!s.source.calls.contains("didEnd(cancel)"))
    s.server.up(1, 700, 650)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    _ = full
  }
}
