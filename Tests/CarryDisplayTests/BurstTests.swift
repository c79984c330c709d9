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
