package import CarryModel

/// Keeps a message that comes again and again from filling the log: it is said once, and again after a while with how
/// often it came meanwhile. Pure.
package struct LogRepetition: Sendable {
  private struct Line {
    let text: String
    var said: Instant
    var kept = 0
  }

  /// How long the same message is kept back.
  package static let silence = Interval.seconds(60)
  private static let capacity = 64

  private var lines: [Line] = []

  package init() {}

  /// What to write of a message: itself, with a count after a silence, or nil.
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
