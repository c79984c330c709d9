import CarryXdnd
import Testing

/// T29: messages without end do not make the bridge ask the X server without end.
@Suite struct TurnAnswersTests {
  @Test("the X server is asked once a turn about a thing, also where it knows nothing") func once() {
    var answers = TurnAnswers<UInt32, Int32?>()
    var asked: [UInt32] = []
    for turn in 1...3 {
      for n in UInt32(0)..<1000 {
        let question = n % 4
        let answer = answers.answer(to: question) {
          asked.append(question)
          return question == 0 ? nil : Int32(question) * 10
        }
        #expect(answer == (question == 0 ? nil : Int32(question) * 10))
      }
      #expect(asked.count == turn * 4)
      answers.forget()
    }
  }

  @Test("the next turn hears what has changed") func asksAnew() {
    var answers = TurnAnswers<UInt32, Bool>()
    let (first, second) = (answers.answer(to: 1) { false }, answers.answer(to: 1) { true })
    answers.forget()
    let third = answers.answer(to: 1) { true }
    #expect(!first && !second && third)
  }
}
