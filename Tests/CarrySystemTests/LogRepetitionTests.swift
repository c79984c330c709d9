import CarryModel
import CarrySystem
import Testing

@Suite struct LogRepetitionTests {
  @Test("a message that comes a thousand times is said once, and later how often it came")
  func aMessageThatComesAThousandTimesIsSaidOnce() {
    var r = LogRepetition()
    let start = Instant(microseconds: 5_000_000)
    var said: [String] = []
    for i in 0..<1000 {
      if let line = r.filter("the node fails", at: start + .milliseconds(i)) { said.append(line) }
    }
    #expect(said == ["the node fails"])
    let later = r.filter("the node fails", at: start + .seconds(61))
    #expect(later == "the node fails (and 999 times since)")
    let other = r.filter("another", at: start + .seconds(61))
    #expect(other == "another")
  }

  @Test("it remembers no more than it must") func itRemembersNoMoreThanItMust() {
    var r = LogRepetition()
    for i in 0..<1000 { _ = r.filter("line \(i)", at: .zero) }
    let forgotten = r.filter("line 1", at: .zero)
    let remembered = r.filter("line 999", at: .zero)
    #expect(forgotten == "line 1" && remembered == nil)
  }
}
