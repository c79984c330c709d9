import CarryGestures
import CarryModel

/// Hand-off: a stack passes from finger to finger and from hand to hand (K7). A finger that comes down on a carried
/// stack joins the stack. When the carrying finger goes up, the finger that joined first carries the stack on.
extension SessionEngine {
  /// Lets a finger that came down on a stack join it. Returns false if the stack is not carried, or has too many
  /// fingers.
  mutating func join(_ stack: SessionID, _ event: GestureEvent, into actions: inout [SessionAction]) -> Bool {
    guard let drag = sessions.find(stack)?.carriedDrag, drag.helpers.count < Limits.joinedFingers, presses.count < 64
    else { return false }
    drag.helpers.append(
      .init(contact: event.contact, point: event.point, mayTapUntil: event.time + settings.tap.longest))
    // A short tap is meant for the item under the stack.
    if let found = dragRegion(at: event.point)?.id { presses.append(Press(contact: event.contact, region: found)) }
    actions.append(.join(event.contact))
    return true
  }

  /// Hands the stack of a carrying finger that is gone to another one. Returns false if no other finger has joined.
  mutating func handOff(_ session: Session, at now: Instant, into actions: inout [SessionAction]) -> Bool {
    guard let drag = session.carriedDrag, !drag.helpers.isEmpty else { return false }
    let next = drag.helpers.removeFirst()
    session.handOff(to: next)
    if next.mayTapUntil != nil { claim(next, into: &actions) }
    drag.aim.fingerChanged()
    actions.append(.stage(session.id, .handOff(next.point)))
    monitor(.handedOff, session, at: now, into: &actions)
    tellMotion(drag, of: session, into: &actions)
    updateTarget(drag, of: session, because: .fingerMoved, at: now, into: &actions)
    return true
  }

  mutating func helperMoved(_ event: GestureEvent) {
    for session in sessions {
      guard let drag = session.carriedDrag else { continue }
      for h in drag.helpers.indices where drag.helpers[h].contact == event.contact {
        drag.helpers[h].point = event.point
      }
    }
  }

  @discardableResult
  mutating func forgetHelper(_ contact: ContactID) -> Drag.Helper? {
    for session in sessions {
      guard let drag = session.drag else { continue }
      if let h = drag.helpers.firstIndex(where: { $0.contact == contact }) { return drag.helpers.remove(at: h) }
    }
    return nil
  }

  /// Removes a joined finger that went up while another finger carries on.
  mutating func leaveStack(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let helper = forgetHelper(event.contact) else { return }
    presses.removeAll { $0.contact == helper.contact }
    if helper.mayTapUntil != nil { actions.append(.yield(helper.contact)) }
  }

  /// Claims the fingers that have rested on the stack for longer than a tap.
  mutating func claimHelpers(_ drag: Drag, at now: Instant, into actions: inout [SessionAction]) {
    for h in drag.helpers.indices {
      guard let until = drag.helpers[h].mayTapUntil, until <= now else { continue }
      claim(drag.helpers[h], into: &actions)
      drag.helpers[h].mayTapUntil = nil
    }
  }

  private mutating func claim(_ helper: Drag.Helper, into actions: inout [SessionAction]) {
    let region = presses.first { $0.contact == helper.contact }?.region
    presses.removeAll { $0.contact == helper.contact }
    actions.append(.claim(helper.contact, region))
  }

  /// Ignores the other fingers of a session that is over.
  mutating func ignoreHelpers(_ drag: Drag, into actions: inout [SessionAction]) {
    for helper in drag.helpers {
      presses.removeAll { $0.contact == helper.contact }
      actions.append(.ignore(helper.contact))
    }
    drag.helpers = []
  }
}
