import CarryModel
import CarryWireServer
import Testing

/// F1, T39: when a file provider's process is started and ended.
@Suite struct HelperLifeTests {
  private func at(_ seconds: Double) -> Instant { .zero + .seconds(100 + seconds) }

  @Test("F1: it is started for work, and ended after 30 s without work") func F1_startedAndEnded() {
    var life = HelperLife()
    #expect(life.advance(to: at(0), hasWork: false) == nil)
    #expect(life.nextDeadline(hasWork: false) == nil)
    #expect(life.advance(to: at(0), hasWork: true) == .start)
    life.isReady()
    #expect(life.advance(to: at(1), hasWork: true) == nil)
    #expect(life.nextDeadline(hasWork: true) == nil)
    #expect(life.advance(to: at(10), hasWork: false) == nil)
    #expect(life.nextDeadline(hasWork: false) == at(40))
    // Work in between begins the time anew.
    #expect(life.advance(to: at(39), hasWork: true) == nil)
    #expect(life.advance(to: at(41), hasWork: false) == nil)
    #expect(life.advance(to: at(70), hasWork: false) == nil)
    #expect(life.advance(to: at(71), hasWork: false) == .terminate)
    let wasFault = life.hasEnded(at: at(71.1))
    #expect(!wasFault)
    // It was no fault: it is started at once again.
    #expect(life.advance(to: at(71.2), hasWork: true) == .start)
  }

  @Test("one that is not ready in 5 s, or does not end in 2 s, is ended") func silentAndStubborn() {
    var life = HelperLife()
    #expect(life.advance(to: at(0), hasWork: true) == .start)
    #expect(life.nextDeadline(hasWork: true) == at(5))
    #expect(life.advance(to: at(4.9), hasWork: true) == nil)
    #expect(life.advance(to: at(5), hasWork: true) == .giveUp)
    #expect(life.isAtFault(at: at(5)) == nil)
    #expect(life.advance(to: at(6.9), hasWork: true) == nil)
    #expect(life.advance(to: at(7), hasWork: true) == .kill)
    #expect(life.advance(to: at(8), hasWork: true) == nil)
    let wasFault = life.hasEnded(at: at(8))
    #expect(!wasFault && life.isStopped)
  }

  @Test("one that ends by itself again and again is started after longer and longer pauses, a minute at most")
  func backsOff() {
    var life = HelperLife()
    var now = 0.0
    var pauses: [Double] = []
    for _ in 0..<9 {
      #expect(life.advance(to: at(now), hasWork: true) == .start)
      let wasFault = life.hasEnded(at: at(now))
      #expect(wasFault)
      #expect(life.advance(to: at(now), hasWork: true) == nil)
      let due = life.nextDeadline(hasWork: true) ?? .zero
      pauses.append((due - at(now)).seconds)
      now += pauses[pauses.count - 1]
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    // Without work nobody waits for it.
    #expect(life.nextDeadline(hasWork: false) == nil)
  }
}
