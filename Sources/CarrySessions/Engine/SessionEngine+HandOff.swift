import CarryGestures
import CarryModel

/// K7, G8: a stack goes from finger to finger and from hand to hand. A finger that comes down on a carried stack joins
/// it; when the one that carries it goes up, the one that has waited longest carries it on.
extension SessionEngine {
  /// A finger came down on a stack. Answers false when nobody carries that stack, or too many fingers are on it.
  mutating func join(_ stack: SessionID, _ event: GestureEvent, into actions: inout [SessionAction]) -> Bool {
    guard let s = index(of: stack), sessions[s].phase == .dragging,
      sessions[s].helpers.count < Limits.joinedFingers, presses.count < 64
    else { return false }
    sessions[s].helpers.append(
      .init(contact: event.contact, point: event.point, mayTapUntil: event.time + settings.tapLongest))
    // A short tap is meant for what lies under the stack.
    if let found = dragRegion(at: event.point)?.id { presses.append(Press(contact: event.contact, region: found)) }
    actions.append(.join(event.contact))
    return true
  }

  /// The finger that carried it is gone. Answers false when no other one is there.
  mutating func handOff(_ s: Int, at now: Instant, into actions: inout [SessionAction]) -> Bool {
    guard sessions[s].phase == .dragging, let next = sessions[s].handOff() else { return false }
    if next.mayTapUntil != nil { claim(next, into: &actions) }
    sessions[s].aim.fingerChanged()
    actions.append(.stage(sessions[s].id, .handOff(next.point)))
    monitor(.handedOff, s, at: now, into: &actions)
    tellMotion(s, into: &actions)
    updateTarget(s, because: .fingerMoved, at: now, into: &actions)
    return true
  }

  mutating func helperMoved(_ event: GestureEvent) {
    for s in sessions.indices {
      for h in sessions[s].helpers.indices where sessions[s].helpers[h].contact == event.contact {
        sessions[s].helpers[h].point = event.point
      }
    }
  }

  @discardableResult
  mutating func forgetHelper(_ contact: ContactID) -> Session.Helper? {
    for s in sessions.indices {
      if let h = sessions[s].helpers.firstIndex(where: { $0.contact == contact }) {
        return sessions[s].helpers.remove(at: h)
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
  mutating func claimHelpers(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    for h in sessions[s].helpers.indices {
      guard let until = sessions[s].helpers[h].mayTapUntil, until <= now else { continue }
      claim(sessions[s].helpers[h], into: &actions)
      sessions[s].helpers[h].mayTapUntil = nil
    }
  }

  private mutating func claim(_ helper: Session.Helper, into actions: inout [SessionAction]) {
    let region = presses.first { $0.contact == helper.contact }?.region
    presses.removeAll { $0.contact == helper.contact }
    actions.append(.claim(helper.contact, region))
  }

  /// The session is over: what its other fingers do from now on is nobody's business.
  mutating func ignoreHelpers(_ s: Int, into actions: inout [SessionAction]) {
    for helper in sessions[s].helpers {
      presses.removeAll { $0.contact == helper.contact }
      actions.append(.ignore(helper.contact))
    }
    sessions[s].helpers = []
  }
}
