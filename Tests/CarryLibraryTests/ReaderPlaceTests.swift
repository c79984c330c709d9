import CLinux
import CarryModel
import CarrySystem
import Synchronization
import Testing

@testable import Carry

/// A ring's two ends on two processors.
@Suite struct ReaderPlaceTests {
  /// After how many credits the writer leaves, of so many from its own processor.
  private func leavings(_ place: inout ReaderPlace, credits: Int, on processor: CInt = 3) -> [Int] {
    (1...credits).filter { _ in place.takes(ReaderPlace.credit(of: processor), on: processor) }
  }

  @Test("a writer leaves its processor when its reader begins there, later after four credits, and seldom")
  func leaves() {
    var place = ReaderPlace()
    #expect(leavings(&place, credits: 200) == [1, 1 + 64 + 4, 1 + 2 * (64 + 4)])
    while place.takes(ReaderPlace.credit(of: 3), on: 3) == false {}
    #expect(leavings(&place, credits: 64 + 3) == [])
    let wasElsewhere = place.takes(ReaderPlace.credit(of: 1), on: 3)
    #expect(!wasElsewhere)
    #expect(leavings(&place, credits: 10) == [4])
  }

  @Test("a writer of a ring leaves the processor that its reader's credits name", arguments: [true, false])
  func aRing(isTogether: Bool) throws {
    let left = Mutex<[CInt]>([])
    let ring = try RingWriter(
      turnstile: Turnstile(places: 1),
      processors: Processors(own: { 3 }, leave: { processor in left.withLock { $0.append(processor) } }))
    let ended = Count()
    let cancellation = Cancellation()
    try Worker.start {
      let bytes = [UInt8](repeating: 7, count: RingLayout.slotSize * 20)
      try? bytes.withUnsafeBytes { try ring.write($0, unless: cancellation) }
      ended.add()
    }
    #expect(
      wait {
        var number: UInt32 = 0
        if recv(ring.otherEnd, &number, 4, CInt(MSG_DONTWAIT)) == 4 {
          var credit = ReaderPlace.credit(of: isTogether ? 3 : 1)
          _ = send(ring.otherEnd, &credit, 1, CInt(MSG_NOSIGNAL))
        }
        return ended.value == 1
      })
    #expect(left.withLock { $0 } == (isTogether ? [3] : []))
  }

  @Test(
    "a destination that gives credit for what it does not read ends its load, and keeps no thread of the source's")
  func creditForNothing() throws {
    let ring = try RingWriter(turnstile: Turnstile(places: 1))
    let error = Shared<LoadError?>(nil)
    let ended = Count()
    let cancellation = Cancellation()
    try Worker.start {
      let bytes = [UInt8](repeating: 7, count: RingLayout.slotSize)
      do {
        for _ in 0..<10_000 { try bytes.withUnsafeBytes { try ring.write($0, unless: cancellation) } }
      } catch let failure { error.value = failure as? LoadError }
      ended.add()
    }
    #expect(
      wait {
        var credit = UInt8(0)
        while send(ring.otherEnd, &credit, 1, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) == 1 {}
        return ended.value == 1
      })
    #expect(error.value?.description == "the destination acknowledges data that it has not read")
  }

  @Test("a reader that does not say where it is has no writer leave", arguments: [CInt(0), 3, 255, 1000])
  func silentReaders(processor: CInt) {
    var place = ReaderPlace()
    let leaves = (1...20).filter { _ in place.takes(0, on: processor) }
    #expect(leaves == [])
  }

  @Test("each processor has a credit that is not 0") func credits() {
    #expect(Set((0..<255).map { ReaderPlace.credit(of: $0) }) == Set(1...255))
    #expect(ReaderPlace.credit(of: 255) == 1)
    #expect(ReaderPlace.credit(of: -1) == 0)
  }

  @Test("a thread that leaves a processor goes on on another one, and may run where it could before")
  func mayRunAnywhere() throws {
    let processors = sysconf(CInt(_SC_NPROCESSORS_ONLN))
    let ended = Count()
    let stays = Count()
    let changes = Count()
    try Worker.start {
      for _ in 0..<20 {
        let before = clinux_allowed_processors()
        let processor = clinux_processor()
        clinux_leave_processor(processor)
        if clinux_allowed_processors() != before { changes.add() }
        if processors > 1, before > 1, clinux_processor() == processor { stays.add() }
      }
      // None of these is one that it runs on.
      for none in [CInt(-1), 1 << 20] { clinux_leave_processor(none) }
      ended.add()
    }
    #expect(wait { ended.value == 1 })
    #expect(changes.value == 0)
    // The kernel may move it back right away where others come.
    #expect(stays.value < 10)
  }
}
