package import CarryModel

/// Asks targets, one question at a time, and handles their answers.
extension SessionEngine {
  /// Introduces the session to its target, with types but without data, and asks whether the region can handle it.
  mutating func askTarget(
    _ drag: Drag, of session: Session, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let target = drag.visits.targetAddress else { return }
    let deadline = now + .seconds(Limits.answerSeconds)
    guard !clientsBehind.contains(target.client) else {
      drag.visits.target?.waitForReading(deadline: deadline)
      return
    }
    let serial = nextSerial()
    drag.visits.target?.ask(serial: serial, deadline: deadline)
    offerToTarget(drag, of: session, into: &actions)
    tell(target, of: session, .canHandle(serial: serial, local), into: &actions)
  }

  /// Tells the target about items that it does not know yet.
  mutating func offerToTarget(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    guard let target = drag.visits.targetAddress, !clientsBehind.contains(target.client),
      let first = drag.visits.target?.offer(session.items.count)
    else { return }
    let view = programs.view(of: target.region, target.client, in: session)
    let isLocal = view.isSameProcess
    tell(
      target, of: session,
      .offer(
        session.items.indices[first...].map { view.shown(session.items[$0], at: $0) }, firstIndex: first,
        isLocal: isLocal,
        SourceOptions(
          allowsMove: session.allowsMove(isLocal: isLocal), isRestricted: session.options.isRestricted)),
      into: &actions)
  }

  /// A client does not read its messages. Until it does, it is not introduced to further drags: an introduction may
  /// be long, and a client that is busy for some seconds should not lose its connection because of it.
  package mutating func isBehind(_ client: ClientID) { clientsBehind.insert(client) }

  /// The client has read all its messages: introduces the drags that waited.
  package mutating func hasRead(_ client: ClientID, at now: Instant, into actions: inout [SessionAction]) {
    guard clientsBehind.remove(client) != nil else { return }
    for session in sessions {
      guard let drag = session.drag else { continue }
      if drag.visits.targetAddress?.client == client, drag.visits.isInsideTarget {
        offerToTarget(drag, of: session, into: &actions)
      }
      guard drag.visits.hasRead(client), let target = drag.visits.targetAddress, let region = region(target.region)
      else {
        continue
      }
      askTarget(drag, of: session, tree.local(session.point, in: region.window), at: now, into: &actions)
      if session.isReleasing { awaitAnswer(drag, of: session, at: now, into: &actions) }
    }
  }

  func tell(
    _ target: Visit.Address, of session: Session, _ message: DestinationMessage, into actions: inout [SessionAction]
  ) {
    actions.append(.destination(target.client, session.id, target.region, message))
  }

  /// Handles the region's answer to `canHandle`.
  package mutating func answeredCanHandle(
    _ yes: Bool, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), let drag = session.drag, drag.visits[region]?.client == client,
      let answer = drag.visits[region]?.answered(canHandle: yes, serial: serial, of: session.items.count),
      // The drag may have moved on to another region by now, and been released there.
      drag.visits.isTarget(region)
    else { return }
    switch answer {
    case .canHandle:
      guard let place = place(of: session, in: region) else { return }
      offerToTarget(drag, of: session, into: &actions)
      enterTarget(drag, of: session, place, at: now, into: &actions)
    case .mayBeAskedAgain:
      guard let place = place(of: session, in: region) else { return }
      askTarget(drag, of: session, place, at: now, into: &actions)
      if session.isReleasing { awaitAnswer(drag, of: session, at: now, into: &actions) }
    case .refuses:
      drag.visits.leaveTarget()
      if session.isReleasing, targetMayHaveChanged(drag) {
        return finishRelease(drag, of: session, at: now, into: &actions)
      }
      lookBeneath(drag, of: session, at: now, into: &actions)
      if session.isReleasing { awaitAnswer(drag, of: session, at: now, into: &actions) }
    }
  }

  /// The position of a session in the coordinates of a region's window.
  private func place(of session: Session, in region: RegionID) -> Point? {
    self.region(region).map { tree.local(session.point, in: $0.window) }
  }

  mutating func enterTarget(
    _ drag: Drag, of session: Session, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let target = drag.visits.targetAddress else { return }
    drag.visits.target?.enter()
    tell(target, of: session, .didEnter(local), into: &actions)
    monitor(.entered, session, at: now, into: &actions)
    tellUpdate(drag, of: session, local, into: &actions)
  }

  /// Asks the target for a proposal, one question at a time. The newest position follows when the last is answered.
  mutating func tellUpdate(_ drag: Drag, of session: Session, _ local: Point, into actions: inout [SessionAction]) {
    guard drag.visits.changeTarget({ $0.mayUpdate() }) == true, let target = drag.visits.targetAddress else { return }
    let serial = nextSerial()
    let speed = drag.edge.speed
    if drag.visits.changeTarget({ $0.update(serial, edgeSpeed: speed) }) == true {
      tell(target, of: session, .edge(speed), into: &actions)
    }
    tell(target, of: session, .didUpdate(serial: serial, local), into: &actions)
  }

  /// The content of a region has changed: asks it again about the drags that rest over it.
  package mutating func askAgain(by client: ClientID, _ region: RegionID, into actions: inout [SessionAction]) {
    guard let found = self.region(region), found.client == client else { return }
    for session in sessions where session.isCarried {
      guard let drag = session.drag, drag.visits.targetAddress?.region == region, drag.visits.isInsideTarget else {
        continue
      }
      let local = tree.local(session.point, in: found.window)
      tellUpdate(drag, of: session, drag.reported(local, in: found, settings.drop), into: &actions)
    }
  }

  /// Handles the region's answer to an update: what would happen if the items were dropped there now.
  package mutating func proposed(
    _ proposal: Proposal, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    // Only the region with the drag inside has been sent an update.
    guard let session = sessions.find(id), let drag = session.drag,
      drag.visits.targetAddress == Visit.Address(region: region, client: client)
    else { return }
    // A stand-in may revise its answer at any time, when the application that it represents does.
    if drag.visits.changeTarget({ $0.answered == serial }) == true, self.region(region)?.isStandIn == true,
      drag.visits.changeTarget({ $0.revised(proposal, serial: serial) }) == true
    {
      return updateBadge(session, into: &actions)
    }
    guard let updatesAgain = drag.visits.changeTarget({ $0.proposed(proposal, serial: serial) }) ?? nil else { return }
    monitor(.updated, session, operation: proposal.operation, at: now, into: &actions)
    updateBadge(session, into: &actions)
    if drag.isFullSize { updateSize(drag, of: session, into: &actions) }
    if updatesAgain, let found = self.region(region) {
      let point = drag.reported(tree.local(session.point, in: found.window), in: found, settings.drop)
      tellUpdate(drag, of: session, point, into: &actions)
    } else if session.isReleasing {
      finishRelease(drag, of: session, at: now, into: &actions)
    }
  }
}
