/// A time that is coded as a number of microseconds.
package protocol CodableTime: Codable {
  var microseconds: Int64 { get }
  init(microseconds: Int64)
}

extension CodableTime {
  package init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

/// A point on the monotonic clock, in microseconds. Pure modules never read a clock: each input comes with its instant.
package struct Instant: Comparable, Hashable, CodableTime, Sendable {
  package var microseconds: Int64

  package static let zero = Instant(microseconds: 0)
  package static let distantFuture = Instant(microseconds: .max)

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package var seconds: Double { Double(microseconds) / 1e6 }

  package static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// Saturates instead of trapping: recordings and devices may contain any time.
  package static func + (a: Instant, b: Interval) -> Instant {
    let (sum, overflow) = a.microseconds.addingReportingOverflow(b.microseconds)
    return Instant(microseconds: overflow ? (b.microseconds > 0 ? .max : .min) : sum)
  }

  /// Saturates instead of trapping.
  package static func - (a: Instant, b: Instant) -> Interval {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return Interval(microseconds: overflow ? (a > b ? .max : .min) : difference)
  }

  /// The earlier of two deadlines. Nil means no deadline.
  @inlinable package static func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

/// A span of time in microseconds.
package struct Interval: Comparable, Hashable, CodableTime, Sendable {
  package var microseconds: Int64

  package static let zero = Interval(microseconds: 0)

  package init(microseconds: Int64) { self.microseconds = microseconds }

  package static func milliseconds(_ n: Int) -> Interval { Interval(microseconds: Int64(n) &* 1000) }

  /// Not-a-number and values beyond the range become the nearest end of the range.
  package static func seconds(_ s: Double) -> Interval {
    let us = s * 1e6
    if us.isNaN { return .zero }
    if us >= 9.2e18 { return Interval(microseconds: .max) }
    if us <= -9.2e18 { return Interval(microseconds: .min) }
    return Interval(microseconds: Int64(us))
  }

  package var seconds: Double { Double(microseconds) / 1e6 }

  /// Saturates instead of trapping.
  package static func + (a: Interval, b: Interval) -> Interval {
    let (sum, overflow) = a.microseconds.addingReportingOverflow(b.microseconds)
    return Interval(microseconds: overflow ? (a.microseconds < 0 ? .min : .max) : sum)
  }

  /// Saturates instead of trapping.
  package static func - (a: Interval, b: Interval) -> Interval {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return Interval(microseconds: overflow ? (a > b ? .max : .min) : difference)
  }

  /// How long to rest after repeatable work of this duration, so that it costs at most a twentieth of the time.
  package var rest: Interval { Interval(microseconds: microseconds &* 20) }

  package static func < (a: Interval, b: Interval) -> Bool { a.microseconds < b.microseconds }
}
