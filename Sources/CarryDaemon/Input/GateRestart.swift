import CarryModel

/// When the process of a gate that was lost is started again: a second later, and later each time that it does not last.
/// What ended it, such as a lack of memory, may last, and without the gate nothing is held.
struct GateRestart {
  private(set) var due: Instant?
  /// What was said last, until the gate has run for a while.
  private var said: String?
  private var pause = Self.firstPause
  private var started: Instant?

  private static let firstPause = Interval.seconds(1)
  private static let longestPause = Interval.seconds(8)
  /// One that has run for so long was well.
  private static let lasts = Interval.seconds(30)

  /// - Returns: whether that is news.
  mutating func lost(_ why: String, at now: Instant) -> Bool {
    if let started, now - started >= Self.lasts { (pause, said) = (Self.firstPause, nil) }
    return plan(why, at: now)
  }

  /// Whether it is to be started now.
  mutating func take(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// - Returns: whether that is news: it is tried again and again.
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

/// How often the gates may be told of other windows: each is a question to the X server for them, and applications can
/// change their regions as often as they like.
struct GuardPace {
  private var last: Instant?
  private static let pause = Interval.milliseconds(20)

  /// When the gates are to be told, if there is something to tell.
  func due(at now: Instant) -> Instant { last.map { $0 + Self.pause } ?? now }

  mutating func told(at now: Instant) { last = now }
}
