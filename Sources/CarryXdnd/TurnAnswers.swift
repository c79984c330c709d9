/// Answers of the X server, each asked for once in a turn, however many events of the turn need it. Any program can send any
/// number of messages that make the bridge ask.
///
/// A turn is short, and so what is remembered is a moment old at the most. It needs no bound: a turn has few events.
package struct TurnAnswers<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
  private var answers: [Question: Answer] = [:]

  package init() {}

  /// - Parameter ask: called unless the answer is known.
  package mutating func answer(to question: Question, ask: () -> Answer) -> Answer {
    if let known = answers[question] { return known }
    let answer = ask()
    answers[question] = answer
    return answer
  }

  /// The turn is over: the next one asks anew.
  package mutating func forget() { answers.removeAll(keepingCapacity: true) }
}
