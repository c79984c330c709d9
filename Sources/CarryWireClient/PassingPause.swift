import CarryModel

/// How long the kernel has refused to pass descriptors. Pure.
struct PassingPause {
  private var since: Instant?
  private var looked: Instant?
  private var passed = 0
  /// After a longer gap between two checks a new pause is assumed.
  private static let longestUnseen = Interval.seconds(5)

  /// Whether the pause has lasted so long that waiting calls have to fail, after the same time as the engine gives up
  /// a client.
  ///
  /// - Parameters:
  ///   - isPaused: Whether a descriptor has just been refused.
  ///   - passed: How many were passed in total.
  mutating func isTooLong(isPaused: Bool, passed: Int, at now: Instant) -> Bool {
    let isNew = since == nil || passed != self.passed || looked.map { now - $0 > Self.longestUnseen } ?? true
    (looked, self.passed) = (now, passed)
    guard isPaused else {
      since = nil
      return false
    }
    if isNew { since = now }
    return since.map { now - $0 > .seconds(Limits.transferSeconds) } ?? false
  }
}
