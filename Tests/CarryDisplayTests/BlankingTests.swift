import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import Testing

extension DisplayTests {
  /// The X Present extension of a real server, which has a clock of its own where there is no output.
  @Suite struct Blanking {
    private func list(x: Int32) -> DrawList {
      var list = DrawList()
      list.surfaces = [Surface(id: SurfaceID(1))]
      (list.surfaces[0].x, list.surfaces[0].width, list.surfaces[0].height) = (x, 100, 100)
      return list
    }

    @Test("Frames follow the output that shows the stack, as the server tells") func theServerTells() throws {
      let desk = try Desk()
      let output = try #require(desk.display.outputs.first)
      let now = MonotonicClock.now()
      let requests = desk.display.requestCount
      let before = desk.display.pace(of: list(x: 20), at: now)
      #expect(before == FramePace(interval: output.refreshInterval))
      #expect(desk.wait { desk.display.pace(of: list(x: 20), at: now).blank != nil })
      let blank = try #require(desk.display.pace(of: list(x: 20), at: now).blank)
      #expect(abs((blank - MonotonicClock.now()).seconds) < 1)
      // A window, what it wants to hear, one question; what is known is asked again after some time only.
      let asked = desk.display.requestCount
      #expect(asked - requests <= 4)
      for _ in 0..<100 { _ = desk.display.pace(of: list(x: 40), at: blank) }
      #expect(desk.display.requestCount == asked)
      _ = desk.display.pace(of: list(x: 40), at: blank + .milliseconds(300))
      #expect(desk.display.requestCount == asked + 1)
      // What no output shows asks nothing.
      #expect(desk.display.pace(of: list(x: 9000), at: now).blank == nil)
      #expect(desk.display.pace(of: DrawList(), at: now).blank == nil)
    }
  }
}
