import CarryModel

/// Bytes a second, smoothed, and the time that is left. Says nothing before it can be true.
struct TransferRate {
  /// How much the past counts: after this time, half of a new rate shows.
  private static let memory = Interval.seconds(2)
  /// The time that is measured before anything is said.
  private static let least = Interval.seconds(1)
  /// Without a byte for so long, nothing is said any more.
  private static let stall = Interval.seconds(3)

  private var first: Instant?
  private var last: Instant?
  private var lastChange: Instant?
  private var bytes: UInt64 = 0
  private var smoothed: Double?

  /// Takes a reading; readings at the same moment count once.
  mutating func note(_ now: UInt64, at time: Instant) {
    guard let last else {
      (first, self.last, lastChange, bytes) = (time, time, time, now)
      return
    }
    let seconds = Double((time - last).microseconds) / 1e6
    guard seconds > 0 else { return }
    if now != bytes { lastChange = time }
    // A destination may report less than before: that is no rate.
    let rate = now > bytes ? Double(now - bytes) / seconds : 0
    let share = seconds / (seconds + Double(Self.memory.microseconds) / 1e6)
    smoothed = smoothed.map { $0 + (rate - $0) * share } ?? rate
    (self.last, bytes) = (time, now)
  }

  /// Bytes a second; nil while that cannot be said.
  var bytesPerSecond: Double? {
    guard let first, let last, let lastChange, let smoothed, smoothed >= 1, last - first >= Self.least,
      last - lastChange < Self.stall
    else { return nil }
    return smoothed
  }

  /// The seconds until `total` bytes are there; nil while that cannot be said.
  func secondsLeft(of total: UInt64?) -> Double? {
    guard let total, total >= bytes, let rate = bytesPerSecond else { return nil }
    return Double(total - bytes) / rate
  }
}
