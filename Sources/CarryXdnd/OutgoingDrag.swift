package import CarryModel

/// A drag of Carry's over one window that speaks XDND. Pure: messages and questions in, what to do out.
///
///     outside ──moved──▶ inside ──left──▶ outside
///        ▲                 │ dropped
///        │ refuses in      ▼
///        └─the end──── asking ──says yes, served──▶ dropped ──finished, silent or gone──▶ over
///
/// Nothing is served while the drag hovers. Browsers fetch all data then, get nothing, and would ask for nothing after
/// the drop. So at the drop such a target is left, entered and asked for its answer again, at least twice, with everything
/// served from then on (docs/decisions/0032). One that has fetched nothing, and whose yes is for the very place, is not.
package struct OutgoingDrag: Sendable {
  /// What a target says it would do.
  package enum Answer: Equatable, Sendable {
    case copy
    /// It takes nothing here, or does not answer.
    case nothing
  }

  /// What is to be done, in the order of the list.
  package enum Effect: Equatable, Sendable {
    case enter
    case position(Point)
    case leave
    case drop
    /// From now on the target may convert the data, or may not.
    case serve(Bool)
    /// The answer to the newest question; it may come again with another answer.
    case answer(Answer)
    /// The drop is over.
    ///
    /// - Parameter taken: whether the target has taken the data.
    case end(taken: Bool)
  }

  /// A talk with a target that was entered.
  private struct Talk {
    /// Pixels of the screen.
    var place: Point
    var sent: Instant
    /// Positions since the target was entered.
    var positions = 1
    /// Whether the newest position waits for its status.
    var isWaiting = true
    var answer: Answer?
    /// The place that the target was told is not the newest.
    var isBehind = false
  }

  private enum Phase {
    case outside
    case inside(Talk)
    case asking(Talk, until: Instant, atLast: Instant)
    /// `asked` is when the target last asked for anything, or got it.
    case dropped(until: Instant, asked: Instant, atLast: Instant)
    case over
  }

  private var phase = Phase.outside
  /// Whether the target has asked for data while the drag hovered.
  private var hasFetched = false
  /// Whether somebody waits for an answer, and since when.
  private var question: Instant?
  /// What was answered last, and when.
  private var answered: Answer?
  private var answeredAt = Instant.zero
  /// Until when the target's no is doubted.
  private var doubted: Instant?
  /// Another answer, which was not asked for, and waits for its time.
  private var nextAnswer: Answer?
  /// Whether the target's program hears of another drag, or the selection is another program's: this drag waits.
  private var isHeld = false
  /// Where the drag is, while it waits.
  private var heldPlace: Point?
  /// A drop that waits, until then.
  private var heldDrop: (place: Point, until: Instant)?

  /// A resting drag is told again this often: targets scroll by it, and Chromium answers one position late.
  static let pulse = Interval.milliseconds(100)
  /// A target that has not answered for so long says nothing (Java takes 170 to 380 ms).
  static let patience = Interval.seconds(1)
  /// How long a target may take to say yes at the drop.
  static let decision = Interval.seconds(2)
  /// The same for one that waits for slow data before it says so, from the drop on.
  static let longDecision = Interval.seconds(120)
  /// A target that says no at the drop is asked again after this.
  static let again = Interval.milliseconds(30)
  /// A drop ends when nothing was heard of it for so long.
  static let silence = Interval.seconds(30)
  /// A program that has asked for nothing for so long after a drop may be told of another drag.
  static let finishing = Interval.seconds(5)
  /// A no counts once it has stood for so long. LibreOffice says no to each position first, and yes right after.
  static let doubt = Interval.milliseconds(30)
  /// How often an answer is told that nobody has asked for.
  static let unasked = Interval.milliseconds(50)
  /// And after this long in any case.
  static let longest = Interval.seconds(3600)

  package init() {}

  /// Whether the target has been told of the drag, and not yet of its end.
  package var isTalking: Bool {
    switch phase {
    case .inside, .asking, .dropped: true
    case .outside, .over: false
    }
  }

  /// Whether the target's program would forget this drag if it were told of another one. Some programs never say that they
  /// have finished.
  package func needsItsProgram(at now: Instant) -> Bool { needsItsProgramUntil.map { now < $0 } ?? isTalking }

  /// When that is over, as far as it is known now.
  package var needsItsProgramUntil: Instant? {
    if case .dropped(_, let asked, _) = phase { asked + Self.finishing } else { nil }
  }

  /// Whether the target has been told to take the data.
  package var isDropped: Bool { if case .dropped = phase { true } else { false } }

  package var isOver: Bool { if case .over = phase { true } else { false } }

  // MARK: From the engine

  /// The drag is at a place, in pixels of the screen; what would the target do?
  package mutating func moved(to place: Point, at now: Instant, into effects: inout [Effect]) {
    question = now
    switch phase {
    case .outside:
      guard !isHeld else { return heldPlace = place }
      enter(at: place, now, into: &effects)
    case .inside(var talk):
      talk.place = place
      if talk.isWaiting { talk.isBehind = true } else { send(&talk, at: now, into: &effects) }
      phase = .inside(talk)
    case .asking, .dropped, .over: break
    }
  }

  /// The drag left.
  package mutating func left(into effects: inout [Effect]) {
    (question, answered, doubted, nextAnswer, heldPlace) = (nil, nil, nil, nil, nil)
    guard case .inside = phase else { return }
    effects.append(.leave)
    phase = .outside
  }

  /// The data was dropped here.
  package mutating func dropped(at place: Point, at now: Instant, into effects: inout [Effect]) {
    (question, doubted, nextAnswer) = (nil, nil, nil)
    switch phase {
    case .inside(let talk) where !hasFetched && !talk.isWaiting && talk.answer == .copy && talk.place == place:
      effects += [.serve(true), .drop]
      phase = .dropped(until: now + Self.silence, asked: now, atLast: now + Self.longest)
      return
    case .inside: effects.append(.leave)
    case .outside where isHeld: return heldDrop = (place, now + Self.decision)
    case .outside: break
    case .asking, .dropped, .over: return
    }
    ask(at: place, now, into: &effects)
  }

  // MARK: From the target

  package mutating func status(accepts: Bool, at now: Instant, into effects: inout [Effect]) {
    let answer = accepts ? Answer.copy : .nothing
    switch phase {
    case .inside(var talk):
      // Chromium's first answer is always no, and the second one is its answer to the first question. Thunar's is no where
      // another of its panes begins, until that has fetched what it wants to know.
      let isDoubtful = !accepts && talk.isWaiting && talk.answer != .nothing
      talk.isWaiting = false
      talk.answer = answer
      if talk.isBehind || isDoubtful {
        send(&talk, at: now, into: &effects)
        phase = .inside(talk)
        if isDoubtful { return }
      } else {
        phase = .inside(talk)
      }
      if accepts { tell(answer, at: now, into: &effects) } else { doubted = doubted ?? now + Self.doubt }
    case .asking(var talk, let until, let atLast):
      talk.isWaiting = false
      talk.answer = answer
      if accepts, talk.positions >= 2 {
        effects.append(.drop)
        phase = .dropped(until: now + Self.silence, asked: now, atLast: now + Self.longest)
      } else {
        // Yes was its answer to the first position, and is not yet one to the served data.
        if accepts { send(&talk, at: now, into: &effects) }
        phase = .asking(talk, until: until, atLast: atLast)
      }
    case .outside, .dropped, .over: break
    }
  }

  /// The target asks for data while nothing is served.
  package mutating func fetches() { hasFetched = true }

  /// - Parameter accepted: whether the target says that it has done what was offered.
  package mutating func finished(accepted: Bool, into effects: inout [Effect]) {
    guard isDropped else { return }
    end(taken: accepted, into: &effects)
  }

  /// The target asks for data, or data is on its way to it, or has come.
  ///
  /// - Parameter isWaiting: whether the target waits for data that has not come. Browsers and file managers say yes to a drop
  ///   only when they have it.
  package mutating func isAtWork(at now: Instant, isWaiting: Bool = false) {
    switch phase {
    case .dropped(_, _, let atLast): phase = .dropped(until: now + Self.silence, asked: now, atLast: atLast)
    case .asking(let talk, _, let atLast):
      let until = now + (isWaiting ? Self.silence : Self.decision)
      phase = .asking(talk, until: min(until, atLast), atLast: atLast)
    case .outside, .inside, .over: break
    }
  }

  /// More of what the target waits for has come from the source. Once the target has said yes another drag need not wait for all
  /// of it.
  package mutating func isFlowing(at now: Instant) {
    switch phase {
    case .dropped(_, let asked, let atLast): phase = .dropped(until: now + Self.silence, asked: asked, atLast: atLast)
    case .asking(let talk, _, let atLast):
      phase = .asking(talk, until: min(now + Self.silence, atLast), atLast: atLast)
    case .outside, .inside, .over: break
    }
  }

  /// The target's window is gone.
  package mutating func targetGone(at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .over: break
    case .asking, .dropped: end(taken: false, into: &effects)
    case .outside, .inside:
      phase = .outside
      if heldDrop != nil { return end(taken: false, into: &effects) }
      tell(.nothing, at: now, into: &effects)
    }
  }

  // MARK: From the side

  /// The drag has to wait, because another drag talks with the target's program, or another program has the selection; or
  /// it may go on.
  package mutating func hold(_ held: Bool, at now: Instant, into effects: inout [Effect]) {
    guard held != isHeld else { return }
    isHeld = held
    if held {
      guard case .inside(let talk) = phase else { return }
      effects.append(.leave)
      phase = .outside
      heldPlace = talk.place
      return
    }
    if let heldDrop {
      self.heldDrop = nil
      heldPlace = nil
      ask(at: heldDrop.place, now, into: &effects)
    } else if let place = heldPlace {
      heldPlace = nil
      enter(at: place, now, into: &effects)
    }
  }

  package var nextDeadline: Instant? {
    var patience = question.map { $0 + Self.patience }
    patience = .earliest(patience, doubted)
    if nextAnswer != nil { patience = .earliest(patience, answeredAt + Self.unasked) }
    switch phase {
    case .outside: return Instant.earliest(patience, heldDrop?.until)
    case .inside(let talk): return Instant.earliest(talk.isWaiting ? nil : talk.sent + Self.pulse, patience)
    case .asking(let talk, let until, _): return talk.isWaiting ? until : min(until, talk.sent + Self.again)
    case .dropped(let until, _, let atLast): return min(until, atLast)
    case .over: return nil
    }
  }

  package mutating func advance(to now: Instant, into effects: inout [Effect]) {
    if let question, question + Self.patience <= now { tell(.nothing, at: now, into: &effects) }
    if let doubted, doubted <= now { tell(.nothing, at: now, into: &effects) }
    if let nextAnswer, answeredAt + Self.unasked <= now { tell(nextAnswer, at: now, into: &effects) }
    switch phase {
    case .outside:
      if let heldDrop, heldDrop.until <= now { end(taken: false, into: &effects) }
    case .inside(var talk):
      guard !talk.isWaiting, talk.sent + Self.pulse <= now else { return }
      send(&talk, at: now, into: &effects)
      phase = .inside(talk)
    case .asking(var talk, let until, let atLast):
      if until <= now {
        effects.append(.leave)
        return end(taken: false, into: &effects)
      }
      guard !talk.isWaiting, talk.sent + Self.again <= now else { return }
      send(&talk, at: now, into: &effects)
      phase = .asking(talk, until: until, atLast: atLast)
    case .dropped(let until, _, let atLast):
      if min(until, atLast) <= now { end(taken: false, into: &effects) }
    case .over: break
    }
  }

  // MARK: Steps

  private mutating func enter(at place: Point, _ now: Instant, into effects: inout [Effect]) {
    effects += [.enter, .position(place)]
    phase = .inside(Talk(place: place, sent: now))
  }

  private mutating func ask(at place: Point, _ now: Instant, into effects: inout [Effect]) {
    effects += [.serve(true), .enter, .position(place)]
    phase = .asking(
      Talk(place: place, sent: now), until: now + Self.decision, atLast: now + Self.longDecision)
  }

  private func send(_ talk: inout Talk, at now: Instant, into effects: inout [Effect]) {
    effects.append(.position(talk.place))
    talk.sent = now
    talk.positions += 1
    talk.isWaiting = true
    talk.isBehind = false
  }

  private mutating func tell(_ answer: Answer, at now: Instant, into effects: inout [Effect]) {
    (doubted, nextAnswer) = (nil, nil)
    if question == nil {
      // Nobody has asked yet, or it is no news.
      guard answered != nil, answered != answer else { return }
      // A program may send any number of answers.
      guard answeredAt + Self.unasked <= now else { return nextAnswer = answer }
    }
    question = nil
    (answered, answeredAt) = (answer, now)
    effects.append(.answer(answer))
  }

  private mutating func end(taken: Bool, into effects: inout [Effect]) {
    (question, doubted, nextAnswer, heldDrop, heldPlace) = (nil, nil, nil, nil, nil)
    phase = .over
    effects += [.serve(false), .end(taken: taken)]
  }
}
