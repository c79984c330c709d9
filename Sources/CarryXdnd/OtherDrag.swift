package import CarryModel

/// A drag of another program, which takes the selection with a button down, and drags until the button is up.
///
/// Programs can take the selection from each other without end, a thousand times in a press. What others do about the
/// first one is done at once; of those that follow, only the newest counts, and only when it is looked at the button anyway.
package struct OtherDrag: Sendable {
  /// What it is found to be when it is looked again.
  package enum Change: Equatable, Sendable {
    /// This window has the selection now: the same press may begin another drag.
    case isAnothers(UInt32)
    case isOver
  }

  /// When it is looked whether the button is up; nil while nothing is dragged.
  package private(set) var looksAgain: Instant?
  private var owner: UInt32?
  private var newest: UInt32?
  package static let pause = Interval.milliseconds(100)

  package init() {}

  package var isUnderWay: Bool { looksAgain != nil }

  package mutating func begin(by window: UInt32, at now: Instant) {
    (owner, newest) = (window, nil)
    looksAgain = now + Self.pause
  }

  /// Another window has taken the selection meanwhile.
  package mutating func taken(by window: UInt32) { newest = window }

  /// It is time to look.
  ///
  /// - Returns: what has changed; nil if nothing has.
  package mutating func looked(isButtonDown: Bool, at now: Instant) -> Change? {
    guard isButtonDown else {
      self = OtherDrag()
      return .isOver
    }
    looksAgain = now + Self.pause
    defer { newest = nil }
    guard let newest, newest != owner else { return nil }
    owner = newest
    return .isAnothers(newest)
  }
}
