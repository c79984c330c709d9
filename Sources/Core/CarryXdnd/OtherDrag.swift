package import CarryModel

/// A drag of another program, which acquires the selection with a button down and drags until the button is released.
///
///     idle ──taken──▶ noticed ──button down──▶ dragging ──button up──▶ idle
///      ▲                 │
///      └─────no button───┘ and a rest
///
/// Programs can take the selection from each other endlessly, a thousand times during a press, and with no button
/// down at all. The first change is acted on at once; of the following only the newest counts, at the next check of
/// the button.
package struct OtherDrag: Sendable {
  /// The result of a check.
  package enum Change: Equatable, Sendable {
    /// The program of this window drags.
    case begins(UInt32)
    /// This window owns the selection now: the same press may begin another drag.
    case isAnothers(UInt32)
    case isOver
  }

  private enum Phase {
    /// As far as known, nothing is dragged.
    ///
    /// - newest: The newest owner of the selection since the last check.
    /// - restsUntil: No checks before this time, even if the owner changes.
    case idle(newest: UInt32?, restsUntil: Instant)
    case dragging(by: UInt32, newest: UInt32?, looksAgain: Instant)
  }

  private var phase = Phase.idle(newest: nil, restsUntil: .zero)
  package static let pause = Interval.milliseconds(100)

  package init() {}

  package var isUnderWay: Bool { if case .dragging = phase { true } else { false } }

  /// Whether a drag may be under way: the selection has a new owner since the last check, or a drag was detected.
  package var mayBeUnderWay: Bool { if case .idle(nil, _) = phase { false } else { true } }

  /// When to check whether a button is down, possibly at once; nil if no check is needed.
  package var looksAgain: Instant? {
    switch phase {
    case .idle(let newest, let restsUntil): newest == nil ? nil : restsUntil
    case .dragging(_, _, let looksAgain): looksAgain
    }
  }

  /// Another program's window has acquired the selection.
  package mutating func taken(by window: UInt32) {
    switch phase {
    case .idle(_, let restsUntil): phase = .idle(newest: window, restsUntil: restsUntil)
    case .dragging(let owner, _, let looksAgain):
      phase = .dragging(by: owner, newest: window, looksAgain: looksAgain)
    }
  }

  /// No other program owns the selection now. A drag not detected yet is ignored; one under way ends with its button.
  package mutating func givenUp() {
    if case .idle(_, let restsUntil) = phase { phase = .idle(newest: nil, restsUntil: restsUntil) }
  }

  /// The pressed button does not belong to another program.
  ///
  /// - Returns: Whether this ended a drag.
  package mutating func stopped() -> Bool {
    defer { if isUnderWay { self = OtherDrag() } else { givenUp() } }
    return isUnderWay
  }

  /// Handles the result of a check.
  ///
  /// - Returns: The change; nil if there is none.
  package mutating func looked(isButtonDown: Bool, at now: Instant) -> Change? {
    switch phase {
    case .idle(nil, _): return nil
    case .idle(let newest?, _) where isButtonDown:
      phase = .dragging(by: newest, newest: nil, looksAgain: now + Self.pause)
      return .begins(newest)
    case .idle:
      phase = .idle(newest: nil, restsUntil: now + Self.pause)
      return nil
    case .dragging where !isButtonDown:
      self = OtherDrag()
      return .isOver
    case .dragging(let owner, let newest, _):
      let isAnothers = newest != nil && newest != owner
      let current = newest ?? owner
      phase = .dragging(by: current, newest: nil, looksAgain: now + Self.pause)
      return isAnothers ? .isAnothers(current) : nil
    }
  }
}
