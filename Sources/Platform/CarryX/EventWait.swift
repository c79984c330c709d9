import CLinux
import CX11
package import CarryModel
import CarrySystem

/// Waits for the X server and one other descriptor.
package enum EventWait {
  /// Returns when there are events, when the descriptor is readable, or at the deadline.
  ///
  /// - Parameter deadline: nil to wait without a timeout.
  package static func wait(for display: OpaquePointer, and descriptor: CInt, until deadline: Instant?) {
    // A request to the server may have read events, for which the connection does not become readable.
    guard XEventsQueued(display, CInt(QueuedAlready)) == 0 else { return }
    var fds = [
      pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).microseconds / 1000 + 1) }
    poll(&fds, 2, timeout.map { CInt(clamping: $0) } ?? -1)
  }
}
