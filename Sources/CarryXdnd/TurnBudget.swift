package import CarryModel

/// How much of what has come is handled before all else has its turn. A program that sends without end must keep nobody
/// waiting, however long it takes to handle what it sends.
package struct TurnBudget: Sendable {
  /// However quickly they are handled.
  package static let most = 256
  /// To handle one may take several answers of the X server.
  package static let longest = Interval.milliseconds(2)

  private let end: Instant
  private var left = Self.most

  package init(at now: Instant) { end = now + Self.longest }

  /// Whether one more is handled. The first one always is: a busy machine may take all the time between two looks at its
  /// clock.
  package mutating func takesOne(at now: Instant) -> Bool {
    guard left == Self.most || left > 0 && now < end else { return false }
    left -= 1
    return true
  }
}
