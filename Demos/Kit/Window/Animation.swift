/// A value on its way from one number to another. The caller passes the time, in seconds, so that tests can set it.
package struct Animation: Equatable, Sendable {
  private var from: Double
  private(set) package var target: Double
  private var start: Double
  private var duration: Double

  /// A value that rests.
  package init(_ value: Double) { (from, target, start, duration) = (value, value, 0, 0) }

  /// Starts towards a new number from the present value.
  package mutating func go(to new: Double, at now: Double, over seconds: Double) {
    guard new != target else { return }
    (from, target, start, duration) = (value(at: now), new, now, seconds)
  }

  package func isOver(at now: Double) -> Bool { now - start >= duration }

  /// The value at a time: it changes fast at first and gently at the end.
  package func value(at now: Double) -> Double {
    guard duration > 0, now - start < duration else { return target }
    let t = max(0, (now - start) / duration)
    let left = 1 - t
    return target + (from - target) * left * left * left
  }
}
