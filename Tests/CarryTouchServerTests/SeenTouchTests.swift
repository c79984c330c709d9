import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Touches that are seen and not held: of cooperative applications, where another client holds them, and of fingers
/// that a panel loses for a moment.
extension GateTests {
  @Test("Z4, L1: a cooperative application has its touches at once and is told which a lift takes")
  func Z4_L1_aCooperativeApplicationIsToldWhichTouchALiftTakes() throws {
    var cancelled: [UInt32] = []
    let s = try Scene(waits: false) { $0.region.onTouchCancelled = { cancelled.append($0) } }
    s.server.down(1, 200, 150)
    #expect(s.app.got([XI_TouchBegin]), "it was held")
    let touch = try #require(s.app.events.first?.detail)
    #expect(s.run { cancelled == [touch] })
    #expect(s.source.calls == ["begin"])
    s.server.move(1, 260, 150)
    s.server.move(1, 600, 600)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.up(1, 600, 600)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(cancelled == [touch])
  }

  @Test("Z4, A1: a cooperative application is told of a tap that adds, and not of one that does not")
  func Z4_A1_aCooperativeApplicationIsToldOfATapThatAdds() throws {
    var cancelled: [UInt32] = []
    let s = try Scene(waits: false) { $0.region.onTouchCancelled = { cancelled.append($0) } }
    s.server.down(1, 200, 150)
    #expect(s.run { cancelled.count == 1 })
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.move(1, 600, 600)
    s.server.down(2, 300, 150)
    s.server.up(2, 300, 150)
    #expect(s.run { s.source.calls.count { $0 == "add" } == 1 })
    s.source.added = 1
    s.server.down(3, 300, 160)
    s.server.up(3, 300, 160)
    #expect(s.run { cancelled.count == 2 })
    #expect(s.app.kinds.count { $0 == XI_TouchBegin } == 3)
    #expect(cancelled.last == s.app.events.last { $0.type == XI_TouchBegin }?.detail)
    s.server.up(1, 600, 600)
  }

  @Test("Z4: where another client holds the touches of a window they are seen, and drags work all the same")
  func Z4_whereAnotherClientHoldsTheTouchesDragsWork() throws {
    let s = try Scene(waits: false) { #expect($0.app.grabTouches()) }
    #expect(s.engine.readLine { $0.contains("another client holds its touches") } != nil)
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    s.server.move(1, 600, 600)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.up(1, 600, 600)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test(
    "Z4, G10: a carrying finger that flickers outside the guarded windows goes on carrying", arguments: [false, true])
  func Z4_G10_aCarryingFingerThatFlickersGoesOn(inTheGuardedWindow: Bool) throws {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    let y = inTheGuardedWindow ? 160.0 : 650.0
    s.server.move(1, 300, y)
    s.server.up(1, 300, y)
    s.server.down(2, 302, y + 1)
    // Longer than the gate holds an undecided touch.
    s.rest(seconds: 0.8)
    #expect(!s.source.calls.contains { $0.hasPrefix("didEnd") })
    s.server.move(2, 330, y)
    s.server.up(2, 330, y)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(inTheGuardedWindow ? s.app.kinds.isEmpty : true)
  }

  @Test("Z4, G10: a cooperative application is told of the new touch of a carrying finger that flickered over it")
  func Z4_G10_aCooperativeApplicationIsToldOfAFingerThatFlickered() throws {
    var cancelled: [UInt32] = []
    let s = try Scene(waits: false) { $0.region.onTouchCancelled = { cancelled.append($0) } }
    s.server.down(1, 200, 150)
    #expect(s.run { cancelled.count == 1 })
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.move(1, 300, 150)
    s.server.up(1, 300, 150)
    s.server.down(2, 302, 151)
    #expect(s.run { cancelled.count == 2 })
    #expect(s.app.kinds.count { $0 == XI_TouchBegin } == 2)
    #expect(cancelled.last == s.app.events.last { $0.type == XI_TouchBegin }?.detail)
    #expect(!s.source.calls.contains { $0.hasPrefix("didEnd") })
    s.server.move(2, 330, 150)
    s.server.up(2, 330, 150)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test(
    "Z5: the coordinates are those of the X server's matrix, for touches held and only seen", arguments: [false, true])
  func Z5_theCoordinatesAreThoseOfTheMatrix(cooperative: Bool) throws {
    let s = try Scene(waits: !cooperative) { if cooperative { $0.region.onTouchCancelled = { _ in } } }
    // The panel is turned by half: what was right is left.
    #expect(s.app.setMatrix([-1, 0, 1, 0, -1, 1, 0, 0, 1]))
    #expect(s.engine.readLine { $0.contains("touchscreens changed") } != nil)
    s.server.down(1, TouchServer.size.width - 200, TouchServer.size.height - 150)
    #expect(s.run { s.source.calls.contains("begin") })
    s.server.up(1, TouchServer.size.width - 200, TouchServer.size.height - 150)
    s.server.down(2, 200, 150)
    // Long enough for a press to begin something.
    s.rest(seconds: 0.3)
    s.server.up(2, 200, 150)
    #expect(s.source.calls.count { $0 == "begin" } == 1)
  }

  @Test("Z5: turned while dragging, the drag ends where the finger is") func Z5_turnedWhileDragging() throws {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    #expect(s.app.setMatrix([-1, 0, 1, 0, -1, 1, 0, 0, 1]))
    #expect(s.engine.readLine { $0.contains("touchscreens changed") } != nil)
    s.server.move(1, 300, 300)
    #expect(s.run { s.source.moved.x > 800 })
    s.server.up(1, 300, 300)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test("Z5: the screen changes its size while dragging, and the drag goes on under the finger")
  func Z5_theScreenChangesItsSizeWhileDragging() throws {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    #expect(s.app.setMode(1024, 768))
    // The panel still covers all of the screen: three quarters of it are there now.
    s.server.move(1, TouchServer.size.width * 0.75, 400)
    #expect(s.run { abs(s.source.moved.x - (1024 * 0.75 - 100)) < 3 }, "\(s.source.moved)")
    #expect(s.app.setMode(1280, 800))
    s.server.move(1, 640, 410)
    #expect(s.run { abs(s.source.moved.x - 540) < 3 }, "\(s.source.moved)")
    s.server.up(1, 640, 410)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
  }

  @Test("Z5, G10: two touchscreens carry at the same time") func Z5_G10_twoTouchscreensCarryAtTheSameTime() throws {
    let s = try Scene()
    // On a busy machine a lift may be late, and its touch the application's: then both are tried again.
    let areLifted = try (0..<6).contains { _ in
      let before = s.source.lifts
      s.source.calls = []
      try s.server.useTouchscreen("touch")
      s.server.down(1, 200, 150)
      s.run { s.source.calls.contains("begin") }
      try s.server.useTouchscreen("touch2")
      s.server.down(1, 300, 150)
      if s.run(seconds: 3, until: { s.source.lifts == before + 2 }) { return true }
      s.server.up(1, 300, 150)
      try s.server.useTouchscreen("touch")
      s.server.up(1, 200, 150)
      // The application has both, unless one has lifted.
      s.run(seconds: 2) { s.app.kinds.count { $0 == XI_TouchEnd } == 2 }
      s.app.forget()
      return false
    }
    #expect(areLifted)
    #expect(s.source.calls.count { $0 == "begin" } == 2)
    s.server.move(1, 360, 150)
    s.server.move(1, 500, 600)
    #expect(s.run { s.source.calls.count { $0 == "willBegin" } == 1 })
    try s.server.useTouchscreen("touch")
    s.server.move(1, 260, 150)
    s.server.move(1, 800, 700)
    #expect(s.run { s.source.calls.count { $0 == "willBegin" } == 2 })
    s.server.up(1, 800, 700)
    #expect(s.run { s.source.calls.count { $0 == "didEnd(cancel)" } == 1 })
    try s.server.useTouchscreen("touch2")
    s.server.up(1, 500, 600)
    #expect(s.run { s.source.calls.count { $0 == "didEnd(cancel)" } == 2 })
    #expect(s.app.kinds.isEmpty)
  }

  @Test("Z5: a touchscreen that comes later has its touches held") func Z5_aTouchscreenThatComesLater() throws {
    let server = try TouchServer()
    let app = try Application(server, .init(x: 100, y: 100, width: 400, height: 400))
    #expect(app.setEnabled(false))
    let engine = try Engine(on: server.display)
    defer { engine.stop(SIGKILL) }
    // Without one it looks for nodes first.
    #expect(engine.readLine(seconds: 5) { $0.contains("no touchscreen") } != nil)
    #expect(app.setEnabled(true))
    #expect(engine.readLine(seconds: 5) { $0.contains("touch gate runs") } != nil)
  }
}
