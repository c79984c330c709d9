import CLinux
import CarrySystem
import CWaylandClient

/// Requests on their way to the engine, and requests that wait until the engine reads again.
///
/// libwayland buffers 4 KiB. If a request does not fit while the socket is full, libwayland ends the connection. So
/// each request is announced here with its size before it is made. Requests that do not fit wait, in order. Where only
/// the newest value matters, such as a region's rectangle, only the newest request waits.
final class Outbox {
  /// How many bytes may wait: more than a client that uses all that the protocol allows has to say at once.
  static let budget = 16 << 20
  /// How many descriptors may wait.
  static let mostDescriptors = 64
  /// What libwayland buffers: bytes of requests, and descriptors beside them.
  private static let room = 4096
  private static let descriptorRoom = 24

  /// One request of one object, of which only the newest waits.
  struct Slot: Hashable {
    var object: ObjectIdentifier
    var request: Request
  }

  /// Requests that say how something is, not what happens.
  enum Request {
    case rectangle, roles, edgeZone, acceptedTypes, label, raise, proposal, moved, progress
  }

  private struct Entry {
    var bytes: Int
    var slot: Slot?
    var held: [Held]
    var send: () -> Void
  }

  /// A descriptor that waits with its request.
  final class Held {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let display: OpaquePointer
  /// The waiting requests in order; nil where a request was sent, or a newer request has replaced it.
  private var queue: [Entry?] = []
  private var head = 0
  private var places: [Slot: Int] = [:]
  private var waitingBytes = 0
  private var waitingDescriptors = 0
  /// How much is in libwayland's buffer, at the most.
  private var bytes = 0
  private var descriptors = 0

  /// What has to come before there is more to send to the engine.
  private(set) var awaited: WireConnection.Awaited? {
    // No descriptor says when a pause is over: whoever waits is told each time.
    didSet { if awaited != oldValue || awaited == .pause { onAwaited(awaited) } }
  }
  var onAwaited: (WireConnection.Awaited?) -> Void = { _ in }
  var isBehind: Bool { awaited != nil }
  private let canPass: () -> Bool
  /// Why nothing can be sent any more: an error number.
  private(set) var failure: CInt?
  /// Whether more than the budget waited.
  private(set) var isOverfull = false

  /// - Parameter canPass: whether the kernel passes descriptors on.
  init(_ display: OpaquePointer, canPass: @escaping () -> Bool = { DescriptorRoom.canBePassed }) {
    self.display = display
    self.canPass = canPass
  }

  /// How many requests wait, with those that were replaced.
  var count: Int { queue.count - head }

  /// Makes a request now, or when there is room for it.
  ///
  /// - Parameters:
  ///   - size: of the message, in bytes; a larger number does no harm.
  ///   - slot: a request of the same slot that still waits is forgotten.
  ///   - body: makes the request. It must not send another request through the outbox.
  func send(_ size: Int, newest slot: Slot? = nil, _ body: @escaping () -> Void) {
    guard !hasRoom(size) else { return body() }
    enqueue(Entry(bytes: size, slot: slot, held: [], send: body))
  }

  /// Makes a request that carries descriptors, which stay the caller's.
  ///
  /// - Returns: false when the request is not made, because too many descriptors wait or one cannot be duplicated.
  func send(_ size: Int, with fds: [CInt], _ body: @escaping ([CInt]) -> Void) -> Bool {
    if hasRoom(size, descriptors: fds.count) {
      guard Self.canDuplicate(fds) else { return false }
      body(fds)
      return true
    }
    guard waitingDescriptors + fds.count <= Self.mostDescriptors else { return false }
    var held: [Held] = []
    for fd in fds {
      let copy = clinux_dup_above(fd, 0)
      guard copy >= 0 else { return false }
      held.append(Held(Descriptor(owning: copy)))
    }
    waitingDescriptors += fds.count
    enqueue(Entry(bytes: size, slot: nil, held: held) { body(held.map { $0.descriptor.raw }) })
    return true
  }

  /// libwayland duplicates each descriptor that it sends, and gives the connection up where it cannot.
  private static func canDuplicate(_ fds: [CInt]) -> Bool {
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    for fd in fds {
      let copy = clinux_dup_above(fd, 0)
      guard copy >= 0 else { return false }
      copies.append(copy)
    }
    return true
  }

  /// Whether a request can be made at once. If so, it counts as made.
  private func hasRoom(_ size: Int, descriptors count: Int = 0) -> Bool {
    guard self.count == 0 else { return false }
    return take(size, count) || (flushLibrary() && take(size, count))
  }

  private func take(_ size: Int, _ count: Int) -> Bool {
    guard failure == nil, bytes + size <= Self.room, descriptors + count <= Self.descriptorRoom else { return false }
    bytes += size
    descriptors += count
    return true
  }

  private func enqueue(_ entry: Entry) {
    guard failure == nil, !isOverfull else { return }
    if awaited == nil { awaited = .room }
    if let slot = entry.slot {
      if let place = places[slot], let old = queue[place] {
        waitingBytes += entry.bytes - old.bytes
        // The order of raises matters: a region that is raised again goes last. Other requests do not depend on one
        // another.
        guard slot.request == .raise else { return queue[place] = entry }
        queue[place] = nil
        waitingBytes -= entry.bytes
      }
      places[slot] = queue.count
    }
    waitingBytes += entry.bytes
    queue.append(entry)
    if waitingBytes > Self.budget {
      isOverfull = true
      forget()
    }
  }

  /// Sends what the socket takes. Never waits.
  func flush() {
    while flushLibrary() {
      guard head < queue.count else {
        queue.removeAll()
        head = 0
        return awaited = nil
      }
      while head < queue.count {
        if let entry = queue[head] {
          guard take(entry.bytes, entry.held.count) else { break }
          if let slot = entry.slot { places[slot] = nil }
          waitingBytes -= entry.bytes
          waitingDescriptors -= entry.held.count
          queue[head] = nil
          // Whoever waits for what is lost here waits for as long as for one who does not answer.
          if Self.canDuplicate(entry.held.map { $0.descriptor.raw }) { entry.send() }
        }
        head += 1
      }
    }
  }

  /// Has libwayland send what it has; false when the socket does not take all of it.
  private func flushLibrary() -> Bool {
    guard failure == nil else { return false }
    // libwayland takes the kernel's refusal for the connection's end.
    if descriptors > 0, !canPass() {
      awaited = .pause
      return false
    }
    if wl_display_flush(display) >= 0 {
      bytes = 0
      descriptors = 0
      return true
    }
    let code = clinux_errno()
    if code == EAGAIN {
      awaited = .room
    } else {
      failure = code
      forget()
    }
    return false
  }

  /// The connection is going: nothing is sent any more, whoever still asks for it.
  func end() {
    failure = failure ?? EPIPE
    forget()
  }

  /// Drops everything that waits.
  private func forget() {
    queue = []
    head = 0
    places = [:]
    waitingBytes = 0
    waitingDescriptors = 0
    awaited = nil
  }
}

/// How large messages are.
enum MessageSize {
  /// A header and words: numbers, objects.
  static func of(words: Int) -> Int { 8 + 4 * words }
  static func of(words: Int, _ texts: String...) -> Int {
    texts.reduce(of(words: words)) { $0 + 4 + (($1.utf8.count + 4) & ~3) }
  }
}
