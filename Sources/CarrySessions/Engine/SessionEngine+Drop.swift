package import CarryModel

/// The end of a drag: release, drop, cancel, and what follows each.
extension SessionEngine {
  /// How long a release waits for a newer answer when an older one is known.
  private static let freshAnswerWait = Interval.milliseconds(300)

  /// The finger went up.
  mutating func release(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    switch session.phase {
    case .asking:
      // The drag began and ended before the source said what it lifts: nothing has been seen of it.
      actions.append(.yield(session.contact))
      forget(session, into: &actions)
      return
    case .lifting:
      reverseLift(session, at: now, into: &actions)
      return
    case .dragging:
      break
    case .releasing, .settling, .cancelling, .dropping, .gone:
      return
    }
    leaveSpring(session, into: &actions)
    session.aim.release(at: now, over: windowUnderFinger(session))
    // Whether the target may see it at all is still on its way.
    guard session.optionsAreKnown else {
      session.phase = .releasing(until: now + .seconds(Limits.answerSeconds))
      return
    }
    // T21: a window that pushed itself under the finger a moment before it went up is not what the user aimed at. The
    // release is told after the wait for a finger that only flickers.
    if session.aim.isTooFresh(at: now, settling: aimSettles) {
      return cancel(session, .cancel, at: now, into: &actions)
    }
    let target = session.visits.target
    if let due = target?.answerDue {
      session.phase = .releasing(until: due)
    } else if let target, target.isUpdating {
      let wait = target.proposal == nil ? Interval.seconds(Limits.answerSeconds) : Self.freshAnswerWait
      session.phase = .releasing(until: now + wait)
    } else {
      finishRelease(session, at: now, into: &actions)
    }
  }

  /// How long something lies under a finger before it can have been aimed at. A release is told after the wait for a
  /// finger that only flickers.
  private var aimSettles: Interval {
    Interval(microseconds: settings.targetSettles.microseconds &+ settings.flickerWait.microseconds)
  }

  /// T21: whether what lies where the finger went up is not sure to be what the user saw there: something changed since,
  /// or a moment before.
  func isAnotherWorld(_ session: Session) -> Bool {
    session.aim.hasChangedSinceRelease(settling: aimSettles)
  }

  /// The finger went up before the region that is the target now had been asked.
  mutating func awaitAnswer(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard session.visits.target != nil else { return finishRelease(session, at: now, into: &actions) }
    // Who let go waits once, however many regions there are to refuse.
    if case .releasing = session.phase { return }
    session.phase = .releasing(until: now + .seconds(Limits.answerSeconds))
  }

  /// Decides by the newest answer there is.
  mutating func finishRelease(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    let operation = effectiveOperation(session)
    // It may have been disabled while its answer was on its way.
    guard operation.transfersData, let target = session.visits.target, let region = region(target.region),
      region.roles.contains(.drop)
    else {
      cancel(session, operation == .forbidden ? .forbidden : .cancel, at: now, into: &actions)
      return
    }
    let serial = nextSerial()
    tellSource(session, .willEnd(operation), into: &actions)
    monitor(.dropped, session, operation: operation, at: now, into: &actions)
    let local = reported(session, local(session.point, in: region.window), region)
    let frame = tree.screenFrame(of: region.window).map { region.rect.offset(by: $0.origin) }
    session.phase = .dropping
    session.drop = Drop(
      on: target, operation, serial: serial, landing: .init(target: frame, point: session.point), at: now)
    tell(target, of: session, .performDrop(serial: serial, local, operation), into: &actions)
    // K9: the others hear of the end at once, the one that dropped last of all.
    endVisits(session, operation, except: target.region, into: &actions)
    tellSource(session, .didEnd(operation), into: &actions)
  }

  /// E1, D14: nothing is dropped; everybody hears of it and the stack flies home.
  mutating func cancel(
    _ session: Session, _ operation: DropOperation, at now: Instant, into actions: inout [SessionAction]
  ) {
    switch session.phase {
    case .asking:
      presses.removeAll { $0.contact == session.contact }
      actions.append(.ignore(session.contact))
      forget(session, into: &actions)
    case .lifting:
      reverseLift(session, at: now, into: &actions)
    case .dragging, .releasing:
      leaveSpring(session, into: &actions)
      monitor(.cancelled, session, operation: operation, at: now, into: &actions)
      tellSource(session, .willEnd(operation), into: &actions)
      endVisits(session, operation, except: nil, into: &actions)
      clearTarget(session)
      ignoreHelpers(session, into: &actions)
      // The stage tells when it is over; this is for when it does not.
      session.phase = .cancelling(operation, until: now + settings.cancelAnimation + .seconds(2))
      updateBadge(session, into: &actions)
      let serial = nextSerial()
      session.ending = (serial, now + Drop.endingWait)
      tellSource(session, .willCancel(serial: serial), into: &actions)
    case .settling, .cancelling, .dropping, .gone:
      break
    }
  }

  /// The source has said how the items of a cancelled drag end.
  package mutating func answeredWillCancel(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = find(id), session.client == client, session.ending?.serial == serial else { return }
    flyHome(session, endings, into: &actions)
  }

  mutating func flyHome(_ session: Session, _ endings: [ItemEnding], into actions: inout [SessionAction]) {
    session.ending = nil
    actions.append(.stage(session.id, .cancel(endings)))
  }

  /// The items of a drop go down.
  mutating func land(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard let landing = session.drop?.goDown(at: now) else { return }
    actions.append(
      .stage(session.id, .drop(target: landing.target, landing.point, session.drop?.endings ?? [])))
  }

  /// D12, D15: every region that has ever seen the session hears of its end.
  private mutating func endVisits(
    _ session: Session, _ operation: DropOperation, except kept: RegionID?, into actions: inout [SessionAction]
  ) {
    for visit in session.visits.all where visit.region != kept {
      tell(visit, of: session, .didEnd(operation), into: &actions)
    }
    session.visits = Visits()
  }

  /// The stage has shown the end of a reversal, a cancellation or a drop.
  package mutating func animationFinished(_ id: SessionID, at now: Instant, into actions: inout [SessionAction]) {
    guard let session = find(id) else { return }
    switch session.phase {
    case .settling:
      tellSource(session, .liftEnded(atEnd: false), into: &actions)
      actions.append(.stage(id, .remove))
      forget(session, into: &actions)
    case .cancelling(let operation, _):
      tellSource(session, .didEnd(operation), into: &actions)
      monitor(.ended, session, operation: operation, at: now, into: &actions)
      actions.append(.stage(id, .remove))
      forget(session, into: &actions)
    case .dropping:
      guard session.drop?.land() == true else { return }
      actions.append(.stage(id, .remove))
      settleDrop(session, at: now, into: &actions)
    case .asking, .lifting, .dragging, .releasing, .gone:
      break
    }
  }

  /// The destination says that its `performDrop` has returned: no more loads may start.
  ///
  /// - Parameter endings: how items end that do not just go down into the target.
  package mutating func finishedPerforming(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding] = [], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = find(id), let drop = session.drop, drop.client == client, drop.serial == serial,
      drop.mayLoad
    else { return }
    session.drop?.close(endings)
    land(session, at: now, into: &actions)
    settleDrop(session, at: now, into: &actions)
  }

  /// Moves a drop on as far as it can go: conclude, end at the target, tell the source that all is transferred.
  mutating func settleDrop(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard let drop = session.drop else { return }
    let id = session.id
    let isLoading = transfers.contains { $0.session == id }
    while let step = session.drop?.next(isLoading: isLoading) {
      switch step {
      case .tellTransferred(let delivered):
        tellSource(session, .didTransfer(delivered: delivered), into: &actions)
        guard delivered > 0 else { continue }
        monitor(.dataDelivered, session, operation: drop.operation, target: drop.client, at: now, into: &actions)
      case .conclude:
        actions.append(.destination(drop.client, id, drop.region, .concludeDrop))
        actions.append(.destination(drop.client, id, drop.region, .didEnd(drop.operation)))
      case .awaitLoads:
        return limitTransferring(at: now, into: &actions)
      case .end:
        monitor(.ended, session, operation: drop.operation, target: drop.client, at: now, into: &actions)
        return forget(session, into: &actions)
      case .wait:
        return
      }
    }
  }

  /// Z7: the user pressed Esc: whatever is lifted or carried goes back. A drop that is under way goes on.
  package mutating func cancelDrags(at now: Instant, into actions: inout [SessionAction]) {
    for session in sessions where !session.isOver { cancel(session, .cancel, at: now, into: &actions) }
  }

  /// Whether anything is lifted or carried.
  package var isCarrying: Bool { sessions.contains { !$0.isOver } }

  /// The engine stops: whatever is carried is cancelled, everybody is told, nothing stays on the screen.
  package mutating func stop(at now: Instant, into actions: inout [SessionAction]) {
    for session in sessions {
      cancel(session, .cancel, at: now, into: &actions)
      animationFinished(session.id, at: now, into: &actions)
    }
  }
}
