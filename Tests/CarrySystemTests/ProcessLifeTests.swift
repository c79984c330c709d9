import CarryModel
import CarrySystem
import Testing

@Suite struct ProcessLifeTests {
  private func ms(_ n: Int64) -> Instant { Instant(microseconds: n * 1000) }

  @Test("a gate that says anything is well, and a quiet one is not asked without a reason")
  func aGateThatIsWell() {
    var life = ProcessLife()
    #expect(life.nextDeadline == nil)
    life.expectHeartbeat(at: ms(0))
    life.expectHeartbeat(at: ms(400))
    #expect(life.nextDeadline == ms(500))
    let early = life.advance(to: ms(499))
    #expect(early == .nothing)
    life.hasSaidSomething()
    #expect(life.nextDeadline == nil)
    let late = life.advance(to: ms(9000))
    #expect(late == .nothing)
  }

  @Test("one that is silent is asked, and counts as hung when it does not answer in time")
  func aGateThatHangs() {
    var life = ProcessLife()
    life.hasSaidSomething()
    life.expectHeartbeat(at: ms(0))
    let asked = life.advance(to: ms(500))
    #expect(asked == .ask)
    life.expectHeartbeat(at: ms(600))
    let patient = life.advance(to: ms(2499))
    #expect(patient == .nothing)
    let hung = life.advance(to: ms(2500))
    #expect(hung == .hung)
    #expect(life.nextDeadline == nil)
    // Answered in time, it is as before.
    life.expectHeartbeat(at: ms(3000))
    let again = life.advance(to: ms(3500))
    #expect(again == .ask)
    life.hasSaidSomething()
    let well = life.advance(to: ms(9000))
    #expect(well == .nothing)
  }

  @Test("a gate has more time to start") func aGateThatStarts() {
    var life = ProcessLife()
    life.expectHeartbeat(at: ms(0))
    let asked = life.advance(to: ms(500))
    #expect(asked == .ask)
    let patient = life.advance(to: ms(20_000))
    #expect(patient == .nothing)
    let hung = life.advance(to: ms(20_500))
    #expect(hung == .hung)
  }
}
