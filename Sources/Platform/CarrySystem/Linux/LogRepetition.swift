package import CarryModel

/// Keeps repeated messages from filling the log: a message is logged once, and after a while again with the number of
/// repetitions. Pure.
package struct LogRepetition: Sendable {
  private struct Line {
    let text: String
    var said: Instant
    var kept = 0
  }

  /// How long the same message is suppressed.
  package static let silence = Interval.seconds(60)
  private static let capacity = 64

  private var lines: [Line] = []

  package init() {}

  /// The text to log for a message, with a count after a silence; nil to log nothing.
  package mutating func filter(_ text: String, at now: Instant) -> String? {
    guard let i = lines.firstIndex(where: { $0.text == text }) else {
      if lines.count >= Self.capacity { lines.removeFirst() }
      lines.append(Line(text: text, said: now))
      return text
    }
    guard now - lines[i].said >= Self.silence else {
      lines[i].kept += 1
      return nil
    }
    let kept = lines[i].kept
    lines[i].said = now
    lines[i].kept = 0
    return kept > 0 ? "\(text) (and \(kept) times since)" : text
  }
}
