import CarryGate
import CarryModel
import Testing

@Suite struct ClickHoldTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  @Test("Z6, T30: a click waits a moment, and a kept one as long as a touch") func Z6_T30_deadlines() {
    var hold = ClickHold(patience: .milliseconds(600))
    let mouse = hold.began(pointer: 2, at: at(0))
    #expect(hold.nextDeadline == at(50))
    #expect(hold.expire(at: at(49)).isEmpty)
    #expect(hold.expire(at: at(50)).map(\.id) == [mouse])
    #expect(hold.nextDeadline == nil && hold.decide(mouse) == nil)
    let pad = hold.began(pointer: 2, at: at(1000))
    #expect(pad != mouse)
    hold.keep(mouse)
    #expect(hold.nextDeadline == at(1050))
    hold.keep(pad)
    #expect(hold.nextDeadline == at(1600))
    #expect(hold.expire(at: at(1599)).isEmpty)
    #expect(hold.decide(pad)?.pointer == 2)
    #expect(hold.decide(pad) == nil && hold.nextDeadline == nil)
  }

  @Test("Z6: one click for each pointer") func Z6_oneForEachPointer() {
    var hold = ClickHold(patience: .milliseconds(600))
    let first = hold.began(pointer: 2, at: at(0))
    let other = hold.began(pointer: 14, at: at(10))
    let second = hold.began(pointer: 2, at: at(20))
    #expect(hold.decide(first) == nil)
    #expect(hold.expire(at: at(70)).map(\.id) == [other, second])
  }
}
