package import CarryModel

/// A drag of another program, which takes the selection with a button down, and drags until the button is up.
///
///     idle ──taken──▶ noticed ──button down──▶ dragging ──button up──▶ idle
///      ▲                 │
///      └─────no button───┘ and a rest
///
/// Programs can take the selection from each other without end, a thousand times in a press, and with no button down at all.
/// What others do about the first one is done at once; of those that follow, only the newest counts, and only when it is
/// looked at the button anyway.
package struct OtherDrag: Sendable {
  /// What it is found to be when it is looked.
  package enum Change: Equatable, Sendable {
    /// The program of this window drags.
    case begins(UInt32)
    /// This window has the selection now: the same press may begin another drag.
    case isAnothers(UInt32)
    case isOver
  }

  private enum Phase {
    /// Nothing is dragged, as far as is known.
    ///
    /// - newest: who has taken the selection since the last look.
    /// - restsUntil: before then it is not looked, whoever takes the selection.
    case idle(newest: UInt32?, restsUntil: Instant)
    case dragging(by: UInt32, newest: UInt32?, looksAgain: Instant)
  }

  private var phase = Phase.idle(newest: nil, restsUntil: .zero)
  package static let pause = Interval.milliseconds(100)

  package init() {}

  package var isUnderWay: Bool { if case .dragging = phase { true } else { false } }

  /// Whether one is under way, as far as is known: somebody has taken the selection, and it was not looked since.
  package var mayBeUnderWay: Bool { if case .idle(nil, _) = phase { false } else { true } }

  /// When it is looked whether a button is down, which may be at once; nil while there is nothing to look for.
  package var looksAgain: Instant? {
    switch phase {
    case .idle(let newest, let restsUntil): newest == nil ? nil : restsUntil
    case .dragging(_, _, let looksAgain): looksAgain
    }
  }

  /// Another program's window has taken the selection.
  package mutating func taken(by window: UInt32) {
    switch phase {
    case .idle(_, let restsUntil): phase = .idle(newest: window, restsUntil: restsUntil)
    case .dragging(let owner, _, let looksAgain):
      phase = .dragging(by: owner, newest: window, looksAgain: looksAgain)
    }
  }

  /// No other program has the selection now: a drag that was not noticed yet need not be. One that is under way ends with its
  /// button.
  package mutating func givenUp() {
    if case .idle(_, let restsUntil) = phase { phase = .idle(newest: nil, restsUntil: restsUntil) }
  }

  /// The button that is down is known to be nobody else's.
  ///
  /// - Returns: whether a drag was under way, which is over.
  package mutating func stopped() -> Bool {
    defer { if isUnderWay { self = OtherDrag() } else { givenUp() } }
    return isUnderWay
  }

  /// It is time to look.
  ///
  /// - Returns: what has changed; nil if nothing has.
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
