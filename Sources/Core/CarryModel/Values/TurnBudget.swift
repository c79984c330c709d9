/// Limits the events handled in one turn. A program that sends endlessly must not delay others, however long its
/// events take.
package struct TurnBudget: Sendable {
  /// The maximum number of events, however quick they are.
  package static let most = 256
  /// The maximum time. One event may take several round trips to the X server.
  package static let longest = Interval.milliseconds(2)

  private let end: Instant
  private var left = Self.most

  package init(at now: Instant) { end = now + Self.longest }

  /// Whether to handle one more event. Always true for the first: on a busy machine all the time may pass between two
  /// readings of the clock.
  package mutating func spend(at now: Instant) -> Bool {
    guard left == Self.most || left > 0 && now < end else { return false }
    left -= 1
    return true
  }
}
