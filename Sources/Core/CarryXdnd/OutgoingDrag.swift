package import CarryModel

/// A drag of Carry's over one window that speaks XDND. A pure state machine.
///
///     outside ──moved──▶ inside ──left──▶ outside
///        ▲                 │ dropped
///        │ refuses in      ▼
///        └─the end──── asking ──says yes, served──▶ dropped ──finished, silent or gone──▶ over
///
/// A drop on the source's own program is in the phase `loading` first.
///
/// Nothing is served while the drag hovers. Browsers fetch all data then, get nothing, and would request nothing
/// after the drop. So at the drop such a target is left, entered and asked for its answer again, at least twice, with
/// everything served from then on (docs/decisions/0032). This is skipped for a target that has fetched nothing and
/// has accepted this very position.
package struct OutgoingDrag: Sendable {
  /// The target's answer.
  package enum Answer: Equatable, Sendable {
    case copy
    /// Accepts nothing here, or does not answer.
    case nothing
  }

  /// An action to carry out, in order.
  package enum Effect: Equatable, Sendable {
    case enter
    case position(Point)
    case leave
    case drop
    /// Whether the target may convert the selection from now on.
    case serve(Bool)
    /// Load all of the data; `loaded` follows.
    case load
    /// The answer to the newest question; may be sent again with another answer.
    case answer(Answer)
    /// The drop is over.
    ///
    /// - Parameter taken: Whether the target has accepted the data.
    case end(taken: Bool)
  }

  /// The exchange with a target that was entered.
  private struct Talk {
    /// In pixels of the screen.
    var place: Point
    var sent: Instant
    /// The positions sent since the target was entered.
    var positions = 1
    /// Whether the newest position has not been answered.
    var isWaiting = true
    var answer: Answer?
    /// Whether the drag has moved since the last position sent.
    var isBehind = false
  }

  private enum Phase {
    case outside
    case inside(Talk)
    /// The drop waits for the data. No exchange if the drag was outside.
    case loading(Talk?, place: Point, until: Instant)
    case asking(Talk, until: Instant, atLast: Instant)
    /// `asked` is when the target last requested or received data.
    case dropped(until: Instant, asked: Instant, atLast: Instant)
    case over
  }

  private var phase = Phase.outside
  /// Whether the target has requested data while the drag hovered.
  private var hasFetched = false
  /// Whether the target waits for data that it has requested. A target may decide by that data, and request nothing after
  /// the drop message.
  private var isAwaited = false
  /// When the pending question was asked; nil if there is none.
  private var question: Instant?
  /// The last answer, and its time.
  private var answered: Answer?
  private var answeredAt = Instant.zero
  /// How long the target's refusal is doubted.
  private var doubted: Instant?
  /// Another answer without a question, which waits for its time.
  private var nextAnswer: Answer?
  /// Whether the drag has to wait because the target's program sees another drag, or another program owns the
  /// selection.
  private var isHeld = false
  /// The drag's location while it waits.
  private var heldPlace: Point?
  /// A waiting drop and its deadline.
  private var heldDrop: (place: Point, until: Instant)?

  /// How often a resting drag sends its position: targets need it for scrolling, and Chromium answers one position
  /// late.
  static let pulse = Interval.milliseconds(100)
  /// A target that has not answered for this long accepts nothing (Java takes 170 to 380 ms).
  static let patience = Interval.seconds(1)
  /// How long a drop waits for the data that its target's own program has promised.
  static let loading = Interval.seconds(2)
  /// How long a target may take to accept the drop.
  static let decision = Interval.seconds(2)
  /// The same for a target that waits for slow data first, counted from the drop.
  static let longDecision = Interval.seconds(120)
  /// The interval for asking a target that refuses at the drop again.
  static let again = Interval.milliseconds(30)
  /// A drop ends this long after everything that the target has requested was delivered, if the target does not say
  /// XdndFinished: some programs never do.
  static let quiet = Interval.seconds(2)
  /// A drop ends after this long without activity.
  static let silence = Interval.seconds(30)
  /// A program that has requested nothing for this long after a drop may receive another drag.
  static let finishing = Interval.seconds(5)
  /// How long a refusal has to persist. LibreOffice refuses each position first and accepts it right after.
  static let doubt = Interval.milliseconds(30)
  /// The minimum interval of answers without a question.
  static let unasked = Interval.milliseconds(50)
  /// The limit for the entire drop.
  static let longest = Interval.seconds(3600)

  package init() {}

  /// Whether the target has been notified of the drag, and not yet of its end.
  package var isTalking: Bool {
    switch phase {
    case .inside, .asking, .dropped: true
    case .loading(let talk, _, _): talk != nil
    case .outside, .over: false
    }
  }

  /// Whether the target's program would discard this drag if it received another one. Some programs never send
  /// XdndFinished.
  package func needsItsProgram(at now: Instant) -> Bool { needsItsProgramUntil.map { now < $0 } ?? isTalking }

  /// When that ends, as far as known.
  package var needsItsProgramUntil: Instant? {
    if case .dropped(_, let asked, _) = phase { asked + Self.finishing } else { nil }
  }

  /// Whether the drop message has been sent to the target.
  package var isDropped: Bool { if case .dropped = phase { true } else { false } }

  package var isOver: Bool { if case .over = phase { true } else { false } }

  // MARK: From the engine

  /// The drag is at a location, in pixels of the screen; asks for the target's answer.
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
    case .loading, .asking, .dropped, .over: break
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
  ///
  /// - Parameter loadsFirst: Whether the target is told only when the data is there, or after two seconds: its program
  ///   is the source, too, and may not answer loads while it waits for the data.
  package mutating func dropped(
    at place: Point, loadsFirst: Bool = false, at now: Instant, into effects: inout [Effect]
  ) {
    (question, doubted, nextAnswer) = (nil, nil, nil)
    switch phase {
    case .inside(let talk) where loadsFirst:
      phase = .loading(talk, place: place, until: now + Self.loading)
      return effects.append(.load)
    case .outside where loadsFirst:
      phase = .loading(nil, place: place, until: now + Self.loading)
      return effects.append(.load)
    case .inside(let talk) where !hasFetched && !talk.isWaiting && talk.answer == .copy && talk.place == place:
      effects += [.serve(true), .drop]
      phase = .dropped(until: now + Self.silence, asked: now, atLast: now + Self.longest)
      return
    case .inside: effects.append(.leave)
    case .outside where isHeld: return heldDrop = (place, now + Self.finishing)
    case .outside: break
    case .loading, .asking, .dropped, .over: return
    }
    ask(at: place, now, into: &effects)
  }

  /// The data of a drop is there.
  package mutating func loaded(at now: Instant, into effects: inout [Effect]) {
    guard case .loading(let talk, let place, _) = phase else { return }
    phase = .outside
    if let talk {
      // Another drag may occupy the target's program by now.
      if isHeld { effects.append(.leave) } else { phase = .inside(talk) }
    }
    dropped(at: place, at: now, into: &effects)
  }

  // MARK: From the target

  package mutating func status(accepts: Bool, at now: Instant, into effects: inout [Effect]) {
    let answer = accepts ? Answer.copy : .nothing
    switch phase {
    case .inside(var talk):
      // Chromium's first answer is always a refusal, and its second one answers the first position. Thunar refuses at
      // the border of another pane until it has fetched the data it needs.
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
      if accepts, talk.positions >= 2, !isAwaited {
        effects.append(.drop)
        phase = .dropped(until: now + Self.silence, asked: now, atLast: now + Self.longest)
      } else {
        // This accepts the first position and does not yet consider the served data.
        if accepts, !isAwaited { send(&talk, at: now, into: &effects) }
        phase = .asking(talk, until: until, atLast: atLast)
      }
    case .outside, .loading, .dropped, .over: break
    }
  }

  /// The target requests data while nothing is served.
  package mutating func fetches() { hasFetched = true }

  /// - Parameter accepted: Whether the target reports that it has performed the offered action.
  package mutating func finished(accepted: Bool, into effects: inout [Effect]) {
    guard isDropped else { return }
    end(taken: accepted, into: &effects)
  }

  /// The target requests data, is receiving it, or has received it.
  ///
  /// - Parameters:
  ///   - isWaiting: Whether the target waits for data that has not arrived. Browsers and file managers accept a drop
  ///     only when they have it.
  ///   - isServed: Whether the target has requested data, and has all of it.
  package mutating func markActive(at now: Instant, isWaiting: Bool = false, isServed: Bool = false) {
    isAwaited = isWaiting
    switch phase {
    case .dropped(_, _, let atLast):
      phase = .dropped(until: now + (isServed ? Self.quiet : Self.silence), asked: now, atLast: atLast)
    case .asking(let talk, _, let atLast):
      let until = now + (isWaiting ? Self.silence : Self.decision)
      phase = .asking(talk, until: min(until, atLast), atLast: atLast)
    case .outside, .inside, .loading, .over: break
    }
  }

  /// More data for the target has arrived from the source. Once the target has accepted the drop, another drag need
  /// not wait for all of it.
  package mutating func markProgress(at now: Instant) {
    switch phase {
    case .dropped(_, let asked, let atLast): phase = .dropped(until: now + Self.silence, asked: asked, atLast: atLast)
    case .asking(let talk, _, let atLast):
      phase = .asking(talk, until: min(now + Self.silence, atLast), atLast: atLast)
    case .outside, .inside, .loading, .over: break
    }
  }

  /// The target's window is gone.
  package mutating func targetGone(at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .over: break
    case .loading, .asking, .dropped: end(taken: false, into: &effects)
    case .outside, .inside:
      phase = .outside
      if heldDrop != nil { return end(taken: false, into: &effects) }
      tell(.nothing, at: now, into: &effects)
    }
  }

  // MARK: From other drags

  /// Holds the drag because another drag occupies the target's program or another program owns the selection, or
  /// resumes it.
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
    case .loading(_, _, let until): return until
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
    case .loading(_, _, let until):
      if until <= now { loaded(at: now, into: &effects) }
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
      // No question yet, or no change.
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
