import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

/// Answers that may never come.
@Suite struct AsideAnswerTests {
  @Test("an answer is there once it has come, and whoever waits for one that does not come goes on")
  func answers()
    throws
  {
    let mayAnswer = Mutex(false)
    let late = try AsideAnswer {
      _ = Wait.until(seconds: 60) { mayAnswer.withLock { $0 } }
      return 7
    }
    #expect(late.get() == nil && late.get(within: .milliseconds(5)) == nil)
    mayAnswer.withLock { $0 = true }
    #expect(late.get(within: .seconds(60)) == 7)
    #expect(late.get() == 7, "as often as it is asked for")
  }
}
