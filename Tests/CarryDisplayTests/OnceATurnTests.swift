import CX11
import CarryDisplay
import CarryModel
import CarryTesting
import Testing

extension DisplayTests {
  /// What others change as often as they like is looked at once a turn.
  @Suite struct OnceATurn {
    @Test("the shape of a window that changes a hundred times is asked for a few times, and is the last one")
    func shapes() throws {
      let desk = try Desk()
      let window = desk.client.makeWindow(Rect(x: 0, y: 0, width: 200, height: 200))
      desk.settle()
      let before = desk.display.requestCount
      for i in 1...100 {
        desk.client.setShape(window, .input, [Rect(x: 0, y: 0, width: Double(i), height: 100)])
      }
      desk.settle()
      let asked = desk.display.requestCount - before
      #expect(asked < 60, "\(asked)")
      #expect(desk.display.windows.inputShape(of: window) == [Rect(x: 0, y: 0, width: 100, height: 100)])
      // Many parts in many parts.
      func comb(_ horizontal: Bool) -> [Rect] {
        (0..<300).map { i in
          let at = Double(i) * 0.66
          return horizontal
            ? Rect(x: 0, y: at.rounded(), width: 200, height: 1) : Rect(x: at.rounded(), y: 0, width: 1, height: 200)
        }
      }
      desk.client.setShape(window, .bounding, comb(true))
      desk.client.setShape(window, .input, comb(false))
      desk.settle()
      #expect((desk.display.windows.inputShape(of: window) ?? []).count <= 512)
      #expect(desk.display.windows.window(at: Point(x: 10, y: 10))?.window == window)
    }

    @Test("outputs that change many times are read once") func outputs() throws {
      let desk = try Desk(width: 1600, height: 1000)
      var changes: [DisplayChange] = []
      for i in 0..<20 {
        XRRSetScreenSize(
          desk.client.connection, UInt(desk.client.root.raw), i % 2 == 0 ? 1280 : 1600, i % 2 == 0 ? 800 : 1000, 400,
          250)
      }
      desk.client.sync()
      let isTold = Wait.until(descriptor: desk.display.fileDescriptor) {
        desk.display.dispatch { changes.append($0) }
        return changes.contains(.screenChanged)
      }
      #expect(isTold)
      desk.display.settle { changes.append($0) }
      #expect(changes.count { $0 == .screenChanged } <= 3, "\(changes)")
    }

    @Test("a compositing manager's selection that comes and goes is looked at once") func compositor() throws {
      let desk = try Desk()
      var changes: [DisplayChange] = []
      let atom = XInternAtom(desk.client.connection, "_NET_WM_CM_S0", 0)
      let owner = UInt(desk.client.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1)).raw)
      for _ in 0..<50 {
        XSetSelectionOwner(desk.client.connection, atom, owner, UInt(CurrentTime))
        XSetSelectionOwner(desk.client.connection, atom, 0, UInt(CurrentTime))
      }
      XSetSelectionOwner(desk.client.connection, atom, owner, UInt(CurrentTime))
      desk.client.sync()
      desk.display.settle { changes.append($0) }
      #expect(changes.count { $0 == .compositorChanged } == 1, "\(changes)")
      #expect(desk.display.isComposited)
    }
  }
}
