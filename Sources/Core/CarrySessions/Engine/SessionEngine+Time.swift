import CarryGestures
package import CarryModel

/// Finds the next deadline, and handles expired deadlines.
extension SessionEngine {
  /// When `advance(to:)` has to be called next; nil if there is no deadline.
  package var nextDeadline: Instant? {
    var next: Instant?
    func consider(_ d: Instant?) {
      if let d, next == nil || d < next! { next = d }
    }
    for session in sessions {
      for addition in session.additions { consider(addition.deadline) }
      switch session.phase {
      case .asking(let asking): consider(asking.deadline)
      case .dragging(let drag):
        consider(drag.visits.answerDue)
        consider(drag.spring.deadline(settings.spring))
        consider(drag.edge.deadline(settings.drop.edgeDwell))
        consider(drag.hoverDeadline(settings.spring, of: session))
        for helper in drag.helpers { consider(helper.mayTapUntil) }
      case .releasing(let drag, let until):
        consider(drag.visits.answerDue)
        consider(until)
      case .settling(let until): consider(until)
      case .cancelling(let cancelling):
        consider(cancelling.until)
        consider(cancelling.question?.due)
      case .dropping(let drop): consider(drop.deadline)
      case .joining(let joining): consider(joining.deadline)
      case .lifting, .lent, .gone: break
      }
    }
    for t in transfers.indices {
      consider(transfers[t].deadline)
      consider(transfers[t].nextReport)
    }
    for c in choices.indices { consider(choices[c].deadline) }
    consider(trial?.until)
    consider(undoOffers.deadline)
    return next
  }

  /// Handles every deadline up to `now`.
  package mutating func advance(to now: Instant, into actions: inout [SessionAction]) {
    guard let due = nextDeadline, due <= now else { return }
    if let trial, trial.until <= now { abandonTrial(into: &actions) }
    for session in sessions { advance(session, to: now, into: &actions) }
    forgetChoices(into: &actions) { $0.deadline <= now }
    if transfers.contains(where: { $0.deadline <= now }) {
      endTransfers(.timedOut, at: now, into: &actions) { $0.deadline <= now }
    }
    passProgressOn(at: now, into: &actions)
    endUndo(at: now, into: &actions)
  }

  private mutating func advance(_ session: Session, to now: Instant, into actions: inout [SessionAction]) {
    for addition in session.additions where addition.deadline <= now {
      answered(by: session.client, session.id, serial: addition.serial, items: [], at: now, into: &actions)
    }
    switch session.phase {
    case .asking(let asking) where asking.deadline <= now:
      // A source that never answers lifts nothing.
      answered(by: session.client, session.id, serial: asking.serial, items: [], at: now, into: &actions)
    case .dragging(let drag):
      if drag.visits.giveUp(at: now) {
        drag.visits.leaveTarget()
        updateTarget(drag, of: session, because: .targetChangedItsMind, at: now, into: &actions)
      }
      claimHelpers(drag, at: now, into: &actions)
      advanceEdge(drag, of: session, to: now, into: &actions)
      advanceSpring(drag, of: session, to: now, into: &actions)
      advanceHover(drag, of: session, to: now, into: &actions)
    case .releasing(let drag, let until):
      // The user has waited long enough after the release, so no other region is asked.
      let isTargetSilent = drag.visits.giveUp(at: now)
      if isTargetSilent || until <= now { finishRelease(drag, of: session, at: now, into: &actions) }
    case .settling(let until) where until <= now:
      animationFinished(session.id, at: now, into: &actions)
    case .cancelling(let cancelling):
      if let due = cancelling.question?.due, due <= now { flyHome(session, cancelling, [], into: &actions) }
      if cancelling.until <= now { animationFinished(session.id, at: now, into: &actions) }
    case .dropping:
      advanceDrop(session, to: now, into: &actions)
    case .joining(let joining) where joining.deadline <= now:
      turnAway(session, into: &actions)
    case .asking, .lifting, .settling, .joining, .lent, .gone:
      break
    }
  }

  private mutating func advanceDrop(_ session: Session, to now: Instant, into actions: inout [SessionAction]) {
    while let drop = session.drop, let due = drop.due(at: now) {
      switch due {
      case .goingDown: land(session, at: now, into: &actions)
      case .closing:
        finishedPerforming(by: drop.client, session.id, serial: drop.serial, at: now, into: &actions)
      case .over: animationFinished(session.id, at: now, into: &actions)
      }
    }
  }
}
