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
/// None of them is kept here.
package final class PropertyWriter: @unchecked Sendable {
  private enum Phase {
    case writing
    /// The requestor hears of it, or has heard.
    case told
    case over
    /// It could not be written, or was not what it was said to be.
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
  /// From here on the writing thread's alone.
  private var written = 0
  /// The last byte of all, which waits.
  private var last: UInt8?

  /// How long the X server is waited for while it takes nothing: a program may have it for itself.
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
    self.type = type
    self.notice = [UInt8(XCB_SEND_EVENT), 0, 11, 0] + Self.bytes(window) + Self.bytes(UInt32(0)) + notice
  }

  private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }

  /// Begins to open the connection: that takes the time of some round trips, in which the source gets ready. Any thread; never
  /// waits. Where there is no thread for it, `write` fails.
  func open() {
    let answer = try? AsideAnswer { [self] in isOver ? nil : WriterConnection(display, size, head) }
    opening.withLock { $0 = answer }
  }

  /// Some more bytes have come. Returns when they are on their way to the X server; on the thread that writes.
  ///
  /// - Throws: where they are more than was said, the server takes nothing, or nobody waits for them any more.
  package func write(_ part: UnsafeRawBufferPointer) throws(NobodyTakesIt) {
    guard let end = part.last else { return }
    let all = written + part.count
    guard all <= size, let connection = connection else { throw fail() }
    if all == size { last = end }
    try send(UnsafeRawBufferPointer(rebasing: all == size ? part.dropLast() : part[...]), to: connection)
    written = all
  }

  /// All bytes have come. Returns when the X server has taken them, or takes no more; on the thread that writes.
  ///
  /// - Throws: where they are fewer than was said, or as `write` does.
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

  /// Nothing is to be told any more, unless it has been told already. Any thread; never waits.
  ///
  /// - Returns: whether the requestor is told that its data is there.
  func abandon() -> Bool {
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

  /// How many bytes have come. On the writing thread, or when that has ended.
  package var count: Int { written }

  /// Whether the data may be handed on in another way. Any thread.
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
