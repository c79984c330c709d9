package import CarryModel

/// A drag of another program over one window of Carry's, starting with Enter. A pure state machine.
///
///     entered ──position──▶ learning ──learned──▶ inside ──drop──▶ dropped ──ended──▶ over
///        │                     │                    │ left
///        └──────────left───────┴────────────────────┴─────────────────────────────────▲
///
/// The source waits for a status before it sends the next position, and many sources send nothing while the mouse
/// rests. So each position is answered at once with the last known answer, and again when the engine changes it. Only
/// the first answer waits briefly.
package struct IncomingDrag: Sendable {
  /// An action to carry out, in order.
  package enum Effect: Equatable, Sendable {
    /// Determine the contents; `learned` follows.
    case learn
    /// Begin a session at the point.
    case begin(Point)
    case move(Point)
    case drop(Point)
    /// End the session without a drop.
    case cancel
    /// Tell the source whether it could drop here.
    case status(accepts: Bool)
    /// Tell the source that its drop is over.
    case finished(taken: Bool)
    /// The last effect.
    case over
  }

  private enum Phase {
    case entered
    case learning(Point, until: Instant)
    case inside(Point)
    /// Nothing of it can be accepted, or the engine has ended the session.
    case refusing
    case dropped
    case over
  }

  private var phase = Phase.entered
  /// The engine's last proposal; nil before the first.
  private var accepts: Bool?
  /// How long the first status waits for the engine; nil while none is pending.
  private var owesStatus: Instant?
  /// The status sent last.
  private var told: Bool?

  /// The timeout for determining the contents. After it only the types are known.
  package static let learning = Interval.seconds(1)
  /// The additional time for examining the files of a list that has arrived.
  static let looking = Interval.seconds(1)
  /// How long the first status may wait for the engine's answer.
  static let firstAnswer = Interval.milliseconds(100)

  package init() {}

  package var isOver: Bool { if case .over = phase { true } else { false } }
  package var isLearning: Bool { if case .learning = phase { true } else { false } }
  package var isDropped: Bool { if case .dropped = phase { true } else { false } }

  // MARK: From the source

  /// - Parameter point: In pixels of the screen.
  package mutating func position(_ point: Point, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .entered:
      phase = .learning(point, until: now + Self.learning)
      effects.append(.learn)
    case .learning(_, let until): phase = .learning(point, until: until)
    case .inside:
      phase = .inside(point)
      effects.append(.move(point))
      if let accepts { tell(accepts, into: &effects) } else { owesStatus = owesStatus ?? now + Self.firstAnswer }
    case .refusing: tell(false, into: &effects)
    case .dropped, .over: break
    }
  }

  package mutating func left(into effects: inout [Effect]) {
    switch phase {
    case .inside: end(with: [.cancel], into: &effects)
    case .entered, .learning, .refusing: end(with: [], into: &effects)
    case .dropped, .over: break
    }
  }

  package mutating func dropped(into effects: inout [Effect]) {
    switch phase {
    case .inside(let point) where told == true:
      phase = .dropped
      owesStatus = nil
      effects.append(.drop(point))
    // The source has not been told that it may drop.
    case .inside: end(with: [.cancel, .finished(taken: false)], into: &effects)
    case .entered, .learning, .refusing: end(with: [.finished(taken: false)], into: &effects)
    case .dropped, .over: break
    }
  }

  /// The source's window is gone.
  package mutating func sourceGone(into effects: inout [Effect]) {
    switch phase {
    case .inside: end(with: [.cancel], into: &effects)
    case .entered, .learning, .refusing, .dropped: end(with: [], into: &effects)
    case .over: break
    }
  }

  // MARK: From this side

  /// The URI list has arrived and its files are being examined, which may take a while on a busy machine.
  package mutating func isLooking(at now: Instant) {
    if case .learning(let point, _) = phase { phase = .learning(point, until: now + Self.looking) }
  }

  /// The contents are known now.
  ///
  /// - Parameter hasItems: Whether there are any items.
  package mutating func learned(hasItems: Bool, at now: Instant, into effects: inout [Effect]) {
    guard case .learning(let point, _) = phase else { return }
    guard hasItems else {
      phase = .refusing
      return tell(false, into: &effects)
    }
    phase = .inside(point)
    owesStatus = now + Self.firstAnswer
    effects.append(.begin(point))
  }

  /// Handles the engine's proposal.
  package mutating func proposed(accepts: Bool, into effects: inout [Effect]) {
    guard case .inside = phase else { return }
    self.accepts = accepts
    if owesStatus != nil || told != accepts { tell(accepts, into: &effects) }
  }

  /// The engine has ended the session.
  ///
  /// - Parameter taken: Whether the drop's data was delivered.
  package mutating func ended(taken: Bool, into effects: inout [Effect]) {
    switch phase {
    case .dropped: end(with: [.finished(taken: taken)], into: &effects)
    case .inside:
      phase = .refusing
      if owesStatus != nil || told == true { tell(false, into: &effects) }
    case .entered, .learning, .refusing, .over: break
    }
  }

  package var nextDeadline: Instant? {
    if case .learning(_, let until) = phase { return until }
    return owesStatus
  }

  /// - Returns: Whether the time for determining the contents is up; the caller has to call `learned`.
  package mutating func advance(to now: Instant, into effects: inout [Effect]) -> Bool {
    if case .learning(_, let until) = phase { return until <= now }
    if let due = owesStatus, due <= now { tell(accepts ?? false, into: &effects) }
    return false
  }

  private mutating func tell(_ accepts: Bool, into effects: inout [Effect]) {
    owesStatus = nil
    told = accepts
    // From here on each position is answered at once.
    if self.accepts == nil { self.accepts = accepts }
    effects.append(.status(accepts: accepts))
  }

  private mutating func end(with last: [Effect], into effects: inout [Effect]) {
    owesStatus = nil
    phase = .over
    effects += last + [.over]
  }
}
