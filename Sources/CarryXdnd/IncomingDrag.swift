package import CarryModel

/// A drag of another program over one window of Carry's, from its Enter on. Pure: messages and answers in, what to do out.
///
///     entered ──position──▶ learning ──learned──▶ inside ──drop──▶ dropped ──ended──▶ over
///        │                     │                    │ left
///        └──────────left───────┴────────────────────┴─────────────────────────────────▲
///
/// The source waits for a status before it sends the next position, and many a source says nothing while the mouse rests. So
/// each position is answered at once with what is known, and again when the engine changes its mind; only the first answer
/// waits a moment.
package struct IncomingDrag: Sendable {
  /// What is to be done, in the order of the list.
  package enum Effect: Equatable, Sendable {
    /// Find out what is dragged; `learned` follows.
    case learn
    /// A session begins there.
    case begin(Point)
    case move(Point)
    case drop(Point)
    /// The session ends without a drop.
    case cancel
    /// Tell the source whether it could drop here.
    case status(accepts: Bool)
    /// Tell the source that its drop is over.
    case finished(taken: Bool)
    /// Nothing follows.
    case over
  }

  private enum Phase {
    case entered
    case learning(Point, until: Instant)
    case inside(Point)
    /// Nothing of it can be taken, or the engine has ended the session.
    case refusing
    case dropped
    case over
  }

  private var phase = Phase.entered
  /// What a drop would do, as the engine said last; nil before it has said anything.
  private var accepts: Bool?
  /// Until when the first status waits for the engine; nil while no status is owed.
  private var owesStatus: Instant?
  /// What the source was told last.
  private var told: Bool?

  /// How long it may take to find out what is dragged. After that it is described by its types alone.
  package static let learning = Interval.seconds(1)
  /// How long it may take after that to look at the files of a list that has come.
  static let looking = Interval.seconds(1)
  /// How long the first status may wait for the engine's answer.
  static let firstAnswer = Interval.milliseconds(100)

  package init() {}

  package var isOver: Bool { if case .over = phase { true } else { false } }
  package var isLearning: Bool { if case .learning = phase { true } else { false } }
  package var isDropped: Bool { if case .dropped = phase { true } else { false } }

  // MARK: From the source

  /// - Parameter point: screen pixels.
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
    // Nobody has told the source that it may.
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

  /// The list of addresses has come, and its files are being looked at. A busy machine may take its time for that.
  package mutating func isLooking(at now: Instant) {
    if case .learning(let point, _) = phase { phase = .learning(point, until: now + Self.looking) }
  }

  /// It is known now what is dragged.
  ///
  /// - Parameter hasItems: whether there is anything in it.
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

  /// The engine says what a drop would do.
  package mutating func proposed(accepts: Bool, into effects: inout [Effect]) {
    guard case .inside = phase else { return }
    self.accepts = accepts
    if owesStatus != nil || told != accepts { tell(accepts, into: &effects) }
  }

  /// The engine has ended the session.
  ///
  /// - Parameter taken: whether the drop's data went to its target.
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

  /// - Returns: whether the time to find out what is dragged is up: `learned` has to be called now.
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
