import CarryModel

extension TrackpadRecognizer {
  /// What holds the virtual finger down.
  enum Hold: Equatable {
    case button
    /// A finger of the pad; `regripped` if it took over from a lifted finger.
    case finger(UInt32, regripped: Bool)
  }

  enum State: Equatable {
    case idle
    case pressing(Hold)
    case carrying(Hold, since: Instant)
    /// Waits for a finger to touch again; `isSpent` if the virtual finger is no longer needed.
    case regripping(until: Instant, isSpent: Bool = false)
    case spent(Hold)
  }
}
