import CLinux
import CWaylandServer
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// Descriptors of clients whose closing waits for somebody who does not answer.
@Suite(.serialized) struct ClosingTests {
  private typealias R = RawClient

  /// The engine serves others while something cannot be closed, which is so all the time.
  private func servesOthers(_ b: Bench) throws {
    let honest = try b.client()
    for sync in 4..<UInt32(20) { #expect(b.settle(honest, sync: sync)) }
    #expect(!honest.hasEnded)
    #expect(b.isClosing, "it was waited for")
  }

  /// The client is gone, and what it sent lingers: others are served, until it ends.
  private func servesOthersUntilItEnds(_ b: Bench, _ lingering: Lingering) throws {
    #expect(b.turn { b.delegate.gone.count == 1 })
    #expect(b.turn { b.isClosing })
    try servesOthers(b)
    lingering.end()
    #expect(b.turn { !b.isClosing })
  }

  @Test("a local socket that no message took, in which something lingers, holds nobody up")
  func aConnectionThatLingers() throws {
    let b = try Bench()
    var raw: RawClient? = try b.client()
    let lingering = try Lingering()
    lingering.give(to: raw!, object: 4)
    #expect(b.settle(raw!, sync: 5))
    raw = nil
    try servesOthersUntilItEnds(b, lingering)
  }

  @Test("memory is closed at once where there is little of it, by its pages and not by its size")
  func muchMemory() throws {
    for (pages, isLittle) in [(0, true), (1 << 20, true), (4 << 20, true), (5 << 20, false)] {
      let memory = Descriptor(owning: clinux_memfd_create("memory"))
      #expect(ftruncate(memory.raw, 5) == 0)
      #expect(pages == 0 || clinux_reserve(memory.raw, off_t(pages)) == 0)
      #expect(cwayland_closes_at_once(memory.raw) == isLittle, "\(pages)")
    }
    // A tmpfs and all that is in it may end with its last file.
    let path = "/dev/shm/carry-closing-\(getpid())"
    let file = try Descriptor.open(path, O_RDWR | O_CREAT, mode: 0o600)
    unlink(path)
    #expect(!cwayland_closes_at_once(file.raw))
    let pipe = try Pipe()
    #expect(!cwayland_closes_at_once(pipe.read.raw) && !cwayland_closes_at_once(pipe.write.raw))
  }

  @Test("a connection is closed at once, however long it would linger") func aBareConnection() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 5, R.words([4])))
    let lingering = try Lingering(isBare: true)
    let socket = lingering.take()
    // No picture: it is refused, and closed.
    raw.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [socket.raw])
    _ = consume socket
    let began = MonotonicClock.now()
    #expect(b.settle(raw, sync: 5))
    #expect(b.turn { !b.isClosing })
    // It lingers for 20 s.
    #expect(MonotonicClock.now() < began + .seconds(10))
    lingering.end()
  }

  @Test("one that the engine has not even read holds nobody up") func unreadOnesThatLinger() throws {
    let b = try Bench()
    var raw: RawClient? = try b.client()
    let lingering = try Lingering()
    lingering.give(to: raw!, object: 4)
    // The engine finds that it has hung up before it reads.
    raw = nil
    try servesOthersUntilItEnds(b, lingering)
  }

  @Test("one beside a byte out of band holds nobody up") func outOfBand() throws {
    let b = try Bench()
    var raw: RawClient? = try b.client()
    let lingering = try Lingering()
    try lingering.giveOutOfBand(to: raw!, object: 4)
    #expect(b.turn { raw!.hasReceived(4) })
    raw = nil
    #expect(b.turn { b.isClosing })
    try servesOthers(b)
    lingering.end()
    #expect(b.turn { !b.isClosing })
  }

  // MARK: More than there is room for

  @Test("descriptors beyond what a message may bring hold nobody up, and end the client")
  func moreThanFit() throws {
    let b = try Bench()
    let raw = try b.client()
    let lingering = try Lingering()
    let null = try Descriptor.open("/dev/null", O_RDONLY)
    lingering.give(to: raw, object: 4, behind: .init(repeating: null.raw, count: 40))
    #expect(b.ends(raw))
    #expect(String(decoding: raw.received, as: UTF8.self).contains("more descriptors at once"))
    #expect(b.turn { b.isClosing })
    try servesOthers(b)
    lingering.end()
    #expect(b.turn { !b.isClosing })
  }

  // MARK: Files

  @Test("a file that cannot be closed holds nobody up, neither where it is refused nor where it goes on")
  func aFileThatCannotBeClosed() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    let b = try Bench()
    let source = try b.client()
    source.send(
      R.message(3, 5, R.words([4])) + R.message(3, 3, R.words([5]))
        + R.message(5, 3, R.string("text/plain") + R.words([0])))
    // No picture: it is refused, and closed.
    source.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [file.fd])
    #expect(b.settle(source, sync: 6))
    #expect(
      b.turn {
        file.look()
        return file.flushes == 1
      })
    try servesOthers(b)
    // To a destination: what came and the copy for it are closed.
    let destination = try b.client()
    destination.send(R.message(3, 2, R.words([4, 7])))
    #expect(b.settle(destination, sync: 5))
    b.offer()
    destination.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.destination != nil })
    #expect(b.server.load(TransferID(1), ItemID(1), of: SessionID(1), in: SessionID(1), type: "text/plain", as: .data))
    #expect(b.turn { source.hasReceived(5) })
    source.send(R.message(0xFF00_0000, 1), descriptors: [file.fd])
    #expect(b.turn { b.delegate.transfers == ["provided"] && destination.hasReceived(6) })
    try servesOthers(b)
    // One thread for all of a process: the first is still under way.
    file.look()
    #expect(file.flushes == 1)
    #expect(!file.cameTooLate)
    file.answer()
    #expect(b.turn { !b.isClosing })
  }

  @Test("however many owners have a file that cannot be closed, those of others are closed")
  func manyOwners() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    let stuck = (0..<200).map { _ in AsideCloser.newOwner() }
    for owner in stuck { AsideCloser.close(clinux_dup_above(file.fd, 0), of: owner) }
    let owner = AsideCloser.newOwner()
    AsideCloser.close(clinux_dup_above(STDERR_FILENO, 0), of: owner)
    let isDone = Wait.until { AsideCloser.isDone(with: owner) }
    #expect(isDone)
    file.look()
    #expect(!file.cameTooLate)
    file.answer()
    #expect(Wait.until(seconds: 60) { stuck.allSatisfy { AsideCloser.isDone(with: $0) } })
  }

  @Test("any number that can be closed is no offence") func manyThatCanBeClosed() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 5, R.words([4])))
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    for _ in 0..<10 {
      for _ in 0..<50 { raw.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [file.raw]) }
      raw.received = []
      #expect(b.settle(raw, sync: 5))
    }
    #expect(b.turn { !b.isClosing })
    #expect(!raw.hasEnded)
  }

  @Test("whoever sends 64 files that cannot be closed goes, and does not come back before they are")
  func manyThatCannotBeClosed() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 5, R.words([4])))
    for _ in 0..<Limits.closingFiles { raw.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [file.fd]) }
    #expect(b.settle(raw, sync: 5))
    // As long as it takes until it counts that they are not closed.
    let began = MonotonicClock.now()
    #expect(b.turn { began + .milliseconds(1200) < MonotonicClock.now() })
    #expect(!raw.hasEnded)
    raw.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [file.fd])
    #expect(b.ends(raw))
    #expect(String(decoding: raw.received, as: UTF8.self).contains("64 files that it sent cannot be closed"))
    let again = try RawClient(b.path)
    again.greet()
    #expect(b.ends(again))
    #expect(String(decoding: again.received, as: UTF8.self).contains("64 files of this process cannot be closed"))
    file.answer()
    #expect(b.turn { !b.isClosing })
    #expect(try !b.client().hasEnded)
  }
}
