import CLinux
import CarrySystem

/// The writing side of the ring that generated bulk travels in: see `carry_provision.ring` in the protocol.
final class RingWriter: @unchecked Sendable {
  private let memoryFD: Descriptor
  private let socket: Descriptor
  private var other: CInt
  private let base: UnsafeMutableRawPointer
  private var slot = 0
  private var used = 0
  private var unread = 0

  /// For handing over; the ring keeps it.
  var memory: CInt { memoryFD.raw }
  /// The reader's end of the socket, until `closeOtherEnd`.
  var otherEnd: CInt { other }

  init() throws(SystemError) {
    let memory = Descriptor(
      owning: try check("memfd_create") {
        clinux_memfd_create("carry-ring")
      })
    try check("ftruncate") { ftruncate(memory.raw, RingLayout.size) }
    let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_SEAL
    try check("fcntl(F_ADD_SEALS)") { clinux_add_seals(memory.raw, CInt(seals)) }
    guard let base = clinux_map(memory.raw, RingLayout.size, true) else { throw SystemError.last("mmap") }
    var pair: [CInt] = [-1, -1]
    do {
      try check("socketpair") {
        socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair)
      }
    } catch {
      munmap(base, RingLayout.size)
      throw error
    }
    self.base = base
    memoryFD = memory
    socket = Descriptor(owning: pair[0])
    other = pair[1]
  }

  deinit {
    munmap(base, RingLayout.size)
    closeOtherEnd()
  }

  func closeOtherEnd() {
    if other >= 0 { close(other) }
    other = -1
  }

  /// Copies bytes into the ring, waiting for the reader where it is full.
  func write(_ bytes: UnsafeRawBufferPointer, unless cancellation: Cancellation) throws {
    var rest = bytes
    while !rest.isEmpty {
      if used == 0 { try waitForSlot(cancellation) }
      let n = min(rest.count, RingLayout.slotSize - used)
      guard let from = rest.baseAddress else { return }
      (base + slot * RingLayout.slotSize + used).copyMemory(from: from, byteCount: n)
      used += n
      rest = UnsafeRawBufferPointer(rebasing: rest[n...])
      if used == RingLayout.slotSize { try sendSlot() }
    }
  }

  func finish() throws {
    if used > 0 { try sendSlot() }
    try send(RingLayout.end)
    // A socket that is closed over messages it has not read resets the connection: the reader would lose what it has not
    // read yet. So the last credits are awaited.
    while unread > 0, try takeCredit() {}
  }

  /// Waits for the reader to be done with one more slot; false when it is gone.
  private func takeCredit() throws -> Bool {
    try RingSocket.wait(socket.raw)
    var credits = (UInt64(0), UInt64(0))
    let n = try check("recv") {
      withUnsafeMutableBytes(of: &credits) { recv(socket.raw, $0.baseAddress, $0.count, 0) }
    }
    if n > 0 { unread -= 1 }
    return n > 0
  }

  private func waitForSlot(_ cancellation: Cancellation) throws {
    if cancellation.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
    while unread == RingLayout.slots {
      guard try takeCredit() else { throw LoadError(.cancelled, "the destination went away") }
    }
  }

  private func sendSlot() throws {
    try send(UInt32(used))
    unread += 1
    slot = (slot + 1) % RingLayout.slots
    used = 0
  }

  private func send(_ number: UInt32) throws {
    var number = number
    try check("send") { CLinux.send(socket.raw, &number, 4, CInt(MSG_NOSIGNAL)) }
  }
}

/// Waiting on a ring's socket, bounded.
enum RingSocket {
  static func wait(_ fd: CInt) throws {
    var p = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
    let n = try check("poll") { poll(&p, 1, 30_000) }
    if n == 0 { throw LoadError(.timedOut, "the other side stopped for 30 seconds") }
  }
}

/// What a stream representation writes into, on its own thread.
public final class StreamWriter {
  private let ring: RingWriter
  private let cancellation: Cancellation

  init(_ ring: RingWriter, _ cancellation: Cancellation) {
    self.ring = ring
    self.cancellation = cancellation
  }

  /// Whether the destination has lost interest; writing throws from then on.
  public var isCancelled: Bool { cancellation.isCancelled }

  /// Sends bytes, waiting while the destination is behind.
  ///
  /// - Throws: when the destination went away or cancelled; stop then.
  public func write(_ bytes: UnsafeRawBufferPointer) throws { try ring.write(bytes, unless: cancellation) }

  /// Sends bytes, waiting while the destination is behind.
  public func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  func finish() throws { try ring.finish() }
}
