import CarryGestures
package import CarryModel

/// Long presses in windows of foreign applications, in which the bridge has a drag region (Z23).
///
/// The question which items such a press lifts makes the bridge try it: it presses the mouse button there, and
/// watches whether the application begins a drag of its own. The question is therefore asked only once the finger has
/// rested for the whole lift time, for one press at a time, and only for a touch that is held. Until the answer the
/// touch is undecided.
///
///     pressed ──still──▶ lifted ──tryLift──▶ asking ──touchIsTaken──▶ asking ──items──▶ lifting
///                                              └──no items──▶ the application receives its touch
extension SessionEngine {
  /// A lift that the bridge is trying.
  struct Trial {
    let client: ClientID
    let serial: UInt32
    /// The bridge has answered by then, or is stuck.
    let until: Instant
    /// Where the button may be released without a click; nil if the application's window fills the screen.
    let outside: Point?
  }

  /// Tries a lift for a finger that has rested long enough to carry while its press is still unasked.
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
      serial: nextSerial(), start: event.time, deadline: event.time + Limits.foreignLift, isRisen: true)
    trial = makeTrial(of: asking.serial, in: region, at: event.point, until: asking.deadline)
    ask(region, at: frame.origin, asking, event, into: &actions)
  }

  /// - Parameter point: screen pixels.
  func makeTrial(of serial: UInt32, in region: Region, at point: Point, until: Instant) -> Trial {
    let frame = tree.screenFrame(of: tree.toplevel(of: region.window) ?? region.window)
    let outside = tree.screenFrame(of: tree.root).flatMap { frame?.nearestOutside(to: point, within: $0) }
    return Trial(client: region.client, serial: serial, until: until, outside: outside)
  }

  /// The finger went up, or strayed, before any question was asked.
  mutating func leavePress(_ contact: ContactID, into actions: inout [SessionAction]) {
    guard let p = presses.firstIndex(where: { $0.contact == contact }) else { return }
    presses.remove(at: p)
    actions.append(.yield(contact))
  }

  /// The application drags: the touch belongs to the session from now on. The items follow once the bridge has them.
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

  /// The bridge has finished a trial, whatever its result: the button is up.
  package mutating func trialIsOver(by client: ClientID, serial: UInt32) {
    if let trial, trial.client == client, trial.serial == serial { self.trial = nil }
  }

  /// Abandons a trial whose bridge is gone or stuck, which may have left the button down.
  mutating func abandonTrial(into actions: inout [SessionAction]) {
    actions.append(.releaseButton(at: trial?.outside))
    trial = nil
  }
}
