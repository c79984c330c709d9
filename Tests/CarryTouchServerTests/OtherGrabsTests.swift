import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The gate when others have a say as well: programs that hold the pointer, windows in windows, an engine that does
/// not read, a touchscreen that goes.
extension GateTests {
  private final class Target: DropInteractionDelegate {
    var items = 0
    var hasDropped = false
    func dropInteraction(_ i: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
      items = session.items.count
      return DropProposal(operation: .copy)
    }
    func dropInteraction(_ i: DropInteraction, performDrop session: DropSession) {
      items = session.items.count
      hasDropped = true
    }
  }

  /// A target that fills the other window.
  private func target(_ s: Scene) throws -> (Target, Carry.Region) {
    let target = Target()
    let region = Carry.Region(
      client: s.client, window: s.other.window, frame: Carry.Rect(x: 0, y: 0, width: 400, height: 400))
    region.addInteraction(DropInteraction(delegate: target))
    try s.client.synchronize()
    return (target, region)
  }

  private func drag(_ s: Scene, to x: Double, _ y: Double) {
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.move(1, x, y)
  }

  @Test(
    "Z4: while a program holds the pointer, as an open menu does, its touches are its own and lift nothing",
    arguments: [false, true])
  func Z4_whileAProgramHoldsThePointer(core: Bool) throws {
    let s = try Scene()
    let window = CX11.Window(s.other.window)
    if core {
      #expect(XGrabPointer(s.other.display, window, 0, 0xC, GrabModeAsync, GrabModeAsync, 0, 0, 0) == GrabSuccess)
      XSync(s.other.display, 0)
    } else {
      #expect(cinputtest_grab_device(s.other.display, window))
    }
    s.server.down(1, 200, 150)
    // Past the lift and past the gate's patience.
    s.rest(seconds: 0.8)
    s.server.move(1, 260, 150)
    s.server.up(1, 300, 150)
    if !core { #expect(Wait.until { s.other.kinds.first == XI_TouchBegin && s.other.kinds.last == XI_TouchEnd }) }
    // Of a grab of the pointer nothing certain comes after the touch.
    s.rest(seconds: 0.2)
    #expect(s.source.calls.isEmpty && s.app.kinds.isEmpty)
    // And when it has let go, all is as it was.
    if core { XUngrabPointer(s.other.display, 0) } else { #expect(cinputtest_ungrab_device(s.other.display)) }
    XSync(s.other.display, 0)
    // A touch that it never accepted is the next one's then, as it is without Carry.
    s.rest(seconds: 0.2)
    _ = s.app.kinds
    s.app.forget()
    s.server.down(2, 200, 150)
    s.server.up(2, 200, 150)
    #expect(s.app.got([XI_TouchBegin, XI_TouchEnd]))
    drag(s, to: 600, 600)
    s.server.up(1, 600, 600)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test("Z4, A4: a tap that the application was given before its answer came adds nothing")
  func Z4_A4_aTapThatTheApplicationWasGivenAddsNothing() throws {
    let s = try Scene()
    let (target, _) = try target(s)
    s.source.added = 1
    drag(s, to: 800, 300)
    #expect(s.run { target.items == 1 })
    // The application is slow, and another finger taps beside its region before it has answered.
    s.server.down(2, 300, 150)
    s.server.up(2, 300, 150)
    s.server.down(3, 200, 450)
    s.server.up(3, 200, 450)
    #expect(s.app.got([XI_TouchBegin, XI_TouchEnd, XI_TouchBegin, XI_TouchEnd]))
    #expect(s.run { s.source.calls.contains("add") })
    s.server.up(1, 800, 300)
    #expect(s.run { target.hasDropped })
    #expect(target.items == 1)
  }

  @Test("a finger that goes up after an engine has stood still for long carries no more")
  func aFingerThatGoesUpWhileTheEngineStandsStill() throws {
    let s = try Scene()
    drag(s, to: 600, 600)
    s.engine.signal(SIGSTOP)
    // More than the socket between gate and engine holds.
    for i in 0..<1500 { s.server.move(1, 600 + Double(i % 100), 600) }
    s.server.up(1, 600, 600)
    s.engine.signal(SIGCONT)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(s.app.kinds.isEmpty)
  }

  @Test("Z4: a tap that ended while the engine stood still is a tap, however late the engine hears of it")
  func Z4_aTapWhileTheEngineStoodStill() throws {
    let s = try Scene()
    for touch in UInt32(1)...3 {
      s.server.down(touch, 200, 150)
      #expect(Wait.until { s.app.kinds.isEmpty })
      s.engine.signal(SIGSTOP)
      s.server.up(touch, 200, 150)
      // As late as the engine hears of it.
      s.rest(seconds: 0.3)
      s.engine.signal(SIGCONT)
      #expect(s.app.got([XI_TouchBegin, XI_TouchEnd]))
      s.app.forget()
    }
    // The engine has decided about each before the application had it.
    try s.client.synchronize()
    #expect(s.source.calls.isEmpty)
  }

  @Test("a touchscreen that goes while it carries cancels; it does not drop")
  func aTouchscreenThatGoesWhileItCarriesCancels() throws {
    let s = try Scene()
    let (target, _) = try target(s)
    drag(s, to: 800, 300)
    #expect(s.run { target.items == 1 })
    #expect(s.app.setEnabled(false))
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(!target.hasDropped)
  }

  @Test("Z4: a touch in a guarded window inside another is decided once for both")
  func Z4_aTouchInAGuardedWindowInsideAnother() throws {
    let s = try Scene()
    let inner = XCreateSimpleWindow(s.app.display, CX11.Window(s.app.window), 50, 20, 200, 100, 0, 0, 0xFF)
    XMapWindow(s.app.display, inner)
    XSync(s.app.display, 0)
    let region = Carry.Region(
      client: s.client, window: UInt32(inner), frame: Carry.Rect(x: 0, y: 0, width: 200, height: 100))
    region.addInteraction(DragInteraction(delegate: s.source))
    try s.client.synchronize()
    #expect(s.engine.readLine { $0.contains("touches are held") } != nil)
    // Sooner than the gate's patience is over. On a busy machine one or another is late.
    let isSoon = (0..<5).contains { _ in
      s.server.down(2, 200, 150)
      s.server.up(2, 200, 150)
      if s.app.got([XI_TouchBegin, XI_TouchEnd], seconds: 0.4) { return true }
      _ = s.app.got([XI_TouchBegin, XI_TouchEnd])
      s.app.forget()
      return false
    }
    #expect(isSoon)
    s.app.forget()
    drag(s, to: 600, 600)
    s.server.up(1, 600, 600)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(s.app.kinds.isEmpty)
  }
}
