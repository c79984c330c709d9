import CarryModel

/// Passes reports of progress on: the first at once, later ones at most a few times a second, and the newest in any case.
struct PacedProgress {
  /// How long after a report the next one may follow.
  static let pause = Interval.milliseconds(250)

  private(set) var newest: TransferProgress?
  private var isWaiting = false
  private var nextAllowed: Instant?

  /// When the newest report may be passed on; nil when it has been.
  var due: Instant? { isWaiting ? nextAllowed : nil }

  /// - Returns: whether to pass the report on at once.
  mutating func report(_ progress: TransferProgress, at now: Instant) -> Bool {
    newest = progress
    if let nextAllowed, now < nextAllowed {
      isWaiting = true
      return false
    }
    pass(at: now)
    return true
  }

  /// - Returns: the report that is due.
  mutating func turn(at now: Instant) -> TransferProgress? {
    guard let due, due <= now else { return nil }
    pass(at: now)
    return newest
  }

  private mutating func pass(at now: Instant) {
    isWaiting = false
    nextAllowed = now + Self.pause
  }

  /// What has not been passed on is not, any more.
  mutating func forgetWaiting() { isWaiting = false }
}
