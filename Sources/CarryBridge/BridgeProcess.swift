import CLinux
import CX11
import Carry
package import CarryModel
import CarrySystem

/// The process of the bridge, which the engine starts and watches.
package enum BridgeProcess {
  /// Runs until the engine or the X server is gone.
  ///
  /// - Parameter engine: the connection to the engine, which the process owns from now on.
  package static func run(displayName: String?, engine: CInt) throws(Problem) {
    let x = try XConnection(name: displayName)
    let client: Client
    do { client = try Client(bridge: "Other applications", opened: engine) } catch { throw Problem(error.description) }
    let bridge = Bridge(client, x)
    bridge.start()
    Log.info("the bridge runs")
    while true {
      let now = MonotonicClock.now()
      bridge.advance(to: now)
      do { try client.dispatch() } catch { return bridge.stop() }
      bridge.dispatch()
      // Requests to the X server, and answers that were made meanwhile.
      XFlush(x.display)
      guard (try? client.flush()) != nil else { return bridge.stop() }
      wait(for: client, x, until: bridge.nextDeadline)
    }
  }

  private static func wait(for client: Client, _ x: XConnection, until deadline: Instant?) {
    // Asking the server may have read events, and the descriptor does not become readable for those.
    guard XEventsQueued(x.display, CInt(QueuedAlready)) == 0 else { return }
    var fds = [
      pollfd(fd: XConnectionNumber(x.display), events: Int16(POLLIN), revents: 0),
      pollfd(fd: client.fileDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).microseconds / 1000 + 1) }
    poll(&fds, 2, timeout.map { CInt(clamping: $0) } ?? -1)
  }
}
