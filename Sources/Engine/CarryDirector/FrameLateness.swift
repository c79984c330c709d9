package import CarryModel

/// Counts how late scheduled work was done, for logs and measurements.
package struct FrameLateness {
  /// The start of the sentence, such as "frames were due".
  private let what: String
  /// Delays beyond this count as late.
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

  /// Nil if nothing was counted.
  package var sentence: String? {
    guard count > 0 else { return nil }
    return
      "\(count) \(what), \(late) of them came more than \(limit.microseconds / 1000) ms late, the latest "
      + "\(worst.microseconds) us"
  }
}
