import CarryModel

/// Limits how often the gates are told of other windows. A gate sends the X server a request for each window, and
/// applications can change their regions as often as they like.
struct GuardThrottle {
  private var last: Instant?
  private static let pause = Interval.milliseconds(20)

  /// When the gates may be told next.
  func due(at now: Instant) -> Instant { last.map { $0 + Self.pause } ?? now }

  mutating func told(at now: Instant) { last = now }
}
