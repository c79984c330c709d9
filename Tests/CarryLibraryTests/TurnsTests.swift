import CarryModel
import Testing

@testable import Carry

/// Who goes on with bulk work, by a clock that the tests move.
@Suite struct TurnsTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }
  private func turns(places: Int = 1) -> Turns { Turns(places: places, patience: .milliseconds(10)) }

  /// Asks for many, one after the other.
  private func ask(_ turns: inout Turns, _ members: [Int], at now: Instant) -> [Turns.Answer] {
    members.map { turns.ask($0, at: now).answer }
  }

  @Test("first come, first served, so many at a time") func firstComeFirstServed() {
    var turns = turns(places: 2)
    #expect(ask(&turns, [1, 2, 3, 4], at: at(0)) == [.go, .go, .wait(until: at(10)), .wait(until: nil)])
    // The one that watched has a turn, and the last one watches in its place.
    #expect(turns.leave(2, at: at(1)) == [3, 4])
    #expect(ask(&turns, [3, 4], at: at(2)) == [.go, .wait(until: at(10))])
    #expect(ask(&turns, [2], at: at(3)) == [.wait(until: nil)])
    #expect(turns.leave(1, at: at(4)) == [4, 2])
    #expect(ask(&turns, [4, 2], at: at(5)) == [.go, .wait(until: at(12))])
    #expect(turns.waitingCount == 1)
  }

  @Test("who asks again keeps its place in the line") func askingAgain() {
    var turns = turns()
    #expect(ask(&turns, [1, 2, 3, 2, 3, 2], at: at(0)).last == .wait(until: at(10)))
    #expect(turns.waitingCount == 2)
    #expect(turns.leave(1, at: at(1)).first == 2)
  }

  @Test("the place of one that does not come back goes to the next, once its time is over")
  func oneThatIsElsewhere() {
    var turns = turns()
    #expect(ask(&turns, [1], at: at(0)) == [.go])
    #expect(ask(&turns, [2], at: at(3)) == [.wait(until: at(10))])
    #expect(ask(&turns, [2], at: at(9)) == [.wait(until: at(10))])
    #expect(ask(&turns, [2], at: at(10)) == [.go])
    #expect(ask(&turns, [3], at: at(11)) == [.wait(until: at(20))])
    // It has nothing to give back, and its next turn comes after the others'.
    #expect(turns.leave(1, at: at(12)) == [])
    #expect(ask(&turns, [1], at: at(13)) == [.wait(until: nil)])
    #expect(turns.leave(2, at: at(14)) == [3, 1])
  }

  @Test("all places of those that are elsewhere are given away at once")
  func manyElsewhere() {
    var turns = turns(places: 3)
    #expect(ask(&turns, [1, 2, 3, 4, 5], at: at(0)).suffix(2) == [.wait(until: at(10)), .wait(until: nil)])
    let (answer, woken) = turns.ask(6, at: at(10))
    #expect(answer == .go)
    #expect(woken == [4, 5])
  }

  @Test("one that has not noticed its turn yet waits for a processor, and is not elsewhere")
  func oneThatHasNotNoticed() {
    var turns = turns()
    #expect(ask(&turns, [1, 2, 3], at: at(0)).first == .go)
    #expect(turns.leave(1, at: at(1)) == [2, 3])
    #expect(ask(&turns, [3], at: at(500)) == [.wait(until: at(510))])
    #expect(ask(&turns, [3], at: at(510)) == [.wait(until: at(520))])
    #expect(ask(&turns, [2], at: at(515)) == [.go])
    #expect(ask(&turns, [3], at: at(520)) == [.wait(until: at(525))])
    #expect(ask(&turns, [3], at: at(525)) == [.go])
  }

  @Test("of those that wait one always watches the time, whichever gives up") func oneWatches() {
    var turns = turns()
    #expect(ask(&turns, [1, 2, 3, 4], at: at(0))[1] == .wait(until: at(10)))
    #expect(turns.leave(2, at: at(1)) == [4])
    #expect(ask(&turns, [3, 4], at: at(2)) == [.wait(until: nil), .wait(until: at(10))])
    #expect(turns.leave(4, at: at(3)) == [3])
    #expect(ask(&turns, [3], at: at(4)) == [.wait(until: at(10))])
    #expect(turns.leave(3, at: at(5)) == [])
    #expect(turns.leave(1, at: at(6)) == [])
    #expect(ask(&turns, [9], at: at(7)) == [.go])
  }

  @Test("one that gives up as its turn comes loses it for nobody") func givingUpAsTheTurnComes() {
    var turns = turns()
    #expect(ask(&turns, [1, 2, 3], at: at(0)).first == .go)
    #expect(turns.leave(1, at: at(1)) == [2, 3])
    #expect(turns.leave(2, at: at(2)) == [3])
    #expect(ask(&turns, [3], at: at(3)) == [.go])
  }
}
