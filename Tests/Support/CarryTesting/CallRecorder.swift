/// Records calls and compares them with an expected order: the diagrams of the feature table.
///
/// An order is a line of words: `canHandle didEnter didUpdate+ [didExit] {performDrop|didEnd} concludeDrop`. A word
/// represents one call, `{a|b}` either of two; a following `*` means any number of them, `+` at least one, `?` at
/// most one, as do square brackets.
package final class CallRecorder {
  package private(set) var calls: [(who: String, what: String)] = []

  package init() {}

  package func add(_ who: String, _ what: String) { calls.append((who, what)) }

  /// The calls to one receiver, in order.
  package func calls(to who: String) -> [String] { calls.filter { $0.who == who }.map(\.what) }

  /// Whether all calls to `who` match this order; nil if so, otherwise a sentence describing the mismatch.
  package func problem(of who: String, with order: String) -> String? {
    Self.problem(calls(to: who), order: order).map { "\(who): \($0)" }
  }

  /// Nil if the calls match the order, otherwise a description of the mismatch.
  package static func problem(_ calls: [String], order: String) -> String? {
    let steps = order.split(separator: " ").map(Step.init)
    // The furthest point of each way through the order: the number of steps and calls.
    var furthest = 0
    var seen: Set<[Int]> = []
    func fits(_ step: Int, _ call: Int) -> Bool {
      furthest = max(furthest, call)
      guard seen.insert([step, call]).inserted else { return false }
      guard step < steps.count else { return call == calls.count }
      let this = steps[step]
      let matches = call < calls.count && this.words.contains(calls[call])
      if matches, fits(step + 1, call + 1) { return true }
      if matches, this.repeats, fits(step, call + 1) { return true }
      return this.isOptional && fits(step + 1, call)
    }
    if fits(0, 0) { return nil }
    let found = furthest < calls.count ? "'\(calls[furthest])'" : "nothing more"
    return "call \(furthest + 1) is \(found); wanted: \(order); got: \(calls.joined(separator: " "))"
  }

  /// Checks that one call precedes another, to whichever receivers.
  package func problem(_ first: (String, String), before second: (String, String)) -> String? {
    guard let a = calls.firstIndex(where: { $0 == first }) else { return "\(first) never comes" }
    guard let b = calls.firstIndex(where: { $0 == second }) else { return "\(second) never comes" }
    return a < b ? nil : "\(first) comes after \(second)"
  }

  private struct Step {
    var words: [String]
    var isOptional: Bool
    var repeats: Bool

    init(_ text: Substring) {
      var text = text
      let mark = text.last
      isOptional = mark == "*" || mark == "?"
      repeats = mark == "*" || mark == "+"
      if isOptional || repeats { text = text.dropLast() }
      if text.hasPrefix("["), text.hasSuffix("]") {
        isOptional = true
        text = text.dropFirst().dropLast()
      } else if text.hasPrefix("{"), text.hasSuffix("}") {
        text = text.dropFirst().dropLast()
      }
      words = text.split(separator: "|").map(String.init)
    }
  }
}
