import CLinux
import CX11
package import CarryModel
import CarrySystem

/// Waits for the X server and for one thing more.
package enum EventWait {
  /// Returns when there are events, when the descriptor can be read, or when it is time.
  ///
  /// - Parameter deadline: nil to wait for the other two only.
  package static func wait(for display: OpaquePointer, and descriptor: CInt, until deadline: Instant?) {
    // Asking the server may have read events, and the connection does not become readable for those.
    guard XEventsQueued(display, CInt(QueuedAlready)) == 0 else { return }
    var fds = [
      pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).microseconds / 1000 + 1) }
    poll(&fds, 2, timeout.map { CInt(clamping: $0) } ?? -1)
  }
}
