import CInputTest
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// K7 with real touches: whoever's window lies below, a finger on a carried stack is seen.
@Suite(.serialized) struct HandOffTouchTests {
  @Test(
    "K7, Z4: a finger on the carried stack takes over, above a held window and above any other",
    arguments: [(300.0, 180.0), (800.0, 300.0), (600.0, 600.0)])
  func K7_Z4_aFingerOnTheStackTakesOver(x: Double, y: Double) throws {
    let s = try GateTests.Scene()
    #expect(s.lift(1, 200, 150))
    for i in 1...10 {
      s.server.move(1, 200 + (x - 200) * Double(i) / 10, 150 + (y - 150) * Double(i) / 10)
    }
    #expect(s.run { s.source.calls.contains("willBegin") && abs(s.source.moved.x - (x - 100)) < 2 })
    s.server.down(2, x + 12, y + 5)
    // A tap would be over by then.
    s.rest(seconds: 0.4)
    s.server.up(1, x, y)
    s.server.move(2, x + 100, y + 50)
    #expect(s.run { abs(s.source.moved.x - x) < 2 && abs(s.source.moved.y - (y + 50 - 100)) < 2 }, "\(s.source.moved)")
    #expect(!s.source.calls.contains { $0.hasPrefix("didEnd") })
    s.server.up(2, x + 100, y + 50)
    #expect(s.run { s.source.calls.last == "didEnd(cancel)" })
    // The application whose touches are held gets neither.
    #expect(s.app.kinds.isEmpty)
  }
}
