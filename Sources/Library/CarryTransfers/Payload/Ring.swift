import CLinux
import CarryModel
package import CarrySystem

/// The writing side of the ring that carries generated bulk data: see `carry_provision.ring` in the protocol.
package final class RingWriter: @unchecked Sendable {
  private let memoryFD: Descriptor
  private let socket: CInt
  private var other: CInt
  private let base: UnsafeMutableRawPointer
  private var slot = 0
  /// The bytes of each slot whose pages are allocated.
  private var made = [Int](repeating: 0, count: RingLayout.slots)
  private var used = 0
  private var unread = 0

  /// The descriptor to hand over; the ring owns it.
  package var memory: CInt { memoryFD.raw }
  /// The reader's end of the socket, until `closeOtherEnd`.
  package var otherEnd: CInt { other }

  package init() throws(SystemError) {
    let memory = Descriptor(
      owning: try check("memfd_create") {
        clinux_memfd_create("carry-ring")
      })
    try check("ftruncate") { ftruncate(memory.raw, RingLayout.size) }
    guard let base = clinux_map(memory.raw, RingLayout.size, true) else { throw SystemError.last("mmap") }
    var pair: [CInt] = [-1, -1]
    do {
      // From here on only this mapping is writable: a peer that punched holes into the memory could keep the other
      // side busy allocating pages.
      let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_FUTURE_WRITE | CLINUX_SEAL_SEAL
      try check("fcntl(F_ADD_SEALS)") { clinux_add_seals(memory.raw, CInt(seals)) }
      try check("socketpair") {
        socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair)
      }
    } catch {
      munmap(base, RingLayout.size)
      throw error
    }
    self.base = base
    memoryFD = memory
    socket = pair[0]
    other = pair[1]
  }

  deinit {
    munmap(base, RingLayout.size)
    RingSocket.close(socket)
    closeOtherEnd()
  }

  package func closeOtherEnd() {
    if other >= 0 { close(other) }
    other = -1
  }

  /// Copies bytes into the ring, waiting for the reader while the ring is full.
  func write(_ bytes: UnsafeRawBufferPointer, unless cancellation: Cancellation) throws {
    var rest = bytes
    while !rest.isEmpty {
      if used == 0 { try waitForSlot(cancellation) }
      let n = min(rest.count, RingLayout.slotSize - used)
      guard let from = rest.baseAddress else { return }
      try makePages(n)
      (base + slot * RingLayout.slotSize + used).copyMemory(from: from, byteCount: n)
      used += n
      rest = UnsafeRawBufferPointer(rebasing: rest[n...])
      if used == RingLayout.slotSize { try sendSlot() }
    }
  }

  /// From this many bytes on, a system call costs less than page faults one by one.
  private static let worthMaking = 16_384

  /// Allocates the pages of the next bytes, unless an earlier round has done so for this slot.
  ///
  /// `fallocate` and `pwrite` are faster, but wait for a lock of the file. The destination has the file too, and
  /// could hold that lock forever by writing from memory that is a file of its own file system.
  private func makePages(_ count: Int) throws(SystemError) {
    let end = used + count
    guard end > made[slot] else { return }
    made[slot] = end
    guard count >= Self.worthMaking else { return }
    try check("madvise") { clinux_make_pages(base + slot * RingLayout.slotSize + used, count) }
  }

  /// Sends the content of a partially filled slot.
  func flush() throws { if used > 0 { try sendSlot() } }

  /// Sends the end mark, and waits until everything is read: closing a socket with unread credits resets its other
  /// end, which would then fail to read the packets still queued there.
  package func finish(unless cancellation: Cancellation) throws {
    try flush()
    try send(RingLayout.end)
    while unread > 0 { try takeCredit(cancellation) }
  }

  /// Sends the reason why no more data follows. Never blocks; a reader that has gone does not receive it.
  package func fail(_ sentence: String) {
    var packet = withUnsafeBytes(of: RingLayout.failed) { Array($0) }
    packet += SafeText.displayable(sentence).utf8
    _ = CLinux.send(socket, packet, packet.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
  }

  private func waitForSlot(_ cancellation: Cancellation) throws {
    if cancellation.isCancelled { throw Self.cancelled }
    while unread == RingLayout.slots { try takeCredit(cancellation) }
  }

  private static var cancelled: LoadError { LoadError(.cancelled, "the load was cancelled") }

  private func takeCredit(_ cancellation: Cancellation) throws {
    var credit = UInt64(0)
    let before = MonotonicClock.now()
    let n = try withUnsafeMutableBytes(of: &credit) {
      try RingSocket.receive(socket, $0) {
        if cancellation.isCancelled { throw Self.cancelled }
        guard MonotonicClock.now() - before < .seconds(Limits.transferSeconds) else {
          throw LoadError(.timedOut, "the destination stopped for \(Int(Limits.transferSeconds)) seconds")
        }
      }
    }
    guard n > 0 else { throw LoadError(.cancelled, "the destination went away") }
    unread -= 1
  }

  private func sendSlot() throws {
    try send(UInt32(used))
    unread += 1
    slot = (slot + 1) % RingLayout.slots
    used = 0
  }

  /// Never blocks: the socket always has room for the unread packets, unless the destination sends credits for slots
  /// that it has not read.
  private func send(_ number: UInt32) throws {
    var number = number
    guard CLinux.send(socket, &number, 4, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) < 0 else { return }
    let error = SystemError.last("send")
    guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
    throw LoadError(.cancelled, "the destination acknowledges data that it has not read")
  }
}

/// A socket that an untrusted peer can access. Only numbers go through it; the kernel discards descriptors.
enum RingSocket {
  /// Closes our end of the socket. The peer may have a copy of it.
  static func close(_ fd: CInt) {
    shutdown(fd, CInt(SHUT_RDWR))
    CLinux.close(fd)
  }

  /// Receives the next message; 0 if the other side has gone.
  ///
  /// The call does not block: the other side may hold a copy of this end, and can change how long a call waits.
  ///
  /// - Parameter checkCancellation: called repeatedly while nothing arrives; throws to stop waiting.
  package static func receive(
    _ fd: CInt, _ bytes: UnsafeMutableRawBufferPointer, _ checkCancellation: () throws -> Void
  ) throws -> Int {
    var wasReset = false
    while true {
      try checkCancellation()
      let n = recv(fd, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT))
      if n >= 0 { return n }
      switch clinux_errno() {
      case EINTR: continue
      // A source that closed with unread credits resets the connection, once: its earlier packets are still readable.
      case ECONNRESET where !wasReset: wasReset = true
      case EAGAIN: try TransferWait.untilReadable(fd)
      default: throw SystemError.last("recv")
      }
    }
  }
}

/// Waiting on a transfer's descriptors.
enum TransferWait {
  /// Returns when there is something to read, and after half a second in any case, so that the caller can check
  /// whether the data is still wanted.
  static func untilReadable(_ fd: CInt) throws(SystemError) {
    var p = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
    _ = try check("poll") { poll(&p, 1, 500) }
  }
}

/// Accepts the bytes of a stream representation, on the representation's own thread.
public final class StreamWriter {
  private let ring: RingWriter
  private let cancellation: Cancellation
  private let report: (_ completed: Int, _ total: Int?) -> Void
  private var written = 0
  private var reported = MonotonicClock.now()
  private var sent = MonotonicClock.now()
  /// The maximum time that bytes wait for their slot to become full.
  private static let longestWait = Interval.milliseconds(50)
  /// The total number of bytes; nil while unknown.
  ///
  /// Set it before the first write, so that the destination can show progress. A stream that ends with fewer bytes
  /// fails.
  public var totalBytes: Int?

  /// - Parameter report: called repeatedly with the number of bytes so far, on the writer's thread.
  package init(
    _ ring: RingWriter, _ cancellation: Cancellation, _ report: @escaping (_ completed: Int, _ total: Int?) -> Void
  ) {
    self.ring = ring
    self.cancellation = cancellation
    self.report = report
  }

  /// Whether the destination no longer wants the data; writing throws from then on.
  public var isCancelled: Bool { cancellation.isCancelled }

  /// Sends bytes, waiting while the destination is behind.
  ///
  /// - Throws: if the destination has gone or has cancelled the load; stop writing then.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    try ring.write(bytes, unless: cancellation)
    written += bytes.count
    let now = MonotonicClock.now()
    // Small parts are collected, but only briefly, so that the receiver sees progress.
    if now - sent > Self.longestWait {
      try ring.flush()
      sent = now
    }
    if now - reported > .milliseconds(totalBytes == nil ? 2000 : 200) { keepAlive() }
  }

  /// Reports that the source is still working although it writes nothing yet, such as while it fetches its data.
  ///
  /// Call it every few seconds, and the destination waits for as long as it takes. A load without bytes and without
  /// this call fails after 30 seconds.
  public func keepAlive() {
    reported = MonotonicClock.now()
    report(written, totalBytes)
  }

  /// Sends bytes, waiting while the destination is behind.
  public func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Sends the destination the reason of the failure: the text of the error, if it has one.
  package func fail(_ error: any Error) {
    Log.debug("a stream representation failed: \(error)")
    switch error {
    case let error as any Explained: ring.fail(error.sentence)
    case let error as any CustomStringConvertible: ring.fail(error.description)
    default: ring.fail("")
    }
  }

  package func finish() throws {
    if let totalBytes, written < totalBytes {
      let sentence = "a stream has ended after \(written) of the \(totalBytes) bytes that it has named"
      Log.warning("\(sentence); the data received so far is discarded")
      throw LoadError(.sourceFailed, sentence)
    }
    try ring.finish(unless: cancellation)
  }
}
