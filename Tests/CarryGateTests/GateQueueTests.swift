import CarryGate
import CarryModel
import Testing

@Suite struct GateQueueTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  private func queue() -> GateQueue { GateQueue(patience: .milliseconds(600)) }

  @Test("Z4: each touch is decided once") func Z4_eachTouchIsDecidedOnce() {
    var q = queue()
    q.began(1, at: at(0))
    let accepted = [q.accept(1), q.accept(1)]
    #expect(accepted == [true, false])
    let late = q.reject(1)
    #expect(late.isEmpty)
    q.began(2, at: at(0))
    let rejected = q.reject(2)
    #expect(rejected == [2])
    let again = q.accept(2)
    #expect(!again)
    #expect(q.count == 0 && q.nextDeadline == nil)
  }

  @Test("Z23: a touch may be held for longer than others") func Z23_longer() {
    var q = queue()
    q.began(1, at: at(0), longer: .milliseconds(450))
    q.began(2, at: at(10))
    #expect(q.nextDeadline == at(610))
    let first = q.expire(at: at(1049))
    #expect(first == [2] && q.nextDeadline == at(1050))
    let second = q.expire(at: at(1050))
    #expect(second == [1])
  }

  @Test("L8: a touch is held for a second longer, once, when its lift has begun") func L8_liftBegan() {
    var q = queue()
    q.began(1, at: at(0))
    q.began(2, at: at(10))
    q.liftBegan(1)
    q.liftBegan(1)
    q.liftBegan(9)
    #expect(q.nextDeadline == at(610))
    let first = q.expire(at: at(1599))
    #expect(first == [2] && q.nextDeadline == at(1600))
    let second = q.expire(at: at(1600))
    #expect(second == [1])
  }

  @Test("Z4: a touch that has ended has no longer time, and is never given after a later one")
  func Z4_endedAndLonger() {
    var q = queue()
    q.began(1, at: at(0))
    q.liftBegan(1)
    q.ended(1)
    q.liftBegan(1)
    #expect(q.nextDeadline == at(600))
    q.began(2, at: at(10))
    let both = q.expire(at: at(610))
    #expect(both == [1, 2])
    // Where windows have more time, what has ended in them goes before a later touch whose time is up.
    q.began(3, at: at(1000), longer: .milliseconds(450))
    q.began(4, at: at(1010), longer: .milliseconds(450))
    q.began(5, at: at(1020))
    q.ended(3)
    let due = q.expire(at: at(1620))
    #expect(due == [3, 5])
    let down = q.expire(at: at(2060))
    #expect(down == [4])
  }

  @Test("Z4: a rejection takes earlier touches along that have ended")
  func Z4_aRejectionTakesEarlierTouchesAlongThatHaveEnded() {
    var q = queue()
    q.began(1, at: at(0))
    q.began(2, at: at(10))
    q.began(3, at: at(20))
    q.ended(1)
    // The first has ended and comes first; the second is still down and may yet lift.
    let rejected = q.reject(3)
    #expect(rejected == [1, 3])
    let accepted = q.accept(2)
    #expect(accepted)
  }

  @Test("what is not decided in time is the applications") func whatIsNotDecidedInTimeIsTheApplications() {
    var q = queue()
    q.began(1, at: at(0))
    q.began(2, at: at(100))
    #expect(q.nextDeadline == at(600))
    let early = q.expire(at: at(599))
    #expect(early.isEmpty)
    let due = q.expire(at: at(700))
    #expect(due == [1, 2])
    let accepted = q.accept(1)
    #expect(!accepted)
  }
}
