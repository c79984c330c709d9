import CLinux
import CXcb
import CarryModel
import CarrySystem

/// A connection to the X server for one large request that is sent incrementally.
///
/// xcb has no pending output when the first byte is sent, so the bytes can bypass xcb.
final class WriterConnection: @unchecked Sendable {
  private let raw: OpaquePointer

  /// The maximum wait for the server at a time, in milliseconds: the data may no longer be wanted.
  private static let pause: CInt = 500

  /// Opens the connection; blocks.
  ///
  /// - Parameters:
  ///   - size: The size of the request's data, in bytes.
  ///   - head: The beginning of the request.
  init?(_ display: String, _ size: Int, _ head: [UInt8]) {
    guard let raw = xcb_connect(display, nil) else { return nil }
    self.raw = raw
    // Negotiates the maximum request length and waits for the reply.
    guard xcb_connection_has_error(raw) == 0, Int(xcb_get_maximum_request_length(raw)) >= 7 + (size + 3) / 4,
      head.withUnsafeBytes({ send($0) }) == head.count
    else { return nil }
  }

  deinit { xcb_disconnect(raw) }

  private var fd: CInt { xcb_get_file_descriptor(raw) }

  /// Sends without blocking.
  ///
  /// - Returns: The number of bytes sent, 0 if the server's buffer is full; nil if the server is gone.
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

  /// Waits until more can be sent, up to `pause`.
  func wait() { _ = isReady(POLLOUT) }

  private func isReady(_ events: CInt) -> Bool {
    var p = pollfd(fd: fd, events: Int16(events), revents: 0)
    return poll(&p, 1, Self.pause) > 0
  }

  /// Shuts the connection down for writing. The server closes it after reading everything. Closing it here with an
  /// unread event, for example about the keyboard layout, could make the server discard unread data.
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
