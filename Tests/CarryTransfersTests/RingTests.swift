import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import CarryTransfers

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
    #expect(sink.removeAll() == bytes)
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

  @Test("a ring into which its source can punch holes is refused: to read holes may take seconds")
  func aRingWithHoles() throws {
    let memory = Descriptor(owning: clinux_memfd_create("ring"))
    #expect(ftruncate(memory.raw, RingLayout.size) == 0)
    #expect(clinux_add_seals(memory.raw, CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW)) == 0)
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    // Where it is taken, nothing comes.
    let (memoryCopy, socket) = (clinux_dup_above(memory.raw, 0), clinux_dup_above(pair.theirs.raw, 0))
    let result = receive(.ring(memory: memoryCopy, socket: socket), into: ByteSink(limit: 1 << 20))
    #expect(throws: LoadError.self) { try result.get() }
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
      result.value = PayloadReader.read(
        .ring(memory: memory, socket: socket), into: ByteSink(limit: 1 << 20), transfer, progress: { _, _ in })
      hasEnded.open()
    }
    var never = timeval(tv_sec: 0, tv_usec: 0)
    setsockopt(ring.otherEnd, SOL_SOCKET, SO_RCVTIMEO, &never, socklen_t(MemoryLayout<timeval>.size))
    transfer.end()
    expectCancelled(result, hasEnded)
  }
}
