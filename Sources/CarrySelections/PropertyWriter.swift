import CLinux
import CXcb
import CarryModel
import CarrySystem
import Synchronization

/// Writes a large property while its bytes still come, on a connection of its own, and tells the requestor once all of them
/// have come.
///
/// The X server takes a request in only when it has come whole, so nobody sees a part. The last byte is kept back until all is
/// known to be right: where the bytes end too early the connection is closed, and the server forgets what it has of the request.
package final class PropertyWriter: @unchecked Sendable {
  private enum Phase {
    case writing
    /// The requestor hears of it, or has heard.
    case told
    case over
  }

  private let phase = Mutex(Phase.writing)
  private let display: String
  private let size: Int
  private let head: [UInt8]
  private let notice: [UInt8]
  private let opening = Mutex<AsideAnswer<WriterConnection?>?>(nil)
  /// From here on the writing thread's alone.
  private var written = 0
  private var hasFailed = false

  /// How long the X server is waited for in `finish` while it takes nothing: a program may have it for itself.
  static let patience = Interval.seconds(2)
  /// And after the last byte.
  private static let lastPatience = Interval.seconds(10)

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

  private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }

  /// Begins to open the connection: that takes the time of some round trips, in which the source gets ready. Any thread; never
  /// waits. Where there is no thread for it, `finish` fails.
  package func open() {
    let answer = try? AsideAnswer { [self] in isOver ? nil : WriterConnection(display, size, head) }
    opening.withLock { $0 = answer }
  }

  /// Some more bytes have come. Sends what the X server takes now; the rest waits for the next call, or for `finish`.
  ///
  /// - Parameter all: the bytes so far.
  package func write(_ all: UnsafeRawBufferPointer) {
    guard !hasFailed, let answer = opening.withLock({ $0 })?.get() else { return }
    guard all.count <= size, let connection = answer,
      send(all.prefix(size - 1), from: &written, to: connection, within: .zero)
    else { return fail() }
  }

  /// All bytes have come. Returns when the X server has taken them, or takes no more; on the thread that writes.
  package func finish(_ all: UnsafeRawBufferPointer) {
    guard !hasFailed, all.count == size,
      let connection = opening.withLock({ $0 })?.get(within: Self.patience) ?? nil,
      send(all.prefix(size - 1), from: &written, to: connection, within: Self.patience)
    else { return fail() }
    let goesOn = phase.withLock {
      if $0 == .writing { $0 = .told }
      return $0 == .told
    }
    let last = [UInt8](all.suffix(1)) + [UInt8](repeating: 0, count: (4 - size % 4) % 4) + notice
    var sent = 0
    guard goesOn, last.withUnsafeBytes({ send($0[...], from: &sent, to: connection, within: Self.patience) }) else {
      return fail()
    }
    connection.endWriting(within: Self.lastPatience)
    opening.withLock { $0 = nil }
  }

  /// Nothing is to be told any more, unless it has been told already. Any thread; never waits.
  ///
  /// - Returns: whether the requestor is told that its data is there.
  package func abandon() -> Bool {
    let isTold = phase.withLock {
      if $0 == .writing { $0 = .over }
      return $0 == .told
    }
    // The source may write nothing any more, and the load go on all the same.
    if !isTold { opening.withLock { $0 = nil } }
    return isTold
  }

  /// Whether the requestor hears of it, or has heard. Any thread.
  package var isTold: Bool { phase.withLock { $0 == .told } }

  private var isOver: Bool { phase.withLock { $0 == .over } }

  /// Sends what of some bytes has not been sent.
  ///
  /// - Parameters:
  ///   - sent: how many of them have been sent.
  ///   - time: how long the X server may take nothing.
  /// - Returns: false where nothing more can be sent, or something is left after that time; with no time all is well then.
  private func send(
    _ bytes: Slice<UnsafeRawBufferPointer>, from sent: inout Int, to connection: WriterConnection, within time: Interval
  ) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    var rested = MonotonicClock.now()
    while sent < bytes.count {
      if isOver { return false }
      guard let n = connection.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) else { return false }
      sent += n
      let now = MonotonicClock.now()
      if n > 0 { rested = now } else if now - rested >= time { return time == .zero } else { connection.wait() }
    }
    return true
  }

  /// The data goes on in the usual way, or is refused: who gives it asks with `abandon`.
  private func fail() {
    hasFailed = true
    phase.withLock { $0 = .over }
    opening.withLock { $0 = nil }
  }
}
