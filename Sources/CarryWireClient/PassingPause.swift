import CarryModel

/// For how long the kernel has passed no descriptor on. Pure.
struct PassingPause {
  private var since: Instant?
  private var looked: Instant?
  private var passed = 0
  /// A pause that nobody has looked at for so long was none that is known of.
  private static let longestUnseen = Interval.seconds(5)

  /// Whether whoever waits has to be told that it fails: as after so long the engine gives up a client.
  ///
  /// - Parameters:
  ///   - isPaused: whether one has just been refused.
  ///   - passed: how many were not, in all.
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
