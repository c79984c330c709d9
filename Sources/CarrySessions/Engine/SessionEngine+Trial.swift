import CarryGestures
package import CarryModel

/// Z23: long presses in windows of applications that know nothing of Carry, where the bridge has a drag region.
///
/// The question which items such a press lifts makes the bridge try it: it presses the mouse's button there, and looks
/// whether the application begins a drag of its own. So the question is asked only once the finger has rested for the whole
/// time, for one press at a time, and only for a touch that is held. Until the answer the touch is undecided.
///
///     pressed ──still──▶ lifted ──tryLift──▶ asking ──touchIsTaken──▶ asking ──items──▶ lifting
///                                              └──no items──▶ the application gets its touch
extension SessionEngine {
  /// A lift that the bridge is trying.
  struct Trial {
    let client: ClientID
    let serial: UInt32
    /// The bridge is done by then, or is stuck.
    let until: Instant
  }

  /// The finger has rested long enough to carry, and nobody has been asked what it lifts.
  mutating func tryLift(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let press = presses.first(where: { $0.contact == event.contact }), let region = region(press.region),
      region.isStandIn, region.roles.contains(.drag), trial == nil, hasRoom,
      let frame = tree.screenFrame(of: region.window)
    else {
      presses.removeAll { $0.contact == event.contact }
      actions.append(.ignore(event.contact))
      return
    }
    let asking = Session.Asking(
      serial: nextSerial(), deadline: event.time + Limits.foreignLift, isRisen: true)
    trial = Trial(client: region.client, serial: asking.serial, until: asking.deadline)
    ask(region, at: frame.origin, asking, event, into: &actions)
  }

  /// The finger went up, or strayed, before anybody was asked.
  mutating func leavePress(_ contact: ContactID, into actions: inout [SessionAction]) {
    guard let p = presses.firstIndex(where: { $0.contact == contact }) else { return }
    presses.remove(at: p)
    actions.append(.yield(contact))
  }

  /// The application drags: the touch is the session's from now on. The items follow once the bridge has them.
  package mutating func touchIsTaken(by client: ClientID, serial: UInt32, into actions: inout [SessionAction]) {
    guard let trial, trial.client == client, trial.serial == serial else { return }
    for session in sessions where session.client == client {
      if case .asking(let asking) = session.phase, asking.serial == serial {
        actions.append(.claim(session.contact, session.region))
      }
      for addition in session.additions where addition.serial == serial {
        actions.append(.claim(addition.tap, addition.region))
      }
    }
  }

  /// The bridge is done with a trial, whatever came of it: the button is up.
  package mutating func trialIsOver(by client: ClientID, serial: UInt32) {
    if let trial, trial.client == client, trial.serial == serial { self.trial = nil }
  }

  /// The bridge is gone or stuck while it tries a lift, and may have left the button down.
  mutating func abandonTrial(into actions: inout [SessionAction]) {
    trial = nil
    actions.append(.releaseButton)
  }
}
