import CarryModel
import Testing

/// T29: what others send without end leaves time for all else.
@Suite struct TurnBudgetTests {
  /// How many are handled in a turn, if each takes so long.
  private func handled(each microseconds: Int64) -> Int {
    var now = Instant(microseconds: 1_000_000)
    var budget = TurnBudget(at: now)
    var count = 0
    while count < 10_000, budget.spend(at: now) {
      count += 1
      now = now + Interval(microseconds: microseconds)
    }
    return count
  }

  @Test("a turn ends after 256 events, and after 2 ms where each takes its time") func ends() {
    #expect(handled(each: 0) == 256 && handled(each: 1) == 256)
    #expect(handled(each: 50) == 40)
    #expect(handled(each: 1_000_000) == 1)
  }

  @Test("each turn handles an event, even where its time is up at once") func first() {
    var budget = TurnBudget(at: .zero)
    let late = Instant(microseconds: 5_000_000)
    let (first, second) = (budget.spend(at: late), budget.spend(at: late))
    #expect(first && !second)
  }
}
