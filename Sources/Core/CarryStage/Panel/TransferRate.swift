import CarryModel

/// The smoothed rate in bytes per second, and the remaining time. Reports nothing before it is reliable.
struct TransferRate {
  /// How slowly the average follows: a new rate that was measured for this time counts half.
  private static let memory = Interval.seconds(2)
  /// How long the rate is measured before it is reported.
  private static let least = Interval.seconds(1)
  /// After this time without a byte, the rate is no longer reported.
  private static let stall = Interval.seconds(3)

  private var first: Instant?
  private var last: Instant?
  private var lastChange: Instant?
  private var bytes: UInt64 = 0
  private var smoothed: Double?

  /// Adds a reading; readings at the same moment count once.
  mutating func note(_ now: UInt64, at time: Instant) {
    guard let last else {
      (first, self.last, lastChange, bytes) = (time, time, time, now)
      return
    }
    let seconds = Double((time - last).microseconds) / 1e6
    guard seconds > 0 else { return }
    if now != bytes { lastChange = time }
    // A destination may report less than before; that counts as a rate of zero.
    let rate = now > bytes ? Double(now - bytes) / seconds : 0
    let share = seconds / (seconds + Double(Self.memory.microseconds) / 1e6)
    smoothed = smoothed.map { $0 + (rate - $0) * share } ?? rate
    (self.last, bytes) = (time, now)
  }

  /// Bytes per second; nil while unknown.
  var bytesPerSecond: Double? {
    guard let first, let last, let lastChange, let smoothed, smoothed >= 1, last - first >= Self.least,
      last - lastChange < Self.stall
    else { return nil }
    return smoothed
  }

  /// The seconds until `total` bytes have arrived; nil while unknown.
  func secondsLeft(of total: UInt64?) -> Double? {
    guard let total, total >= bytes, let rate = bytesPerSecond else { return nil }
    return Double(total - bytes) / rate
  }
}
