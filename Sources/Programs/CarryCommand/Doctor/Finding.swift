/// The result of one check of `carry doctor`.
package struct Finding: Equatable, Sendable {
  package enum State: String, Sendable {
    case ok
    /// Works, but not as well as it could.
    case warning
    case failed
  }

  /// A stable keyword for scripts.
  package var check: String
  package var state: State
  package var message: String
  /// What to do next; empty if nothing.
  package var advice: String

  package init(_ check: String, _ state: State, _ message: String, advice: String = "") {
    self.check = check
    self.state = state
    self.message = message
    self.advice = advice
  }

  /// One line for the user.
  var text: String {
    "\(state.rawValue)\(String(repeating: " ", count: max(0, 8 - state.rawValue.count)))\(check): \(message)"
      + (advice.isEmpty ? "" : "; \(advice)")
  }

  var json: String {
    var line = JSONLine()
    line.add("check", check)
    line.add("state", state.rawValue)
    line.add("message", message)
    if !advice.isEmpty { line.add("advice", advice) }
    return line.text
  }
}
