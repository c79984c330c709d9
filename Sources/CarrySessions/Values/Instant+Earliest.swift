import CarryModel

extension Instant {
  /// The earlier of two times, of which either may never come.
  static func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
