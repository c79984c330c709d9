import CLinux
import CarryModel
import CarrySystem
import Synchronization
import Testing

@testable import Carry

/// Threads of many transfers, by turns. Where no turn may be taken from anybody, patience lasts an hour.
@Suite struct TurnstileTests {
  private static let hour = Interval.seconds(3600)

  /// One at a time, with turns that end only as the tests say.
  private func turnstile(patience: Interval = hour, chunks: Int = 16) -> Turnstile {
    Turnstile(places: 1, patience: patience, chunks: chunks, longest: Self.hour)
  }

  /// Whether there is a turn to be had, by a thread that ends then.
  private func hasTurn(_ turnstile: Turnstile) throws -> Bool {
    let ended = Count()
    try Worker.start {
      turnstile.pass().beginChunk()
      ended.add()
    }
    return wait { ended.value == 1 }
  }

  private final class Counts: Sendable {
    let chunks: Mutex<[Int]>
    let widest = Mutex(0)
    init(_ count: Int) { chunks = Mutex(Array(repeating: 0, count: count)) }

    func add(_ i: Int) {
      let now = chunks.withLock {
        $0[i] += 1
        return $0
      }
      let spread = (now.max() ?? 0) - (now.min() ?? 0)
      widest.withLock { $0 = max($0, spread) }
    }
  }

  @Test("a hundred that can all go on stay within one turn of each other") func equalShares() throws {
    let (count, chunks, turns) = (100, 4, 5)
    let turnstile = turnstile(chunks: chunks)
    let counts = Counts(count)
    let ended = Count()
    let first = turnstile.pass()
    first.beginChunk()
    for i in 0..<count {
      try Worker.start {
        let pass = turnstile.pass()
        for _ in 0..<chunks * turns {
          pass.beginChunk()
          counts.add(i)
        }
        pass.giveBack()
        ended.add()
      }
    }
    #expect(wait { turnstile.waitingCount == count })
    first.giveBack()
    #expect(wait { ended.value == count })
    #expect(counts.chunks.withLock { $0.allSatisfy { $0 == chunks * turns } })
    #expect(counts.widest.withLock { $0 } == chunks)
  }

  @Test("one that does not come back stops nobody") func oneThatDoesNotComeBack() throws {
    let turnstile = turnstile(patience: .milliseconds(1))
    let stuck = turnstile.pass()
    stuck.beginChunk()
    let ended = Count()
    for _ in 0..<3 {
      try Worker.start {
        turnstile.pass().beginChunk()
        ended.add()
      }
    }
    #expect(wait { ended.value == 3 })
    // It goes on to the end of its turn, and may ask for another.
    stuck.beginChunk()
    stuck.giveBack()
    #expect(try hasTurn(turnstile))
  }

  @Test("a thread that ends leaves no turn behind") func aThreadThatEnds() throws {
    let turnstile = turnstile()
    for _ in 0..<2 { #expect(try hasTurn(turnstile)) }
  }

  /// Writes into a ring whose reader reads nothing, until it is full.
  private final class Writing: Sendable {
    private let ring: RingWriter
    private let cancellation = Cancellation()
    private let end = Mutex<String?>(nil)
    let slots = Count()

    /// - Parameter between: code of the application's, after each slot but the last.
    init(_ turnstile: Turnstile, slots count: Int, between: @escaping @Sendable (_ slot: Int) -> Void = { _ in }) throws
    {
      ring = try RingWriter(turnstile: turnstile)
      try Worker.start {
        let slot = [UInt8](repeating: 7, count: RingLayout.slotSize)
        do {
          for i in 0..<count {
            try slot.withUnsafeBytes { try self.ring.write($0, unless: self.cancellation) }
            self.slots.add()
            if i < count - 1 { between(i) }
          }
          self.end.withLock { $0 = "done" }
        } catch {
          self.end.withLock { $0 = "\(error)" }
        }
      }
    }

    var ended: String? { end.withLock { $0 } }
    func cancel() { cancellation.cancel() }
    /// What a reader sends for a slot that it has read.
    func giveCredit() {
      var credit: UInt8 = 1
      _ = send(ring.otherEnd, &credit, 1, CInt(MSG_NOSIGNAL))
    }
  }

  @Test("who waits for a reader has no turn, nor has one whose load was cancelled") func waitingForAReader()
    throws
  {
    let turnstile = turnstile()
    let full = try Writing(turnstile, slots: RingLayout.slots + 2)
    #expect(wait { full.slots.value == RingLayout.slots })
    let other = try Writing(turnstile, slots: RingLayout.slots)
    #expect(wait { other.ended == "done" })
    // It goes on with what the reader gives back.
    full.giveCredit()
    #expect(wait { full.slots.value == RingLayout.slots + 1 })
    full.cancel()
    #expect(wait { full.ended != nil })
    #expect(full.ended != "done")
    #expect(try hasTurn(turnstile))
  }

  @Test("a large write gives its turn back where it waits for its reader") func aLargeWrite() throws {
    let turnstile = turnstile()
    let ring = try RingWriter(turnstile: turnstile)
    let cancellation = Cancellation()
    let ended = Count()
    try Worker.start {
      let bytes = [UInt8](repeating: 7, count: RingLayout.size * 2)
      try? bytes.withUnsafeBytes { try ring.write($0, unless: cancellation) }
      ended.add()
    }
    // The ring's last slot is announced as it waits for the first.
    var numbers = 0
    #expect(
      wait {
        var number: UInt32 = 0
        if recv(ring.otherEnd, &number, 4, CInt(MSG_DONTWAIT)) == 4 { numbers += 1 }
        return numbers == RingLayout.slots
      })
    let other = try Writing(turnstile, slots: 1)
    #expect(wait { other.ended == "done" })
    cancellation.cancel()
    #expect(wait { ended.value == 1 })
  }

  @Test("a source that waits for another transfer of its process gets there, with and without a turn")
  func waitingForAnotherTransfer() throws {
    let turnstile = turnstile()
    let second = Barrier()
    let first = try Writing(turnstile, slots: 2) { _ in second.wait() }
    #expect(wait { first.slots.value == 1 })
    let other = try Writing(turnstile, slots: 2)
    #expect(wait { other.ended == "done" })
    second.open()
    #expect(wait { first.ended == "done" })

    // The same from within a turn, as where a write's own bytes come from what the other transfer brings.
    let handing = self.turnstile(patience: .milliseconds(1))
    let holder = handing.pass()
    holder.beginChunk()
    let awaited = try Writing(handing, slots: 2)
    #expect(wait { awaited.ended == "done" })
  }
}
