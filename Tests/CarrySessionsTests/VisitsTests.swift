import CarryModel
import Testing

@testable import CarrySessions

/// What drop regions have seen of a drag, without an engine.
@Suite struct VisitsTests {
  private let a = RegionID(1)
  private let b = RegionID(2)
  private let c = RegionID(3)
  private let one = ClientID(1)
  private let two = ClientID(2)

  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  @Test("D5: who refuses all there is stays refused until items are added") func D5_refusing() {
    var visit = Visit(a, of: one)
    #expect(visit.offer(2) == 0)
    #expect(visit.offer(2) == nil)
    #expect(visit.knowsAll(2) && !visit.knowsAll(3))
    visit.ask(serial: 7, deadline: at(100))
    // Another question's answer says nothing of this one.
    #expect(visit.answered(canHandle: true, serial: 6, of: 2) == nil)
    #expect(visit.answerDue == at(100))
    #expect(visit.answered(canHandle: false, serial: 7, of: 2) == .refuses)
    #expect(visit.isRefused && visit.answerDue == nil)
    #expect(visit.answered(canHandle: true, serial: 7, of: 2) == nil)
    visit.itemsChanged()
    #expect(!visit.isRefused)
    #expect(visit.offer(3) == 2)
    // It refused what the drag was before.
    visit.ask(serial: 8, deadline: at(200))
    #expect(visit.answered(canHandle: false, serial: 8, of: 4) == .mayBeAskedAgain)
    #expect(!visit.isRefused)
    visit.ask(serial: 9, deadline: at(300))
    #expect(visit.answered(canHandle: true, serial: 9, of: 3) == .canHandle)
  }

  @Test("D8: updates belong to a stay, and end with it") func D8_updatesEndWithTheStay() {
    var visit = Visit(a, of: one)
    #expect(!visit.mayUpdate() && visit.proposed(.copy, serial: 1) == nil)
    visit.enter()
    #expect(visit.mayUpdate() == true)
    #expect(visit.update(1, edgeSpeed: Point(x: 0, y: 1)) == true)
    #expect(visit.openUpdate != nil && !visit.mayUpdate())
    #expect(visit.proposed(.copy, serial: 2) == nil)
    // Something newer waits, so it goes on at once.
    #expect(visit.proposed(.copy, serial: 1) == true)
    #expect(visit.proposal == .copy && visit.openUpdate == nil)
    #expect(visit.update(3, edgeSpeed: Point(x: 0, y: 1)) == false)
    #expect(visit.proposed(.copy, serial: 3) == false)
    // O7: a precise proposal counts for another place, which is asked about.
    #expect(visit.update(4, edgeSpeed: Point(x: 0, y: 1)) == false)
    #expect(visit.proposed(Proposal(.copy, isPrecise: true), serial: 4) == true)
    #expect(visit.update(5, edgeSpeed: Point(x: 0, y: 1)) == false)
    #expect(visit.leave() == true)
    #expect(!visit.leave() && visit.proposal == nil && visit.proposed(.copy, serial: 5) == nil)
    // A new stay knows nothing of the old one.
    visit.enter()
    #expect(visit.proposal == nil && visit.openUpdate == nil && visit.update(6, edgeSpeed: Point(x: 0, y: 1)))
  }

  @Test("Z8: silence is a refusal; who has not read the question is asked after all") func Z8_silence() {
    var visit = Visit(a, of: one)
    visit.ask(serial: 1, deadline: at(100))
    #expect(!visit.giveUp(at: at(99)) && visit.giveUp(at: at(100)) && visit.isRefused)
    #expect(!visit.hasRead() && visit.isRefused)
    var busy = Visit(b, of: one)
    busy.waitForReading(deadline: at(100))
    #expect(busy.answered(canHandle: true, serial: 0, of: 0) == nil && busy.answerDue == at(100))
    #expect(busy.giveUp(at: at(100)) && busy.isRefused)
    #expect(busy.hasRead() && !busy.isRefused && !busy.hasRead())
  }

  @Test("D10: one region is the target, whichever come and go") func D10_oneTarget() {
    let visits = Visits()
    #expect(visits.target == nil && !visits.isTarget(a) && visits.answerDue == nil)
    for region in [a, b, c] { visits.arrive(at: region, of: region == c ? two : one) }
    #expect(visits.isTarget(c) && visits.all.map(\.region) == [a, b, c])
    // The last one takes the place of the first, and is the target as before.
    #expect(visits.forget(a) == false)
    #expect(visits.isTarget(c) && visits[c]?.client == two && visits[b]?.region == b && visits[a] == nil)
    #expect(visits.forget(a) == false)
    visits.arrive(at: b, of: one)
    #expect(visits.isTarget(b) && visits.all.count == 2)
    visits.target?.enter()
    #expect(visits[b]?.isInside == true && visits[c]?.isInside == false)
    #expect(visits.forget(b) == true)
    #expect(visits.target == nil && visits[c] != nil)
    visits.arrive(at: c, of: two)
    visits.leaveTarget()
    #expect(visits.target == nil && visits[c] != nil)
    // There is nothing to change without a target, and nothing comes of it.
    visits.target?.enter()
    visits[b]?.enter()
    #expect(visits.all.count == 1 && visits.all.allSatisfy { !$0.isInside })
  }

  @Test("a client's regions go at once") func clientGone() {
    let visits = Visits()
    for (region, client) in [(a, one), (b, two), (c, one)] { visits.arrive(at: region, of: client) }
    #expect(visits.forget(of: one) == true)
    #expect(visits.target == nil && visits.all.map(\.region) == [b])
    visits.arrive(at: b, of: two)
    #expect(!visits.forget(of: one) && visits.isTarget(b))
  }

  @Test("Z8: the silent are given up together, and the target with them") func Z8_givingUp() {
    let visits = Visits()
    for (region, ms) in [(a, 300), (b, 100), (c, 200)] {
      visits.arrive(at: region, of: one)
      visits.target?.ask(serial: 1, deadline: at(ms))
    }
    #expect(visits.answerDue == at(100))
    #expect(visits.giveUp(at: at(150)) == false)
    #expect(visits[b]?.isRefused == true && visits.isTarget(c) && visits.answerDue == at(200))
    #expect(visits.giveUp(at: at(250)) == true)
    #expect(visits.target == nil && visits.answerDue == at(300))
    visits.itemsChanged()
    #expect(visits.all.count { $0.isRefused } == 0)
  }

  @Test("Z8: of a client that has read, only the target is asked at once") func Z8_hasRead() {
    let visits = Visits()
    for region in [a, b] {
      visits.arrive(at: region, of: one)
      visits.target?.waitForReading(deadline: at(100))
    }
    #expect(!visits.hasRead(two) && visits.hasRead(one) && !visits.hasRead(one))
    visits.arrive(at: a, of: one)
    visits.target?.waitForReading(deadline: at(100))
    visits.arrive(at: b, of: one)
    #expect(visits.hasRead(one) == false)
    #expect(visits[a]?.answerDue == nil)
  }
}
