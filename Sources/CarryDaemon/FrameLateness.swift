import CarryModel

/// How late frames were drawn that had a time to be drawn at, for logs and measurements.
struct FrameLateness {
  private var count = 0
  private var late = 0
  private var worst = Interval.zero
  /// What counts as late.
  private static let limit = Interval.milliseconds(2)

  mutating func note(_ lateness: Interval) {
    count += 1
    if lateness > Self.limit { late += 1 }
    worst = max(worst, lateness)
  }

  /// Nil when there was none.
  var sentence: String? {
    guard count > 0 else { return nil }
    return
      "\(count) frames were due, \(late) of them came more than \(Self.limit.microseconds / 1000) ms late, the latest "
      + "\(worst.microseconds) us"
  }
}
