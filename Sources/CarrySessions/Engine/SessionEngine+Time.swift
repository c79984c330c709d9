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
    for s in sessions.indices {
      for q in sessions[s].questions.indices { consider(sessions[s].questions[q].deadline) }
      for v in sessions[s].visits.indices {
        if case .asked(_, let deadline) = sessions[s].visits[v].state { consider(deadline) }
      }
      if let spring = sessions[s].spring { consider(spring.dwell.deadline(settings)) }
      consider(edgeDeadline(s))
      consider(hoverDeadline(s))
      for h in sessions[s].helpers.indices { consider(sessions[s].helpers[h].mayTapUntil) }
      switch sessions[s].phase {
      case .releasing(let until), .settling(let until), .cancelling(_, let until):
        consider(until)
        if let ending = sessions[s].ending { consider(ending.due) }
      case .dropping:
        if let drop = sessions[s].drop {
          consider(drop.scopeEnds)
          if drop.isAnimating { consider(drop.landing == nil ? drop.animationEnds : drop.flightDue) }
        }
      case .asking, .lifting, .dragging: break
      }
    }
    for t in transfers.indices { consider(transfers[t].deadline) }
    for c in choices.indices { consider(choices[c].deadline) }
    return next
  }

  /// `nextDeadline` of an engine that an object holds: a getter would copy the whole engine out of the object first.
  package mutating func deadlineInPlace() -> Instant? { nextDeadline }

  /// Lets time pass: goes over every deadline up to `now`.
  package mutating func advance(to now: Instant, into actions: inout [SessionAction]) {
    guard let due = nextDeadline, due <= now else { return }
    for id in sessions.map(\.id) {
      guard let s = index(of: id) else { continue }
      advance(s, to: now, into: &actions)
    }
    forgetChoices(into: &actions) { $0.deadline <= now }
    for transfer in transfers where transfer.deadline <= now {
      end(transfer, .timedOut, at: now, into: &actions)
    }
  }

  mutating func advance(_ s: Int, to now: Instant, into actions: inout [SessionAction]) {
    let id = sessions[s].id
    for q in sessions[s].questions where q.deadline <= now {
      // L4 and Z8: a source that never answers lifts nothing.
      answered(by: sessions[s].client, id, serial: q.serial, items: [], at: now, into: &actions)
    }
    guard let s = index(of: id) else { return }
    var isTargetSilent = false
    for v in sessions[s].visits.indices {
      guard case .asked(_, let deadline) = sessions[s].visits[v].state, deadline <= now else { continue }
      sessions[s].visits[v].state = .refused
      guard sessions[s].target == v else { continue }
      clearTarget(s)
      isTargetSilent = true
    }
    if isTargetSilent, sessions[s].isCarried {
      updateTarget(s, because: .targetChangedItsMind, at: now, into: &actions)
    } else if isTargetSilent, case .releasing = sessions[s].phase {
      // Who let go has waited long enough: nobody else is asked.
      finishRelease(s, at: now, into: &actions)
    }
    claimHelpers(s, at: now, into: &actions)
    advanceEdge(s, to: now, into: &actions)
    advanceSpring(s, to: now, into: &actions)
    if let ending = sessions[s].ending, ending.due <= now { flyHome(s, [], into: &actions) }
    advanceHover(s, to: now, into: &actions)
    switch sessions[s].phase {
    case .releasing(let until) where until <= now:
      finishRelease(s, at: now, into: &actions)
    case .settling(let until) where until <= now, .cancelling(_, let until) where until <= now:
      animationFinished(id, at: now, into: &actions)
    case .dropping:
      if let drop = sessions[s].drop {
        // Before the rest, which may end the session.
        if drop.landing != nil, drop.flightDue <= now { land(s, at: now, into: &actions) }
        if let scope = drop.scopeEnds, scope <= now {
          finishedPerforming(by: drop.client, id, serial: drop.serial, at: now, into: &actions)
        }
        if drop.isAnimating, drop.animationEnds <= now { animationFinished(id, at: now, into: &actions) }
      }
    case .asking, .lifting, .dragging, .releasing, .settling, .cancelling:
      break
    }
  }
}
