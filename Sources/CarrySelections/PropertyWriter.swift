import CLinux
import CXcb
import Synchronization

/// Writes a large property while its bytes still come, on a connection of its own, and tells the requestor once all of them
/// have come.
///
/// The X server takes a request in only when it has come whole, so nobody sees a part: where the bytes end too early the
/// connection is closed, and the server forgets what it has of the request.
package final class PropertyWriter: @unchecked Sendable {
  private enum Phase {
    case writing
    /// The requestor hears of it, or has heard.
    case told
    case abandoned
  }

  private let phase = Mutex(Phase.writing)
  private let display: String
  private let size: Int
  private let head: [UInt8]
  private let notice: [UInt8]
  /// From here on the writing thread's alone.
  private var connection: OpaquePointer?
  private var written = 0
  private var hasFailed = false

  /// How long the X server may take nothing, in milliseconds, before it is asked whether anybody still waits.
  private static let pause: CInt = 500
  /// How often in a row the server may be found busy after the last byte.
  private static let mostPauses = 20

  /// - Parameters:
  ///   - display: the X display's name.
  ///   - size: bytes, more than a request without BIG-REQUESTS has.
  ///   - notice: the event that the requestor is told by, of 32 bytes.
  init(display: String, _ size: Int, as type: UInt32, _ property: UInt32, of window: UInt32, notice: [UInt8]) {
    (self.display, self.size) = (display, size)
    // https://www.x.org/releases/current/doc/xproto/x11protocol.html, ChangeProperty and SendEvent, with the length of
    // https://www.x.org/releases/current/doc/bigreqsproto/bigreq.html
    var head: [UInt8] = [UInt8(XCB_CHANGE_PROPERTY), UInt8(XCB_PROP_MODE_REPLACE.rawValue), 0, 0]
    for word in [UInt32(7 + (size + 3) / 4), window, property, type, 8, UInt32(size)] { head += Self.bytes(word) }
    self.head = head
    self.notice = [UInt8(XCB_SEND_EVENT), 0, 11, 0] + Self.bytes(window) + Self.bytes(UInt32(0)) + notice
  }

  deinit { close() }

  private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }

  /// The next bytes. On a thread that may wait for the X server.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    guard bytes.count <= size - written, connection != nil || open(), send(bytes) else { return fail() }
    written += bytes.count
  }

  /// All bytes have come. Returns when the X server has taken them; on the thread that writes.
  package func finish() {
    guard !hasFailed, connection != nil, written == size else { return fail() }
    let padding = [UInt8](repeating: 0, count: (4 - size % 4) % 4)
    guard padding.withUnsafeBytes({ send($0) }) else { return fail() }
    let goesOn = phase.withLock {
      if $0 == .writing { $0 = .told }
      return $0 == .told
    }
    guard goesOn, notice.withUnsafeBytes({ send($0) }) else { return fail() }
    waitUntilTaken()
    close()
  }

  /// Nothing is to be told any more, unless it has been told already. Any thread; never waits.
  ///
  /// - Returns: whether the requestor is told that its data is there.
  package func abandon() -> Bool {
    phase.withLock {
      if $0 == .writing { $0 = .abandoned }
      return $0 == .told
    }
  }

  private var isAbandoned: Bool { phase.withLock { $0 == .abandoned } }

  private func open() -> Bool {
    let new = xcb_connect(display, nil)
    connection = new
    // Of requests as large as this one the server is told now, and the answer is waited for: nothing of xcb's is under way
    // any more when the first byte of ours goes.
    guard let new, xcb_connection_has_error(new) == 0,
      Int(xcb_get_maximum_request_length(new)) >= 7 + (size + 3) / 4
    else { return false }
    return head.withUnsafeBytes { send($0) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let fd = xcb_get_file_descriptor(connection)
    var rest = bytes
    while !rest.isEmpty {
      if isAbandoned { return false }
      let n = CLinux.send(fd, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      if n > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[n...])
      } else if n < 0 && clinux_errno() == EAGAIN {
        _ = isReady(fd, POLLOUT)
      } else if n == 0 || clinux_errno() != EINTR {
        return false
      }
    }
    return true
  }

  private func isReady(_ fd: CInt, _ events: CInt) -> Bool {
    var p = pollfd(fd: fd, events: Int16(events), revents: 0)
    return poll(&p, 1, Self.pause) > 0
  }

  /// The server closes the connection when it has read all. Were it closed here first, with an event unread, such as one
  /// about the keyboard's layout, the server could lose what it has not read.
  private func waitUntilTaken() {
    let fd = xcb_get_file_descriptor(connection)
    guard shutdown(fd, CInt(SHUT_WR)) == 0 else { return }
    let unread = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { unread.deallocate() }
    var pauses = 0
    while pauses < Self.mostPauses {
      guard isReady(fd, POLLIN) else {
        pauses += 1
        continue
      }
      let n = recv(fd, unread.baseAddress, unread.count, CInt(MSG_DONTWAIT))
      if n == 0 || n < 0 && clinux_errno() != EAGAIN && clinux_errno() != EINTR { return }
    }
  }

  private func fail() {
    hasFailed = true
    close()
  }

  private func close() {
    if let connection { xcb_disconnect(connection) }
    connection = nil
  }
}
