/// Writes down who was called with what, and compares it with an order: what the feature table draws as diagrams.
///
/// An order is a line of words: `canHandle didEnter didUpdate+ [didExit] {performDrop|didEnd} concludeDrop`. A word stands
/// for one call, `{a|b}` for one or the other; behind it `*` stands for any number of them, `+` for at least one, `?` for
/// one or none, which square brackets say as well.
package final class CallRecorder {
  package private(set) var calls: [(who: String, what: String)] = []

  package init() {}

  package func add(_ who: String, _ what: String) { calls.append((who, what)) }

  /// What one of them was called with, in order.
  package func calls(to who: String) -> [String] { calls.filter { $0.who == who }.map(\.what) }

  /// Whether everything that `who` was called with comes in this order; nil if so, else what is wrong, as a sentence.
  package func problem(of who: String, with order: String) -> String? {
    Self.problem(calls(to: who), order: order).map { "\(who): \($0)" }
  }

  /// Nil when the calls come in the order, else what is wrong.
  package static func problem(_ calls: [String], order: String) -> String? {
    let steps = order.split(separator: " ").map(Step.init)
    // The furthest that each way through the order got: at how many steps and calls.
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

  /// That one call comes somewhere before another, whoever gets them.
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
