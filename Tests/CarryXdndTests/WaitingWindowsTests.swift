import CarryXdnd
import Testing

/// T29: the bridge asks about windows after what else has come.
@Suite struct WaitingWindowsTests {
  @Test("Z1: windows wait once each, in their order, and with the newest parent") func Z1_order() {
    var waiting = WaitingWindows()
    waiting.append(1, newIn: 10)
    waiting.append(2, newIn: nil)
    waiting.append(3, newIn: 10)
    waiting.append(1, newIn: 11)
    waiting.append(1, newIn: nil)
    waiting.remove(3)
    let (first, second) = (waiting.next(), waiting.next())
    #expect(first?.window == 1 && first?.parent == 11)
    #expect(second?.window == 2 && second?.parent == nil && waiting.next() == nil && waiting.isEmpty)
  }

  @Test("windows that come and go without end while others wait leave nothing behind") func endless() {
    var waiting = WaitingWindows()
    waiting.append(1, newIn: 10)
    for window in UInt32(2)...100_000 {
      waiting.append(window, newIn: 10)
      waiting.remove(window)
    }
    #expect(waiting.length <= 65)
    // One that comes is asked about for each that came: somebody waits at all times.
    for window in UInt32(2)...100_000 {
      waiting.append(window, newIn: 10)
      #expect(waiting.next()?.window == window - 1)
    }
    #expect(waiting.length <= 65)
  }

  @Test("Z1: who is left keeps the order in a line that was tidied") func Z1_tidied() {
    var waiting = WaitingWindows()
    for window in UInt32(0)..<1000 { waiting.append(window, newIn: nil) }
    for window in UInt32(0)..<1000 where window % 10 != 0 { waiting.remove(window) }
    var order: [UInt32] = []
    while let (window, _) = waiting.next() { order.append(window) }
    #expect(order == (0..<100).map { $0 * 10 })
  }
}
