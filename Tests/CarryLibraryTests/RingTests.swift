import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import Testing

@testable import Carry

/// The ring that generated data travels in, and what either end may do to the other.
@Suite struct RingTests {
  @Test(
    "a ring's last packet says why the source has failed, in a sentence; what is neither that nor a number is refused",
    arguments: [
      (RingLayout.failed, Array("out of paper".utf8), "out of paper"),
      (RingLayout.failed, Array("a\u{1B}]0;\nb\u{202E}".utf8) + [0xFF], "a\u{FFFD}]0;\u{FFFD}b\u{FFFD}\u{FFFD}"),
      (RingLayout.failed, [], "the source stopped before it had sent everything"),
      (RingLayout.failed, [UInt8](repeating: 0x61, count: 256), "the source stopped before it had sent everything"),
      (RingLayout.end, [0], "the source handed over something that is not safe to read"),
      (4, Array("four".utf8), "the source handed over something that is not safe to read"),
    ])
  func aRingsLastWords(_ number: UInt32, _ rest: [UInt8], _ sentence: String) throws {
    let ring = try RingWriter()
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    let packet = withUnsafeBytes(of: number) { Array($0) } + rest
    #expect(CLinux.send(pair.ours.raw, packet, packet.count, CInt(MSG_NOSIGNAL)) == packet.count)
    let (memory, socket) = (clinux_dup_above(ring.memory, 0), clinux_dup_above(pair.theirs.raw, 0))
    let result = receive(.ring(memory: memory, socket: socket), into: ByteSink(limit: 1 << 20))
    guard case .failure(let error) = result else { return _ = Issue.record("\(result)") }
    #expect(error.description == sentence)
  }

  @Test("what goes through a ring comes as it was sent, several times round it, in pieces of every size")
  func aRingComesWhole() throws {
    let ring = try RingWriter()
    let (memory, socket) = (clinux_dup_above(ring.memory, 0), clinux_dup_above(ring.otherEnd, 0))
    ring.closeOtherEnd()
    let bytes = (0..<RingLayout.size * 3 + 12_345).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
    let failure = Shared<String?>(nil)
    let hasEnded = Barrier()
    try Worker.start {
      do {
        var rest = bytes[...]
        for i in 0... where !rest.isEmpty {
          let piece = rest.prefix(i % 7 == 0 ? 1 : i * 4_099)
          rest = rest.dropFirst(piece.count)
          try piece.withUnsafeBytes { try ring.write($0, unless: Cancellation()) }
          if i % 5 == 0 { try ring.flush() }
          if rest.isEmpty { break }
        }
        try ring.finish(unless: Cancellation())
      } catch {
        failure.value = "\(error)"
      }
      hasEnded.open()
    }
    let sink = ByteSink(limit: bytes.count)
    #expect(try receive(.ring(memory: memory, socket: socket), into: sink).get() == bytes.count)
    #expect(wait { hasEnded.hasOpened } && failure.value == nil, "\(failure.value ?? "")")
    #expect(sink.take() == bytes)
  }

  @Test("only the source writes to a ring; a destination cannot keep it busy with holes that it punches into it")
  func onlyTheSourceWrites() throws {
    let ring = try RingWriter()
    var byte: UInt8 = 1
    #expect(pwrite(ring.memory, &byte, 1, 0) < 0 && clinux_errno() == EPERM)
    #expect(clinux_map(ring.memory, RingLayout.size, true) == nil)
    let base = try #require(clinux_map(ring.memory, RingLayout.size, false))
    defer { munmap(base, RingLayout.size) }
    try withUnsafeBytes(of: &byte) { try ring.write($0, unless: Cancellation()) }
    #expect(base.load(as: UInt8.self) == 1)
  }

  /// Sends a packet with a descriptor that whoever closes waits for.
  private func send(_ packet: [UInt8], with lingering: Lingering, to socket: CInt) {
    let outer = lingering.take()
    var raw = outer.raw
    #expect(clinux_send_descriptors(socket, packet, packet.count, &raw, 1, 0) == packet.count)
  }

  /// What comes of a ring; nil where it takes half as long as what lingers does.
  private func receiveInTime(_ memory: CInt, _ socket: CInt) throws -> Result<Int, LoadError>? {
    let result = Shared<Result<Int, LoadError>?>(nil)
    let hasEnded = Barrier()
    try Worker.start {
      result.value = receive(.ring(memory: memory, socket: socket), into: ByteSink(limit: 1 << 20))
      hasEnded.open()
    }
    return wait(seconds: 10) { hasEnded.hasOpened } ? result.value : nil
  }

  @Test("a ring's packet that brings a descriptor ends the load, and nobody waits for what that is of")
  func aDescriptorInARing() throws {
    let lingering = try Lingering(isBare: true)
    let ring = try RingWriter()
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    send([1, 0, 0, 0], with: lingering, to: pair.ours.raw)
    let (memory, socket) = (clinux_dup_above(ring.memory, 0), clinux_dup_above(pair.theirs.raw, 0))
    let result = try receiveInTime(memory, socket)
    #expect(throws: LoadError.self) { try result?.get() }
    lingering.end()
  }

  @Test("once a packet has brought a descriptor no ring of its session is read any more, and others are")
  func oneSession() throws {
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    let (ours, theirs) = (pair.ours.raw, pair.theirs.raw)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { bytes.deallocate() }
    let (one, other) = (RingCloser(), RingCloser())
    func receives(by closer: RingCloser) throws -> Int {
      #expect(CLinux.send(ours, "four", 4, 0) == 4)
      return try RingSocket.receive(theirs, bytes, by: closer) {}
    }
    #expect(try receives(by: one) == 4)
    #expect(clinux_send_descriptors(ours, [0], 1, [ours, ours], 2, 0) == 1)
    #expect(throws: LoadError.self) { try RingSocket.receive(theirs, bytes, by: one) {} }
    #expect(throws: LoadError.self) { try receives(by: one) }
    #expect(try receives(by: other) == 4)
  }

  @Test("Z15: what one destination sends is no fault of the next, nor what one source does of others in a drop")
  func Z15_eachByItself() throws {
    let streams = SessionStreams()
    let first = streams.drop(SessionID(1)).closer
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { bytes.deallocate() }
    #expect(clinux_send_descriptors(pair.ours.raw, [0], 1, [pair.ours.raw], 1, 0) == 1)
    #expect(throws: LoadError.self) { try RingSocket.receive(pair.theirs.raw, bytes, by: first) {} }
    // Its own rings are read no more, whatever comes in between.
    let second = streams.drop(SessionID(2)).closer
    #expect(streams.drop(SessionID(1)).closer === first && second !== first)
    #expect(CLinux.send(pair.ours.raw, "four", 4, 0) == 4)
    #expect(try RingSocket.receive(pair.theirs.raw, bytes, by: second) {} == 4)
    // Nor is what cannot be closed forgotten.
    let lingering = try Lingering()
    second.close(lingering.take().release())
    _ = streams.drop(SessionID(3))
    #expect(streams.drop(SessionID(2)).closer === second)
    lingering.end()
    #expect(
      wait {
        _ = streams.drop(SessionID(UInt32.random(in: 10 ... .max)))
        return streams.drop(SessionID(2)).closer !== second
      })
    // A file provider's drops are known as long.
    let served = ServedDrops()
    let its = served.streams(of: 1)
    #expect(clinux_send_descriptors(pair.ours.raw, [0], 1, [pair.ours.raw], 1, 0) == 1)
    #expect(throws: LoadError.self) { try RingSocket.receive(pair.theirs.raw, bytes, by: its.drop(nil).closer) {} }
    _ = served.streams(of: 2)
    #expect(served.streams(of: 1) === its)
    // Also one of which nothing was to be remembered when another was served, since its load had not been answered.
    var waiting: SessionStreams? = served.streams(of: 3)
    weak let late = waiting
    _ = served.streams(of: 4)
    let itsCloser = try #require(waiting?.drop(nil).closer)
    #expect(clinux_send_descriptors(pair.ours.raw, [0], 1, [pair.ours.raw], 1, 0) == 1)
    #expect(throws: LoadError.self) { try RingSocket.receive(pair.theirs.raw, bytes, by: itsCloser) {} }
    waiting = nil
    _ = served.streams(of: 5)
    #expect(late != nil && served.streams(of: 3) === late)
    let progress = SessionProgress()
    let one = progress.leftBehind(ofOwner: 0)
    #expect(progress.leftBehind(ofOwner: 0) === one && progress.leftBehind(ofOwner: 1) !== one)
  }

  @Test("all descriptors of a packet are received, whatever else its socket has it bring")
  func roomForAllDescriptors() throws {
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    let (ours, theirs) = (pair.ours.raw, pair.theirs.raw)
    var on: CInt = 1
    // SO_PASSPIDFD, of Linux 6.5.
    let hasProcess = setsockopt(theirs, SOL_SOCKET, 76, &on, socklen_t(MemoryLayout<CInt>.size)) == 0
    for option in [SO_PASSCRED, SO_PASSSEC, SO_TIMESTAMP] {
      setsockopt(theirs, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<CInt>.size))
    }
    #expect(clinux_send_descriptors(ours, [0], 1, [CInt](repeating: ours, count: 253), 253, 0) == 1)
    var (byte, count) = (UInt8(0), CInt(0))
    var descriptors = [CInt](repeating: -1, count: 300)
    #expect(clinux_receive_descriptors(theirs, &byte, 1, &descriptors, 300, &count) == 1)
    #expect(count == (hasProcess ? 254 : 253))
    for one in descriptors where one >= 0 { close(one) }
  }

  @Test("what comes behind a ring's last packet, also beside no bytes at all, keeps nobody waiting")
  func behindTheLastPacket() throws {
    let lingering = try [Lingering(isBare: true), Lingering(isBare: true)]
    let ring = try RingWriter()
    var pair: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
    let ours = Descriptor(owning: pair[0])
    let last = withUnsafeBytes(of: RingLayout.end) { Array($0) }
    #expect(CLinux.send(ours.raw, last, 4, 0) == 4)
    send([], with: lingering[0], to: ours.raw)
    send([1], with: lingering[1], to: ours.raw)
    let (memory, socket) = (clinux_dup_above(ring.memory, 0), pair[1])
    #expect(try receiveInTime(memory, socket)?.get() == 0)
    for one in lingering { one.end() }
  }

  @Test("a ring with a socket that listens is refused, and nobody waits for what waits to be accepted")
  func aRingThatListens() throws {
    let lingering = try Lingering(isBare: true)
    let ring = try RingWriter()
    let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let listener = try check("socket") { socket(AF_UNIX, kind, 0) }
    let caller = Descriptor(owning: try check("socket") { socket(AF_UNIX, kind, 0) })
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // With no more than the family it gets a name by itself.
    var length = socklen_t(MemoryLayout<sa_family_t>.size)
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        try check("bind") { bind(listener, name, length) }
        try check("listen") { listen(listener, 1) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        try check("getsockname") { getsockname(listener, name, &length) }
        try check("connect") { connect(caller.raw, name, length) }
      }
    }
    send([0], with: lingering, to: caller.raw)
    _ = consume caller
    let result = try receiveInTime(clinux_dup_above(ring.memory, 0), listener)
    #expect(throws: LoadError.self) { try result?.get() }
    lingering.end()
  }

  @Test("a ring that is made ahead has its pages, and goes to one stream")
  func aRingAhead() throws {
    let ahead = RingAhead()
    #expect(ahead.take() == nil)
    ahead.begin()
    let first = Shared<RingWriter?>(nil)
    #expect(
      wait {
        first.value = ahead.take()
        return first.value != nil
      })
    let ring = try #require(first.value)
    var status = stat()
    #expect(fstat(ring.memory, &status) == 0 && Int(status.st_blocks) * 512 == RingLayout.size)
    #expect(ahead.take() == nil)
    // Nobody asks for the next one.
    ahead.begin()
    ahead.end()
    #expect(ahead.take() == nil)
  }

  @Test("a ring is made ahead for streams, and for bytes that are too many for one piece of memory")
  func whoNeedsARing() {
    let stream = ItemProvider()
    stream.registerStreamRepresentation(forType: "application/x-stream") { _ in }
    let later = ItemProvider()
    later.registerDataRepresentation(forType: "application/x-later") { $0(.success([])) }
    func provider(_ count: Int) -> ItemProvider {
      ItemProvider(data: [UInt8](repeating: 7, count: count), type: "image/png")
    }
    let needs = [stream, later, provider(ItemProvider.memoryLimit), provider(ItemProvider.memoryLimit + 1)].map(
      \.needsRing)
    #expect(needs == [true, false, false, true])
  }

  @Test("a destination's credit that brings a descriptor ends the stream, and the source waits for nothing")
  func aDescriptorInACredit() throws {
    let lingering = try Lingering(isBare: true)
    let hasEnded = Barrier()
    let ring = Shared<RingWriter?>(try RingWriter())
    let socket = Descriptor(owning: clinux_dup_above(try #require(ring.value?.otherEnd), 0))
    send([0], with: lingering, to: socket.raw)
    try Worker.start {
      let bytes = [UInt8](repeating: 7, count: RingLayout.size + 1)
      _ = try? bytes.withUnsafeBytes { try ring.value?.write($0, unless: Cancellation()) }
      ring.value = nil
      hasEnded.open()
    }
    #expect(wait(seconds: 10) { hasEnded.hasOpened })
    lingering.end()
  }

  @Test("a ring into which its source can punch holes is refused: to read holes may take seconds")
  func aRingWithHoles() throws {
    let memory = Descriptor(owning: clinux_memfd_create("ring"))
    #expect(ftruncate(memory.raw, RingLayout.size) == 0)
    #expect(clinux_add_seals(memory.raw, CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW)) == 0)
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    // Where it is taken, nothing comes.
    let result = try receiveInTime(clinux_dup_above(memory.raw, 0), clinux_dup_above(pair.theirs.raw, 0))
    #expect(throws: LoadError.self) { try result?.get() }
  }

  @Test("a ring whose source says that receiving may wait for ever is given up all the same")
  func aRingThatWaitsForEver() throws {
    let ring = try RingWriter()
    let transfer = TransferState()
    let memory = clinux_dup_above(ring.memory, 0)
    let socket = clinux_dup_above(ring.otherEnd, 0)
    let result = Shared<Result<Int, LoadError>?>(nil)
    let hasEnded = Barrier()
    try Worker.start {
      result.value = Receiver.receive(
        .ring(memory: memory, socket: socket), into: ByteSink(limit: 1 << 20), transfer, progress: { _ in })
      hasEnded.open()
    }
    var never = timeval(tv_sec: 0, tv_usec: 0)
    setsockopt(ring.otherEnd, SOL_SOCKET, SO_RCVTIMEO, &never, socklen_t(MemoryLayout<timeval>.size))
    transfer.end()
    expectCancelled(result, hasEnded)
  }

  @Test("a ring that nobody wants is let go of without waiting for what waits in its socket")
  func aRingWithSomethingThatLingers() throws {
    let lingering = try Lingering()
    let outer = lingering.take()
    let socket = clinux_dup_above(outer.raw, 0)
    _ = consume outer
    let memory = clinux_memfd_create("ring")
    let hasEnded = Barrier()
    try Worker.start {
      WireLoad.Delivery.ring(memory: memory, socket: socket).closeAside()
      hasEnded.open()
    }
    // It lingers for 20 s.
    #expect(wait(seconds: 10) { hasEnded.hasOpened })
    lingering.end()
  }
}
