import CarryModel

/// Limits the rate of progress reports: the first is forwarded at once, later ones at most a few times a second, and
/// the newest always.
struct PacedProgress {
  /// Minimum time between two reports.
  static let pause = Interval.milliseconds(250)

  private(set) var newest: TransferProgress?
  private var isWaiting = false
  private var nextAllowed: Instant?

  /// When the newest report may be forwarded; nil if it has been.
  var due: Instant? { isWaiting ? nextAllowed : nil }

  /// - Returns: whether to forward the report at once.
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

  /// Discards a report that was not forwarded yet.
  mutating func forgetWaiting() { isWaiting = false }
}
