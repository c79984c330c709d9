import CarryModel

/// Decides when to restart one of the engine's own processes that exited, a gate or a companion: after a second, and
/// after a longer wait each time that the process exits soon. The cause, such as a lack of memory, may last for a
/// while, and without a gate nothing is held.
struct ProcessRestart {
  private(set) var due: Instant?
  /// The reason that was reported last, until the process has run for a while.
  private var said: String?
  private var pause = Self.firstPause
  private var started: Instant?

  private static let firstPause = Interval.seconds(1)
  private static let longestPause = Interval.seconds(8)
  /// A process that has run for this long counts as healthy.
  private static let healthyAge = Interval.seconds(30)

  /// - Returns: whether the reason is new, and so worth a line in the log.
  mutating func lost(_ why: String, at now: Instant) -> Bool {
    if let started, now - started >= Self.healthyAge { (pause, said) = (Self.firstPause, nil) }
    return plan(why, at: now)
  }

  /// Whether the process has to be started now; if so, clears the deadline.
  mutating func takeDue(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// - Returns: whether the reason is new. Starting is retried, and each reason is logged once.
  mutating func failed(_ why: String, at now: Instant) -> Bool { plan(why, at: now) }

  private mutating func plan(_ why: String, at now: Instant) -> Bool {
    defer { said = why }
    started = nil
    due = now + pause
    pause = min(Interval(microseconds: pause.microseconds &* 2), Self.longestPause)
    return why != said
  }

  mutating func succeeded(at now: Instant) { started = now }
}
