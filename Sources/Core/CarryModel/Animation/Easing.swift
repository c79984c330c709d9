/// Animation curves from 0 to 1: Robert Penner's easing functions ("Programming Macromedia Flash MX", 2002, chapter 7),
/// polynomials only, so that they are the same on every machine.
package enum Easing: Equatable, Sendable {
  /// Speeds up and slows down: 3t² − 2t³ (Hermite's smoothstep, Penner's cubic family with zero speed at both ends).
  case smooth
  /// Starts at once and settles: 1 − (1 − t)³.
  case outCubic
  /// Starts fast and settles long, near a critically damped spring: 1 − (1 − t)⁵.
  case outQuint
  /// Gathers, flies, settles: 4t³, mirrored from the middle on.
  case inOutCubic
  /// Overshoots by a tenth, then settles; for badges: 1 + 2.7(t − 1)³ + 1.7(t − 1)².
  case outBack

  /// How items rise and sink back, on the stage and in alongside animations.
  package static let rise = Easing.smooth
  /// How items fly home or go down, on the stage and in alongside animations.
  package static let end = Easing.inOutCubic

  /// The curve at `t`, which is clamped to 0…1; exactly 0 and 1 at the ends.
  package func callAsFunction(_ t: Double) -> Double {
    guard t > 0 else { return 0 }
    guard t < 1 else { return 1 }
    let rest = 1 - t
    switch self {
    case .smooth: return t * t * (3 - 2 * t)
    case .outCubic: return 1 - rest * rest * rest
    case .outQuint: return 1 - rest * rest * rest * rest * rest
    case .inOutCubic: return t < 0.5 ? 4 * t * t * t : 1 - 4 * rest * rest * rest
    case .outBack: return 1 - 2.7 * rest * rest * rest + 1.7 * rest * rest
    }
  }
}

/// The elapsed fraction of an animation, 0…1; 1 for an animation without a duration.
package func progress(from start: Instant, for duration: Interval, at time: Instant) -> Double {
  guard duration > .zero else { return 1 }
  let passed = Double((time - start).microseconds) / Double(duration.microseconds)
  return max(0, min(1, passed))
}

/// The value `t` of the way from `a` to `b`; exactly `b` at the end.
package func mix(_ a: Double, _ b: Double, _ t: Double) -> Double { t >= 1 ? b : a + (b - a) * t }
