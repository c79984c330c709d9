import CarryModel
import CLinux
import CarrySystem
import CWaylandClient

/// Requests on their way to the engine, and requests that wait until the engine reads again.
///
/// libwayland buffers 4 KiB. If a request does not fit while the socket is full, libwayland ends the connection. So
/// each request is announced here with its size before it is made. Requests that do not fit wait, in order. Where
/// only the newest value matters, such as a region's rectangle, only the newest request waits.
///
/// Requests that carry descriptors are sent here, once libwayland has sent all of its own (`PassingRequest`).
final class Outbox {
  /// How many bytes libwayland buffers.
  private static let room = 4096

  /// A kind of request of one object of which only the newest waits.
  struct Slot: Hashable {
    var object: ObjectIdentifier
    var request: Request
  }

  /// Requests that set a state rather than report an event.
  enum Request {
    case rectangle, roles, edgeZone, acceptedTypes, label, raise, askAgain, proposal, moved, progress
  }

  private struct Entry {
    var bytes: Int
    var slot: Slot?
    var what: What
  }

  private enum What {
    /// Makes the request.
    case request(() -> Void)
    case passing(PassingRequest, [Held], object: () -> UInt32?)
  }

  /// A descriptor that waits with its request.
  private final class Held {
    let raw: CInt
    init(owning raw: CInt) { self.raw = raw }

    deinit {
      // Another program may have named the file, and closing it may block. Pipe ends and sockets are the source's
      // own, and the other end notices at once that they are closed.
      var mode: UInt32 = 0
      let isFile =
        clinux_mode_as_known(raw, &mode) != 0 || [UInt32(S_IFREG), UInt32(S_IFDIR)].contains(mode & UInt32(S_IFMT))
      if isFile { AsideCloser.closeAlone(raw) } else { close(raw) }
    }
  }

  private enum Outcome {
    case sent
    /// The socket has no room.
    case refused
    /// One of the descriptors is invalid, or the user's processes have too many in flight (unix(7)).
    case useless
    case failed
  }

  private let display: OpaquePointer
  /// The waiting requests in order; nil for a request that was sent or replaced.
  private var queue: [Entry?] = []
  private var head = 0
  private var places: [Slot: Int] = [:]
  private var waitingBytes = 0
  private var waitingDescriptors = 0
  /// An upper bound of the bytes in libwayland's buffer.
  private var bytes = 0

  /// Whether requests wait until the socket is writable.
  private(set) var isBehind = false {
    didSet { if isBehind != oldValue { onBehind(isBehind) } }
  }
  var onBehind: (Bool) -> Void = { _ in }
  /// The errno value after which nothing can be sent any more.
  private(set) var failure: CInt?
  /// Whether more than the budget waited.
  private(set) var isOverfull = false

  init(_ display: OpaquePointer) { self.display = display }

  /// How many requests wait, including replaced ones.
  var count: Int { queue.count - head }

  /// Makes a request now, or when there is room for it.
  ///
  /// - Parameters:
  ///   - size: The size of the message in bytes, or an upper bound.
  ///   - slot: A waiting request of the same slot is discarded.
  ///   - body: Makes the request. It must not send another request through the outbox.
  func send(_ size: Int, newest slot: Slot? = nil, _ body: @escaping () -> Void) {
    guard !hasRoom(size) else { return body() }
    enqueue(Entry(bytes: size, slot: slot, what: .request(body)))
  }

  /// Sends a request with descriptors, now or later. The caller keeps ownership of them.
  ///
  /// - Parameter object: Returns the ID of the request's object; nil if it is gone.
  /// - Returns: False if the request is not made, because too many descriptors wait or are in use, or one cannot be
  ///   duplicated.
  func pass(_ request: PassingRequest, with fds: [CInt], object: @escaping () -> UInt32?) -> Bool {
    guard failure == nil, !isOverfull else { return true }
    if count == 0, flushLibrary() {
      switch pass(request, fds, object()) {
      case .sent, .failed: return true
      case .useless: return false
      case .refused: break
      }
    }
    guard failure == nil else { return true }
    // When descriptors are scarce only a few may wait, since the program needs the rest.
    guard waitingDescriptors + fds.count <= Limits.outboxDescriptors,
      waitingDescriptors < Limits.fewOutboxDescriptors || !DescriptorRoom.isScarce
    else { return false }
    var held: [Held] = []
    for fd in fds {
      let copy = clinux_dup_above(fd, 0)
      guard copy >= 0 else { return false }
      held.append(Held(owning: copy))
    }
    waitingDescriptors += fds.count
    enqueue(Entry(bytes: request.size, slot: nil, what: .passing(request, held, object: object)))
    return true
  }

  /// Sends a request with descriptors while libwayland has no pending output.
  private func pass(_ request: PassingRequest, _ fds: [CInt], _ object: UInt32?) -> Outcome {
    guard let object else { return .sent }
    let message = request.bytes(object: object)
    while true {
      let n = clinux_send_descriptors(
        wl_display_get_fd(display), message, message.count, fds, CInt(fds.count), CInt(MSG_DONTWAIT))
      // The kernel sends a message shorter than half of the socket's buffer completely or not at all.
      if n == message.count { return .sent }
      switch n < 0 ? clinux_errno() : EMSGSIZE {
      case EINTR: continue
      case EAGAIN: isBehind = true
      case EBADF: return .useless
      case ETOOMANYREFS:
        Log.warning("a file was not handed over: processes of this user have too many descriptors in flight")
        return .useless
      case let code:
        fail(code)
        return .failed
      }
      return .refused
    }
  }

  /// Whether a request can be made at once. If so, counts its bytes.
  private func hasRoom(_ size: Int) -> Bool {
    guard count == 0 else { return false }
    return take(size) || (flushLibrary() && take(size))
  }

  private func take(_ size: Int) -> Bool {
    guard failure == nil, bytes + size <= Self.room else { return false }
    bytes += size
    return true
  }

  private func enqueue(_ entry: Entry) {
    guard failure == nil, !isOverfull else { return }
    isBehind = true
    if let slot = entry.slot {
      if let place = places[slot], let old = queue[place] {
        waitingBytes += entry.bytes - old.bytes
        // The order of raises matters: a region that is raised again goes last. Other requests are independent.
        guard slot.request == .raise else { return queue[place] = entry }
        queue[place] = nil
        waitingBytes -= entry.bytes
      }
      places[slot] = queue.count
    }
    waitingBytes += entry.bytes
    queue.append(entry)
    if waitingBytes > Limits.outboxBytes {
      isOverfull = true
      forget()
    }
  }

  /// Sends as much as the socket accepts. Never waits.
  func flush() {
    while flushLibrary() {
      guard head < queue.count else {
        queue.removeAll()
        head = 0
        return isBehind = false
      }
      send: while head < queue.count {
        if let entry = queue[head] {
          switch entry.what {
          case .request(let make):
            guard take(entry.bytes) else { break send }
            forgetFirst(entry)
            make()
          case .passing(let request, let held, let object):
            guard bytes == 0 else { break send }
            let outcome = pass(request, held.map(\.raw), object())
            guard outcome != .refused, outcome != .failed else { return }
            waitingDescriptors -= held.count
            forgetFirst(entry)
          }
        }
        head += 1
      }
    }
  }

  private func forgetFirst(_ entry: Entry) {
    if let slot = entry.slot { places[slot] = nil }
    waitingBytes -= entry.bytes
    queue[head] = nil
  }

  /// Flushes libwayland's buffer; false if the socket does not accept all of it.
  private func flushLibrary() -> Bool {
    guard failure == nil else { return false }
    if wl_display_flush(display) >= 0 {
      bytes = 0
      return true
    }
    let code = clinux_errno()
    if code == EAGAIN { isBehind = true } else { fail(code) }
    return false
  }

  private func fail(_ code: CInt) {
    failure = code
    forget()
  }

  /// Stops sending because the connection is ending.
  func end() {
    failure = failure ?? EPIPE
    forget()
  }

  /// Discards everything that waits.
  private func forget() {
    queue = []
    head = 0
    places = [:]
    waitingBytes = 0
    waitingDescriptors = 0
    isBehind = false
  }
}

/// The sizes of messages.
enum MessageSize {
  /// A header and words, such as numbers and objects.
  static func of(words: Int) -> Int { 8 + 4 * words }
  static func of(words: Int, _ texts: String...) -> Int {
    texts.reduce(of(words: words)) { $0 + 4 + (($1.utf8.count + 4) & ~3) }
  }
}
