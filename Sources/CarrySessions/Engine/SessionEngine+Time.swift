import CarryGestures
package import CarryModel

/// What happens by itself: the next deadline, and going over those that have come.
extension SessionEngine {
  /// When `advance(to:)` wants to be called next, or nil when nothing is waited for.
  package var nextDeadline: Instant? {
    var next: Instant?
    func consider(_ d: Instant?) {
      if let d, next == nil || d < next! { next = d }
    }
    for session in sessions {
      for q in session.questions.indices { consider(session.questions[q].deadline) }
      consider(session.visits.answerDue)
      consider(session.spring.deadline(settings))
      consider(edgeDeadline(session))
      consider(hoverDeadline(session))
      for h in session.helpers.indices { consider(session.helpers[h].mayTapUntil) }
      switch session.phase {
      case .releasing(let until), .settling(let until), .cancelling(_, let until):
        consider(until)
        if let ending = session.ending { consider(ending.due) }
      case .dropping:
        consider(session.drop?.deadline)
      case .asking, .lifting, .dragging, .gone: break
      }
    }
    for t in transfers.indices { consider(transfers[t].deadline) }
    for c in choices.indices { consider(choices[c].deadline) }
    return next
  }

  /// Lets time pass: goes over every deadline up to `now`.
  package mutating func advance(to now: Instant, into actions: inout [SessionAction]) {
    guard let due = nextDeadline, due <= now else { return }
    for session in sessions { advance(session, to: now, into: &actions) }
    forgetChoices(into: &actions) { $0.deadline <= now }
    for transfer in transfers where transfer.deadline <= now {
      end(transfer, .timedOut, at: now, into: &actions)
    }
  }

  mutating func advance(_ session: Session, to now: Instant, into actions: inout [SessionAction]) {
    let id = session.id
    for q in session.questions where q.deadline <= now {
      // L4 and Z8: a source that never answers lifts nothing.
      answered(by: session.client, id, serial: q.serial, items: [], at: now, into: &actions)
    }
    guard session.phase != .gone else { return }
    let isTargetSilent = session.visits.giveUp(at: now)
    if isTargetSilent { session.edge.leave() }
    if isTargetSilent, session.isCarried {
      updateTarget(session, because: .targetChangedItsMind, at: now, into: &actions)
    } else if isTargetSilent, case .releasing = session.phase {
      // Who let go has waited long enough: nobody else is asked.
      finishRelease(session, at: now, into: &actions)
    }
    claimHelpers(session, at: now, into: &actions)
    advanceEdge(session, to: now, into: &actions)
    advanceSpring(session, to: now, into: &actions)
    if let ending = session.ending, ending.due <= now { flyHome(session, [], into: &actions) }
    advanceHover(session, to: now, into: &actions)
    switch session.phase {
    case .releasing(let until) where until <= now:
      finishRelease(session, at: now, into: &actions)
    case .settling(let until) where until <= now, .cancelling(_, let until) where until <= now:
      animationFinished(id, at: now, into: &actions)
    case .dropping:
      while let drop = session.drop, let due = drop.due(at: now) {
        switch due {
        case .goingDown: land(session, at: now, into: &actions)
        case .closing: finishedPerforming(by: drop.client, id, serial: drop.serial, at: now, into: &actions)
        case .over: animationFinished(id, at: now, into: &actions)
        }
      }
    case .asking, .lifting, .dragging, .releasing, .settling, .cancelling, .gone:
      break
    }
  }
}
