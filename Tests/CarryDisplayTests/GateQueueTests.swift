import CarryDisplay
import CarryModel
import Testing

@Suite struct GateQueueTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  private func queue() -> GateQueue { GateQueue(patience: .milliseconds(600)) }

  @Test func Z4_eachTouchIsDecidedOnce() {
    var q = queue()
    q.began(1, at: at(0))
    #expect(q.accept(1))
    #expect(!q.accept(1))
    #expect(q.reject(1).isEmpty)
    q.began(2, at: at(0))
    #expect(q.reject(2) == [2])
    #expect(!q.accept(2))
    #expect(q.count == 0 && q.nextDeadline == nil)
  }

  @Test func Z4_aRejectionTakesEarlierTouchesAlongThatHaveEnded() {
    var q = queue()
    q.began(1, at: at(0))
    q.began(2, at: at(10))
    q.began(3, at: at(20))
    q.ended(1)
    // The first has ended and comes first; the second is still down and may yet lift.
    #expect(q.reject(3) == [1, 3])
    #expect(q.accept(2))
  }

  @Test func T30_whatIsNotDecidedInTimeIsTheApplications() {
    var q = queue()
    q.began(1, at: at(0))
    q.began(2, at: at(100))
    #expect(q.nextDeadline == at(600))
    #expect(q.expire(at: at(599)).isEmpty)
    #expect(q.expire(at: at(700)) == [1, 2])
    #expect(!q.accept(1))
  }
}
