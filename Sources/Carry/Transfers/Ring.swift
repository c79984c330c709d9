import CLinux
import CarryModel
import CarrySystem

/// The writing side of the ring that generated bulk travels in: see `carry_provision.ring` in the protocol.
final class RingWriter: @unchecked Sendable {
  private let memoryFD: Descriptor
  private let socket: CInt
  private var other: CInt
  private let base: UnsafeMutableRawPointer
  private var slot = 0
  /// How much of each slot has its pages.
  private var made = [Int](repeating: 0, count: RingLayout.slots)
  private var used = 0
  private var unread = 0
  private let pass: Pass
  private var readerPlace = ReaderPlace()
  private let processors: Processors
  /// Who closes what the destination has sent. Set before anybody writes.
  var closer = RingCloser()
  /// Whether the reader gave the last slot back before it was worth letting others go on.
  private var isReaderQuick = true

  /// For handing over; the ring keeps it.
  var memory: CInt { memoryFD.raw }
  /// The reader's end of the socket, until `closeOtherEnd`.
  var otherEnd: CInt { other }

  /// - Parameters:
  ///   - turnstile: where its thread waits until it may copy.
  ///   - processors: where its thread runs.
  init(turnstile: Turnstile = .writing, processors: Processors = Processors()) throws(SystemError) {
    let memory = Descriptor(
      owning: try check("memfd_create") {
        clinux_memfd_create("carry-ring")
      })
    try check("ftruncate") { ftruncate(memory.raw, RingLayout.size) }
    guard let base = clinux_map(memory.raw, RingLayout.size, true) else { throw SystemError.last("mmap") }
    var pair: [CInt] = [-1, -1]
    do {
      // Only this mapping can be written to from here on: who punched holes into the memory could keep the other side busy
      // making pages.
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
    self.processors = processors
    pass = turnstile.pass()
    memoryFD = memory
    socket = pair[0]
    other = pair[1]
  }

  deinit {
    munmap(base, RingLayout.size)
    RingSocket.close(socket, by: closer)
    closeOtherEnd()
  }

  func closeOtherEnd() {
    if other >= 0 { close(other) }
    other = -1
  }

  /// Copies bytes into the ring, waiting for the reader where it is full.
  func write(_ bytes: UnsafeRawBufferPointer, unless cancellation: Cancellation) throws {
    var rest = bytes
    // What comes next is code of the application's.
    defer { pass.giveBack() }
    while !rest.isEmpty {
      if used == 0 { try waitForSlot(cancellation) }
      let n = min(rest.count, RingLayout.slotSize - used)
      guard let from = rest.baseAddress else { return }
      // A slot that is not full yet costs less than a turn.
      if used + n == RingLayout.slotSize {
        pass.beginChunk()
        if cancellation.isCancelled { throw Self.cancelled }
      }
      try makePages(n)
      (base + slot * RingLayout.slotSize + used).copyMemory(from: from, byteCount: n)
      used += n
      rest = UnsafeRawBufferPointer(rebasing: rest[n...])
      if used == RingLayout.slotSize { try sendSlot() }
    }
  }

  /// Makes the pages of all slots, so that `write` need not.
  func makeAllPages() throws(SystemError) {
    try check("madvise") { clinux_make_pages(base, RingLayout.size) }
    made = [Int](repeating: RingLayout.slotSize, count: RingLayout.slots)
  }

  /// From how many bytes on a system call costs less than to touch their pages one by one.
  private static let worthMaking = 16_384

  /// Makes the pages of what comes next, unless the slot has them from an earlier round.
  ///
  /// Not with `fallocate` or `pwrite`, which are faster yet: they wait for a lock of the file that the destination, which has
  /// the file too, could hold for ever, by writing from memory that is a file of its own file system.
  private func makePages(_ count: Int) throws(SystemError) {
    let end = used + count
    guard end > made[slot] else { return }
    made[slot] = end
    guard count >= Self.worthMaking else { return }
    try check("madvise") { clinux_make_pages(base + slot * RingLayout.slotSize + used, count) }
  }

  /// Sends what is in a slot that is not full.
  func flush() throws { if used > 0 { try sendSlot() } }

  /// Says that all is sent, and waits until it is read: a socket that closes with credits unread resets its other end,
  /// which would then fail to read what is still queued there.
  func finish(unless cancellation: Cancellation) throws {
    try flush()
    try send(RingLayout.end)
    while unread > 0 { try takeCredit(cancellation) }
  }

  /// Says that no more comes, and why. Never waits: a reader that is gone does not hear it.
  func fail(_ sentence: String) {
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
    var credits = (UInt64(0), UInt64(0))
    let before = MonotonicClock.now()
    let n = try withUnsafeMutableBytes(of: &credits) {
      try RingSocket.receive(socket, $0, by: closer) {
        if cancellation.isCancelled { throw Self.cancelled }
        guard MonotonicClock.now() - before < .seconds(Limits.transferSeconds) else {
          throw LoadError(.timedOut, "the destination stopped for \(Int(Limits.transferSeconds)) seconds")
        }
      } wait: {
        try waitForReader($0)
      }
    }
    guard n > 0 else { throw LoadError(.cancelled, "the destination went away") }
    unread -= 1
    let own = processors.own()
    if readerPlace.takes(withUnsafeBytes(of: credits) { $0[0] }, on: own) { processors.leave(own) }
  }

  /// A reader that is at work on another processor is back in a moment, and what is written for it next is still in the
  /// processor's cache: the turn is kept for that long, unless it did not help the last time.
  private func waitForReader(_ fd: CInt) throws(SystemError) {
    if pass.hasTurn, isReaderQuick {
      isReaderQuick = try TransferWait.isReadable(fd, within: 1)
      if isReaderQuick { return }
    }
    pass.giveBack()
    let before = MonotonicClock.now()
    try TransferWait.untilReadable(fd)
    isReaderQuick = MonotonicClock.now() - before < .milliseconds(1)
  }

  private func sendSlot() throws {
    try send(UInt32(used))
    unread += 1
    slot = (slot + 1) % RingLayout.slots
    used = 0
  }

  /// Never waits: for what is unread there is always room, unless the destination acknowledges data that it has not read.
  private func send(_ number: UInt32) throws {
    var number = number
    guard CLinux.send(socket, &number, 4, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) < 0 else { return }
    let error = SystemError.last("send")
    guard error.code == EAGAIN || error.code == EWOULDBLOCK else { throw error }
    throw LoadError(.cancelled, "the destination acknowledges data that it has not read")
  }
}

/// A socket that a stranger has a hand on.
///
/// Nothing but numbers goes through it. Whoever sends a descriptor in a packet could have it closed here, by the kernel, in a
/// call that would then wait for what the descriptor is of: such as a connection that lingers for hours.
enum RingSocket {
  /// The most descriptors that a packet can have (SCM_MAX_FD), and one of the sender's process.
  private static let mostDescriptors: CInt = 254

  /// Closes a socket of ours, and with it what waits to be read.
  static func close(_ fd: CInt, by closer: RingCloser) {
    shutdown(fd, CInt(SHUT_RDWR))
    closer.close(fd)
  }

  /// - Returns: how many bytes came; the negative error of recvmsg; nil where it has to be tried again.
  private static func take(_ fd: CInt, _ bytes: UnsafeMutableRawBufferPointer, by closer: RingCloser) throws -> Int? {
    try closer.receive {
      withUnsafeTemporaryAllocation(of: CInt.self, capacity: Int(mostDescriptors)) { descriptors in
        var count: CInt = 0
        let n = clinux_receive_descriptors(
          fd, bytes.baseAddress, bytes.count, descriptors.baseAddress, mostDescriptors, &count)
        return (n < 0 ? -Int(clinux_errno()) : n, Array(descriptors[..<Int(count)]))
      }
    }
  }

  /// The next message; 0 when the other side is gone.
  ///
  /// The call itself is not to block: the other side may have a copy of this end, with which it can change how long that would
  /// wait. With that copy it can also receive into memory that never comes, and keeps a thread in the call then. No rings
  /// of another source or destination wait for that.
  ///
  /// - Parameters:
  ///   - closer: closes what should not have come.
  ///   - goOn: asked now and then while nothing comes; throws when there is no reason to wait any longer.
  ///   - wait: returns when there may be something, and after a while in any case.
  static func receive(
    _ fd: CInt, _ bytes: UnsafeMutableRawBufferPointer, by closer: RingCloser, _ goOn: () throws -> Void,
    wait: (CInt) throws -> Void = { try TransferWait.untilReadable($0) }
  ) throws -> Int {
    var wasReset = false
    var turns = 0
    while true {
      try goOn()
      guard let n = try take(fd, bytes, by: closer) else {
        turns += 1
        // Mostly it is free again at once; but another thread may be kept in its call, and many may wait for that.
        if turns < 64 { sched_yield() } else { poll(nil, 0, 1) }
        continue
      }
      if n >= 0 { return n }
      switch CInt(-n) {
      case EINTR: continue
      // A source that closed without having read its credits resets us, once: what it sent before is still there.
      case ECONNRESET where !wasReset: wasReset = true
      case EAGAIN: try wait(fd)
      case let code: throw SystemError(code: code, call: "recv")
      }
    }
  }
}

/// Waiting on a transfer's descriptors.
enum TransferWait {
  /// Returns when there is something to read, and after half a second in any case: whether anybody still wants it is
  /// asked again then.
  static func untilReadable(_ fd: CInt) throws(SystemError) { _ = try isReadable(fd, within: 500) }

  /// Whether something comes within so many milliseconds.
  static func isReadable(_ fd: CInt, within milliseconds: CInt) throws(SystemError) -> Bool {
    var p = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
    return try check("poll") { poll(&p, 1, milliseconds) } > 0
  }
}

/// What a stream representation writes into, on its own thread.
public final class StreamWriter {
  private let ring: RingWriter
  private let cancellation: Cancellation
  private let report: (_ completed: Int, _ total: Int?) -> Void
  private var written = 0
  private var reported = MonotonicClock.now()
  private var sent = MonotonicClock.now()
  /// How long bytes may wait for their slot to become full.
  private static let longestWait = Interval.milliseconds(50)
  /// How many bytes there will be; nil while that is not known. Set it before the first write, and the destination sees how
  /// far it is. A stream that ends with fewer is taken for one that has failed.
  public var totalBytes: Int?

  /// - Parameter report: called now and then with how much there is, on the writer's thread.
  init(_ ring: RingWriter, _ cancellation: Cancellation, _ report: @escaping (_ completed: Int, _ total: Int?) -> Void)
  {
    self.ring = ring
    self.cancellation = cancellation
    self.report = report
  }

  /// Whether the destination has lost interest; writing throws from then on.
  public var isCancelled: Bool { cancellation.isCancelled }

  /// Sends bytes, waiting while the destination is behind.
  ///
  /// - Throws: when the destination went away or cancelled; stop then.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    try ring.write(bytes, unless: cancellation)
    written += bytes.count
    let now = MonotonicClock.now()
    // Small parts are collected, but only for a moment: whoever waits sees that they come.
    if now - sent > Self.longestWait {
      try ring.flush()
      sent = now
    }
    if now - reported > .milliseconds(totalBytes == nil ? 2000 : 200) { keepAlive() }
  }

  /// Says that the source is at work though it writes nothing yet, such as while it fetches what it will write: call it
  /// every few seconds, and the destination waits for as long as it takes. Without it, and without bytes, a load is given
  /// up after 30 seconds.
  public func keepAlive() {
    reported = MonotonicClock.now()
    report(written, totalBytes)
  }

  /// Sends bytes, waiting while the destination is behind.
  public func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Tells the destination why its load fails: the error's words, where it has any.
  func fail(_ error: any Error) {
    Log.debug("a stream representation failed: \(error)")
    switch error {
    case let error as any Explained: ring.fail(error.sentence)
    case let error as any CustomStringConvertible: ring.fail(error.description)
    default: ring.fail("")
    }
  }

  func finish() throws {
    if let totalBytes, written < totalBytes {
      let sentence = "a stream has ended after \(written) of the \(totalBytes) bytes that it has named"
      Log.warning("\(sentence); the data received so far is discarded")
      throw LoadError(.sourceFailed, sentence)
    }
    try ring.finish(unless: cancellation)
  }
}
