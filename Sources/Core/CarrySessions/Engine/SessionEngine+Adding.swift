import CarryGestures
package import CarryModel

/// Taps that add items to a session: docs/behaviour.md, 2.2.
extension SessionEngine {
  /// The touch was passed to the application. If it was a tap that waits for an answer, the tap adds nothing.
  package mutating func touchGivenAway(_ contact: ContactID) {
    choices.removeAll { $0.tap == contact }
    for session in sessions {
      session.additions.removeAll { $0.tap == contact }
      if case .joining(var joining) = session.phase, joining.tap == contact {
        joining.tap = nil
        session.phase = .joining(joining)
      }
    }
  }

  /// Whether a tap here is on an item of an application that has a session under way, or that may add to another's
  /// session.
  package mutating func mayAdd(at point: Point) -> Bool {
    guard let region = dragRegion(at: point) else { return false }
    return sessions.contains { $0.isCarried && $0.client == region.client } || host(for: region) != nil
  }

  mutating func tapped(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let p = presses.firstIndex(where: { $0.contact == event.contact }) else {
      actions.append(.yield(event.contact))
      return
    }
    let press = presses.remove(at: p)
    guard let region = region(press.region), region.roles.contains(.drag) else {
      actions.append(.yield(event.contact))
      return
    }
    let candidates = candidates(for: region)
    guard let frame = tree.screenFrame(of: region.window) else {
      actions.append(.yield(event.contact))
      return
    }
    let local = event.point - frame.origin
    guard let first = candidates.first else {
      if let host = host(for: region) {
        return invite(region, to: host, tap: event, local, corner: frame.origin, into: &actions)
      }
      actions.append(.yield(event.contact))
      return
    }
    guard candidates.count > 1 else {
      return askForMore(first, region, tap: event.contact, local, at: event.time, into: &actions)
    }
    // Let the application decide which session it means.
    guard choices.count < Limits.sessions else {
      actions.append(.yield(event.contact))
      return
    }
    let serial = nextSerial()
    let ids = candidates.map(\.id)
    choices.append(
      .init(
        serial: serial, client: region.client, region: region.id, tap: event.contact, point: local, sessions: ids,
        deadline: event.time + .seconds(Limits.answerSeconds)))
    actions.append(.choose(region.client, region.id, serial: serial, ids, local))
  }

  /// The sessions that a tap in a region may add to.
  private func candidates(for region: Region) -> [Session] {
    // Sessions of any interaction of this application, but of no other application.
    let all = sessions.filter { $0.isCarried && $0.client == region.client }
    guard region.isStandIn else { return all }
    // The bridge is the client of many applications. Foreign applications can add to each other's sessions.
    let program = programs[region]
    let own = all.filter { $0.program == program }
    return own.isEmpty ? all.filter { !$0.isForeign } : own
  }

  /// The application's answer to `choose`; nil for none of them.
  package mutating func chose(
    _ id: SessionID?, by client: ClientID, _ region: RegionID, serial: UInt32, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard
      let c = choices.firstIndex(where: { $0.serial == serial && $0.client == client && $0.region == region })
    else { return }
    let choice = choices.remove(at: c)
    guard let id, choice.sessions.contains(id), let session = sessions.find(id), session.isCarried,
      let found = self.region(region)
    else {
      actions.append(.yield(choice.tap))
      return
    }
    askForMore(session, found, tap: choice.tap, choice.point, at: now, into: &actions)
  }

  /// Removes choices that will not be answered, and passes their taps to the application.
  mutating func forgetChoices(into actions: inout [SessionAction], _ isOver: (Choice) -> Bool) {
    guard !choices.isEmpty else { return }
    for choice in choices where isOver(choice) { actions.append(.yield(choice.tap)) }
    choices.removeAll(where: isOver)
  }

  /// The session no longer waits for additions: passes the taps that were to add to it to the application.
  mutating func forgetAdditions(_ session: Session, into actions: inout [SessionAction]) {
    for addition in session.additions { actions.append(.yield(addition.tap)) }
    session.additions = []
  }

  mutating func askForMore(
    _ session: Session, _ region: Region, tap: ContactID, _ local: Point, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard session.additions.count < 8, session.items.count < Limits.itemsPerSession, !region.isStandIn || trial == nil
    else {
      actions.append(.yield(tap))
      return
    }
    let serial = nextSerial()
    let patience = region.isStandIn ? Limits.foreignLift : .seconds(Limits.answerSeconds)
    if region.isStandIn, let origin = tree.screenFrame(of: region.window)?.origin {
      trial = makeTrial(of: serial, in: region, at: origin + local, until: now + patience)
    }
    let program = region.isStandIn ? programs[region] : session.program
    session.additions.append(
      .init(
        serial: serial, region: region.id, window: region.window, rect: region.rect,
        program: program == session.program ? nil : program, tap: tap, deadline: now + patience))
    tellSource(session, .itemsForAdding(region.id, serial: serial, local), into: &actions)
  }

  /// Handles the source's answer about what a tap adds.
  mutating func add(
    _ new: [ItemDescription], by addition: Session.Addition, to session: Session, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    if session.isLent {
      guard let host = host(of: session),
        lend(new, of: session, to: host, from: addition.window, addition.rect, at: now, into: &actions)
      else {
        actions.append(.yield(addition.tap))
        return
      }
      session.append(new)
      actions.append(.claim(addition.tap, addition.region))
      return
    }
    // A tap before the release may add its items until the drop.
    guard !new.isEmpty, let drag = session.drag else {
      actions.append(.yield(addition.tap))
      return
    }
    actions.append(.claim(addition.tap, addition.region))
    let items = new.map { item in
      var item = item
      item.program = item.program ?? addition.program
      return item
    }
    add(items, to: session, drag, from: addition.window, addition.rect, at: now, into: &actions)
  }

  /// Adds items to a stack in the hand.
  ///
  /// - Parameters:
  ///   - rect: where they fly in from, in the window's coordinates.
  mutating func add(
    _ items: [ItemDescription], to session: Session, _ drag: Drag, from window: WindowID, _ rect: Rect,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    session.append(items)
    // Several items are always carried small; the stage does this by itself.
    drag.isFullSize = false
    actions.append(.stage(session.id, .add(items.map(\.preview), window: window, rect: rect)))
    monitor(.itemsAdded, session, at: now, into: &actions)
    itemsChanged(drag, of: session, at: now, into: &actions)
  }

  private mutating func itemsChanged(
    _ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    drag.visits.itemsChanged()
    if drag.visits.isInsideTarget {
      offerToTarget(drag, of: session, into: &actions)
      _ = drag.visits.changeTarget { $0.mayUpdate() }
    }
    updateBadge(session, into: &actions)
    // Once the finger is up, the target stays: it is asked again after its answer.
    guard session.isCarried else { return }
    updateTarget(drag, of: session, because: .targetChangedItsMind, at: now, into: &actions)
  }
}
