import CX11
import Carry
import CarryCompanion
package import CarryModel
import CarrySystem
import CarryX

/// The shelf process, which the engine starts when a drag begins.
package enum ShelfProcess {
  /// How long the process runs without items.
  private static let staysIdle = Interval.seconds(30)
  /// How many X events are handled in a row: any program can send any number.
  private static let maxEvents = 256

  /// Runs until the shelf has been empty for a while, or the engine or the X server disconnects.
  ///
  /// - Parameter socket: The connection to the engine. The process takes ownership of it.
  package static func run(displayName: String?, engine socket: CInt) throws(Problem) {
    let window = try ShelfWindow(displayName)
    let engine: ShelfClient
    do { engine = try ShelfClient("Shelf", opened: socket) } catch { throw Problem(error.description) }
    let client = engine.client
    let shelf = Shelf(engine, window)
    var idleSince = MonotonicClock.now()
    while true {
      let now = MonotonicClock.now()
      shelf.advance(to: now)
      do { try client.dispatch() } catch { return }
      var left = maxEvents
      while left > 0, XPending(window.display) > 0 {
        left -= 1
        var event = XEvent()
        guard ServerEvents.take(from: window.display, into: &event) else { continue }
        if let click = window.click(event) { shelf.clicked(isDown: click.isDown, at: click.1) }
        if let pointing = window.pointing(event) { shelf.pointed(pointing) }
        switch window.change(event) {
        case .hidden: shelf.windowChanged(isHidden: true)
        case .covered: shelf.windowChanged(isHidden: false)
        // Without a window nothing on the shelf is accessible. The items' applications are notified when the process
        // ends.
        case .destroyed: throw Problem("another program has destroyed the shelf's window")
        case nil: break
        }
      }
      shelf.draw()
      XFlush(window.display)
      guard (try? client.flush()) != nil else { return }
      if !shelf.isIdle { idleSince = now }
      let ends = idleSince + staysIdle
      guard now < ends else { return }
      EventWait.wait(
        for: window.display, and: client.fileDescriptor, until: shelf.isIdle ? ends : shelf.deadline)
    }
  }
}
