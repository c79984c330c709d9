import CX11
import CarryDisplay
import CarryModel
import CarryTesting
import Testing

extension DisplayTests {
  /// What other clients can repeat without end is looked at as often as there is an answer, not as often as it happens.
  @Suite struct Bursts {
    @Test("a window that changes its shape all the time is asked for it now and then, and for the last one")
    func shapes() throws {
      let desk = try Desk()
      let id = desk.client.makeWindow(Rect(x: 100, y: 100, width: 200, height: 200))
      desk.settle()
      let before = XNextRequest(desk.display.connection)
      for i in 1...300 {
        desk.client.setShape(id, .input, [Rect(x: 0, y: 0, width: Double(i % 100 + 1), height: 200)])
      }
      desk.client.setShape(id, .input, [Rect(x: 0, y: 0, width: 50, height: 200)])
      desk.client.sync()
      desk.settle()
      #expect(desk.display.windows.window(at: Point(x: 140, y: 150))?.window == id)
      #expect(desk.display.windows.window(at: Point(x: 160, y: 150))?.window != id)
      let asked = XNextRequest(desk.display.connection) - before
      #expect(asked < 200, "\(asked) requests for 301 changes")
    }

    @Test("windows that are made and destroyed all the time are not asked for, and are read in slices")
    func shortLivedWindows() throws {
      let desk = try Desk()
      desk.settle()
      let before = desk.display.requestCount
      for i in 1...2000 {
        desk.client.destroy(desk.client.makeWindow(Rect(x: 0, y: 0, width: Double(i % 9 + 1), height: 9)))
      }
      desk.client.sync()
      let last = desk.client.makeWindow(Rect(x: 300, y: 300, width: 100, height: 100))
      desk.client.sync()
      var slices = 0
      var destroyed = 0
      var largest = 0
      let isSeen = Wait.until {
        var inSlice = 0
        desk.display.dispatch { if case .windowDestroyed = $0 { inSlice += 1 } }
        destroyed += inSlice
        largest = max(largest, inSlice)
        slices += 1
        return desk.display.windows.window(at: Point(x: 350, y: 350))?.window == last
      }
      #expect(isSeen && destroyed == 2000)
      #expect(largest <= TurnBudget.most && slices >= 2000 / TurnBudget.most)
      let asked = desk.display.requestCount - before
      #expect(asked < 4000, "\(asked) requests for 2000 windows that are gone")
    }

    @Test("two shapes of many parts cost no more than a bound") func manyParts() throws {
      let desk = try Desk()
      let id = desk.client.makeWindow(Rect(x: 0, y: 0, width: 512, height: 512))
      let rows = (0..<500).map { Rect(x: 0, y: Double($0), width: Double(300 + $0 % 2), height: 1) }
      desk.client.setShape(id, .bounding, rows)
      desk.client.setShape(id, .input, rows)
      desk.client.sync()
      desk.settle()
      #expect(desk.display.windows.window(at: Point(x: 100, y: 100))?.window == id)
      #expect(desk.display.windows.window(at: Point(x: 400, y: 100))?.window != id)
    }
  }
}
