package import CarryModel

/// How late was done what had a time to be done at, for logs and measurements.
package struct FrameLateness {
  /// What there was, such as "frames were due".
  private let what: String
  /// What counts as late.
  private let limit: Interval
  private var count = 0
  private var late = 0
  private var worst = Interval.zero

  package init(_ what: String, limit: Interval) { (self.what, self.limit) = (what, limit) }

  package mutating func note(_ lateness: Interval) {
    count += 1
    if lateness > limit { late += 1 }
    worst = max(worst, lateness)
  }

  /// Nil when there was none.
  package var sentence: String? {
    guard count > 0 else { return nil }
    return
      "\(count) \(what), \(late) of them came more than \(limit.microseconds / 1000) ms late, the latest "
      + "\(worst.microseconds) us"
  }
}
