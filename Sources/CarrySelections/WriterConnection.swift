import CLinux
import CXcb
import CarryModel
import CarrySystem

/// A connection to the X server on which one large request goes by and by.
///
/// Of xcb's own nothing is under way on it when the first byte goes, so that the bytes can go past xcb.
final class WriterConnection: @unchecked Sendable {
  private let raw: OpaquePointer

  /// How long it waits at a time for the server, in milliseconds: somebody may have given up meanwhile.
  private static let pause: CInt = 500

  /// Opens it, and waits for that.
  ///
  /// - Parameters:
  ///   - size: of the request's data, in bytes.
  ///   - head: the request's beginning.
  init?(_ display: String, _ size: Int, _ head: [UInt8]) {
    guard let raw = xcb_connect(display, nil) else { return nil }
    self.raw = raw
    // Of requests as large as this one the server is told now, and the answer is waited for.
    guard xcb_connection_has_error(raw) == 0, Int(xcb_get_maximum_request_length(raw)) >= 7 + (size + 3) / 4,
      head.withUnsafeBytes({ send($0) }) == head.count
    else { return nil }
  }

  deinit { xcb_disconnect(raw) }

  private var fd: CInt { xcb_get_file_descriptor(raw) }

  /// Never waits.
  ///
  /// - Returns: how many bytes it has sent, 0 where the server is behind; nil where it is gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      let n = CLinux.send(fd, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      if n >= 0 { return n }
      switch clinux_errno() {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }

  /// Waits until more may be sent, for a moment at most.
  func wait() { _ = isReady(POLLOUT) }

  private func isReady(_ events: CInt) -> Bool {
    var p = pollfd(fd: fd, events: Int16(events), revents: 0)
    return poll(&p, 1, Self.pause) > 0
  }

  /// Nothing more comes. The server closes the connection when it has read all. Were it closed here first, with an event unread,
  /// such as one about the keyboard's layout, the server could lose what it has not read.
  func endWriting(within time: Interval) {
    guard shutdown(fd, CInt(SHUT_WR)) == 0 else { return }
    let unread = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { unread.deallocate() }
    let end = MonotonicClock.now() + time
    while MonotonicClock.now() < end {
      guard isReady(POLLIN) else { continue }
      let n = recv(fd, unread.baseAddress, unread.count, CInt(MSG_DONTWAIT))
      if n == 0 || n < 0 && clinux_errno() != EAGAIN && clinux_errno() != EINTR { return }
    }
  }
}
