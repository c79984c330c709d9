import CarryGestures
import CarryModel

/// K7, G8: a stack goes from finger to finger and from hand to hand. A finger that comes down on a carried stack joins
/// it; when the one that carries it goes up, the one that has waited longest carries it on.
extension SessionEngine {
  /// A finger came down on a stack. Answers false when nobody carries that stack, or too many fingers are on it.
  mutating func join(_ stack: SessionID, _ event: GestureEvent, into actions: inout [SessionAction]) -> Bool {
    guard let session = find(stack), session.phase == .dragging,
      session.helpers.count < Limits.joinedFingers, presses.count < 64
    else { return false }
    session.helpers.append(
      .init(contact: event.contact, point: event.point, mayTapUntil: event.time + settings.tapLongest))
    // A short tap is meant for what lies under the stack.
    if let found = dragRegion(at: event.point)?.id { presses.append(Press(contact: event.contact, region: found)) }
    actions.append(.join(event.contact))
    return true
  }

  /// The finger that carried it is gone. Answers false when no other one is there.
  mutating func handOff(_ session: Session, at now: Instant, into actions: inout [SessionAction]) -> Bool {
    guard session.phase == .dragging, let next = session.handOff() else { return false }
    if next.mayTapUntil != nil { claim(next, into: &actions) }
    session.aim.fingerChanged()
    actions.append(.stage(session.id, .handOff(next.point)))
    monitor(.handedOff, session, at: now, into: &actions)
    tellMotion(session, into: &actions)
    updateTarget(session, because: .fingerMoved, at: now, into: &actions)
    return true
  }

  mutating func helperMoved(_ event: GestureEvent) {
    for session in sessions {
      for h in session.helpers.indices where session.helpers[h].contact == event.contact {
        session.helpers[h].point = event.point
      }
    }
  }

  @discardableResult
  mutating func forgetHelper(_ contact: ContactID) -> Session.Helper? {
    for session in sessions {
      if let h = session.helpers.firstIndex(where: { $0.contact == contact }) {
        return session.helpers.remove(at: h)
      }
    }
    return nil
  }

  /// A finger that had joined went up again, while another one carries on.
  mutating func leaveStack(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let helper = forgetHelper(event.contact) else { return }
    presses.removeAll { $0.contact == helper.contact }
    if helper.mayTapUntil != nil { actions.append(.yield(helper.contact)) }
  }

  /// Fingers that rest on the stack for longer than a tap are the stack's.
  mutating func claimHelpers(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    for h in session.helpers.indices {
      guard let until = session.helpers[h].mayTapUntil, until <= now else { continue }
      claim(session.helpers[h], into: &actions)
      session.helpers[h].mayTapUntil = nil
    }
  }

  private mutating func claim(_ helper: Session.Helper, into actions: inout [SessionAction]) {
    let region = presses.first { $0.contact == helper.contact }?.region
    presses.removeAll { $0.contact == helper.contact }
    actions.append(.claim(helper.contact, region))
  }

  /// The session is over: what its other fingers do from now on is nobody's business.
  mutating func ignoreHelpers(_ session: Session, into actions: inout [SessionAction]) {
    for helper in session.helpers {
      presses.removeAll { $0.contact == helper.contact }
      actions.append(.ignore(helper.contact))
    }
    session.helpers = []
  }
}
