/// Replies of the X server, requested once in a turn however many events need them. Any program can send any number
/// of messages that trigger requests.
///
/// A turn is short, so cached replies are at most a moment old. No limit is needed, as a turn has few events.
package struct TurnAnswers<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
  private var answers: [Question: Answer] = [:]

  package init() {}

  /// - Parameter ask: Called unless the answer is cached.
  package mutating func answer(to question: Question, ask: () -> Answer) -> Answer {
    if let known = answers[question] { return known }
    let answer = ask()
    answers[question] = answer
    return answer
  }

  /// Ends the turn and clears the cache.
  package mutating func forget() { answers.removeAll(keepingCapacity: true) }
}
