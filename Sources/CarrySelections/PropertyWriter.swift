import CLinux
import CXcb
import CarryModel
import CarrySystem
import Synchronization

/// Writes a large property while its bytes are still arriving, over its own connection, and notifies the requestor
/// once all have arrived.
///
/// The X server handles a request only when it is complete, so a partial value is never visible. The last byte is
/// withheld until the data is known to be correct: if it ends early, the connection is closed and the server discards
/// the incomplete request. This object stores none of the data.
package final class PropertyWriter: @unchecked Sendable {
  private enum Phase {
    case writing
    /// The requestor has been notified, or is about to be.
    case told
    case over
    /// The data could not be written, or did not match its announcement.
    case failed
  }

  private let phase = Mutex(Phase.writing)
  /// The type of the data, as an atom.
  let type: UInt32
  private let display: String
  private let size: Int
  private let head: [UInt8]
  private let notice: [UInt8]
  private let opening = Mutex<AsideAnswer<WriterConnection?>?>(nil)
  /// Below: used only by the writing thread.
  private var written = 0
  /// The withheld last byte.
  private var last: UInt8?

  /// How long the X server may accept nothing: a program may have grabbed it.
  static let patience = Interval.seconds(2)
  /// The timeout after the last byte.
  private static let lastPatience = Interval.seconds(10)

  /// - Parameters:
  ///   - display: The X display's name.
  ///   - size: In bytes; larger than a request without BIG-REQUESTS.
  ///   - notice: The event that notifies the requestor, 32 bytes long.
  init(display: String, _ size: Int, as type: UInt32, _ property: UInt32, of window: UInt32, notice: [UInt8]) {
    (self.display, self.size) = (display, size)
    // https://www.x.org/releases/current/doc/xproto/x11protocol.html, ChangeProperty and SendEvent, with the length of
    // https://www.x.org/releases/current/doc/bigreqsproto/bigreq.html
    var head: [UInt8] = [UInt8(XCB_CHANGE_PROPERTY), UInt8(XCB_PROP_MODE_REPLACE.rawValue), 0, 0]
    for word in [UInt32(7 + (size + 3) / 4), window, property, type, 8, UInt32(size)] { head += Self.bytes(word) }
    self.head = head
    self.type = type
    self.notice = [UInt8(XCB_SEND_EVENT), 0, 11, 0] + Self.bytes(window) + Self.bytes(UInt32(0)) + notice
  }

  private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }

  /// Starts opening the connection, which takes some round trips while the source gets ready. Any thread; never
  /// blocks. If there is no thread for it, `write` fails.
  func open() {
    let answer = try? AsideAnswer { [self] in isOver ? nil : WriterConnection(display, size, head) }
    opening.withLock { $0 = answer }
  }

  /// Writes more bytes. Returns when they have been sent to the X server; on the writing thread.
  ///
  /// - Throws: If there are more than announced, the server accepts nothing, or the data is no longer wanted.
  package func write(_ part: UnsafeRawBufferPointer) throws(NobodyTakesIt) {
    guard let end = part.last else { return }
    let all = written + part.count
    guard all <= size, let connection = connection else { throw fail() }
    if all == size { last = end }
    try send(UnsafeRawBufferPointer(rebasing: all == size ? part.dropLast() : part[...]), to: connection)
    written = all
  }

  /// Finishes after all bytes. Returns when the X server has read them, or reads no more; on the writing thread.
  ///
  /// - Throws: If there are fewer than announced, or as `write` does.
  package func finish() throws {
    guard let last, let connection = connection else { throw fail() }
    let goesOn = phase.withLock {
      if $0 == .writing { $0 = .told }
      return $0 == .told
    }
    guard goesOn else { throw NobodyTakesIt() }
    let rest = [last] + [UInt8](repeating: 0, count: (4 - size % 4) % 4) + notice
    try rest.withUnsafeBytes { try send($0, to: connection) }
    connection.endWriting(within: Self.lastPatience)
    opening.withLock { $0 = nil }
  }

  private var connection: WriterConnection? { opening.withLock { $0 }?.get(within: Self.patience) ?? nil }

  /// Cancels the notification unless it has been sent. Any thread; never blocks.
  ///
  /// - Returns: Whether the requestor is notified.
  func abandon() -> Bool {
    let isTold = phase.withLock {
      if $0 == .writing { $0 = .over }
      return $0 == .told
    }
    // The source may write nothing more while the load continues.
    if !isTold { opening.withLock { $0 = nil } }
    return isTold
  }

  /// Whether the requestor has been notified, or is about to be. Any thread.
  package var isTold: Bool { phase.withLock { $0 == .told } }

  private var isOver: Bool { phase.withLock { $0 == .over } }

  /// How many bytes have arrived. On the writing thread, or after it has ended.
  package var count: Int { written }

  /// Whether the data may be delivered in another way. Any thread.
  package var hasFailed: Bool { phase.withLock { $0 == .failed } }

  private func send(_ bytes: UnsafeRawBufferPointer, to connection: WriterConnection) throws(NobodyTakesIt) {
    var (sent, rested) = (0, MonotonicClock.now())
    while sent < bytes.count {
      guard !isOver, let n = connection.send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) else { throw fail() }
      sent += n
      let now = MonotonicClock.now()
      if n > 0 { rested = now } else if now - rested >= Self.patience { throw fail() } else { connection.wait() }
    }
  }

  private func fail() -> NobodyTakesIt {
    phase.withLock { if $0 != .over { $0 = .failed } }
    opening.withLock { $0 = nil }
    return NobodyTakesIt()
  }
}
