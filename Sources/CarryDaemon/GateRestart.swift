import CarryModel

/// When the process of a gate that was lost is started again: a second later, and again as long as it cannot be. What
/// ended it, such as a lack of memory, may last, and without the gate nothing is held.
struct GateRestart {
  private(set) var due: Instant?
  /// Why it could not be started, as it was said last.
  private var failure: String?

  private static let pause = Interval.seconds(1)

  mutating func lost(at now: Instant) { due = now + Self.pause }

  /// Whether it is to be started now.
  mutating func take(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// - Returns: whether that is news: it is tried each second.
  mutating func failed(_ why: String, at now: Instant) -> Bool {
    defer { failure = why }
    due = now + Self.pause
    return why != failure
  }

  mutating func succeeded() { failure = nil }
}
