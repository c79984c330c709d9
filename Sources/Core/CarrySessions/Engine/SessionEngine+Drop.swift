package import CarryModel

/// The end of a drag: release, drop, cancel, and their consequences.
extension SessionEngine {
  /// How long a release waits for a newer answer when an older one is known.
  private static let freshAnswerWait = Interval.milliseconds(300)

  /// The finger went up.
  mutating func release(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    switch session.phase {
    case .asking:
      // The drag began and ended before the source answered which items it lifts, so nothing was visible.
      actions.append(.yield(session.contact))
      forget(session, into: &actions)
    case .lifting:
      reverseLift(session, at: now, into: &actions)
    case .dragging(let drag):
      release(drag, of: session, at: now, into: &actions)
    case .releasing, .settling, .cancelling, .dropping, .joining, .lent, .gone:
      break
    }
  }

  private mutating func release(
    _ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    leaveSpring(drag, of: session, into: &actions)
    drag.aim.release(at: now, over: windowUnderFinger(session))
    // It is not yet known whether the target may see the session.
    guard session.optionsAreKnown else {
      session.phase = .releasing(drag, until: now + .seconds(Limits.answerSeconds))
      return
    }
    // The user did not aim at a window that came under the finger a moment before the release.
    if drag.aim.isTooFresh(at: now, settling: aimSettlingTime) {
      return cancel(session, .cancel, at: now, into: &actions)
    }
    let target = drag.visits.target
    if let due = target?.answerDue {
      session.phase = .releasing(drag, until: due)
    } else if let target, target.openUpdate != nil {
      let wait = target.proposal == nil ? Interval.seconds(Limits.answerSeconds) : Self.freshAnswerWait
      session.phase = .releasing(drag, until: now + wait)
    } else {
      finishRelease(drag, of: session, at: now, into: &actions)
    }
  }

  /// How long a window must lie under the finger before the user can have aimed at it. Includes the wait for a
  /// flickering finger, because a release is reported only after that wait.
  private var aimSettlingTime: Interval {
    Interval(microseconds: settings.drop.targetSettles.microseconds &+ settings.contacts.flickerWait.microseconds)
  }

  /// Whether the user may have seen something else where the finger went up, because windows have changed there since
  /// the release or shortly before it.
  func targetMayHaveChanged(_ drag: Drag) -> Bool { drag.aim.hasChangedSinceRelease(settling: aimSettlingTime) }

  /// Handles a release before the present target was asked.
  mutating func awaitAnswer(
    _ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    // The user waits only once, however many regions refuse.
    if drag.visits.targetAddress == nil { finishRelease(drag, of: session, at: now, into: &actions) }
  }

  /// Decides by the newest answer.
  mutating func finishRelease(
    _ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    let operation = programs.operation(drag, of: session)
    // The region may have been disabled while its answer was on its way.
    guard operation.transfersData, let target = drag.visits.targetAddress, let region = region(target.region),
      region.roles.contains(.drop)
    else {
      cancel(
        session, operation == .forbidden ? .forbidden : .cancel, nearest: nearestToRelease(drag, of: session), at: now,
        into: &actions)
      return
    }
    let serial = nextSerial()
    tellSource(session, .willEnd(operation), into: &actions)
    monitor(.dropped, session, operation: operation, at: now, into: &actions)
    let local = drag.reported(tree.local(session.point, in: region.window), in: region, settings.drop)
    // Only the position of a drop in another application is known, not what accepts it there: the items go down at
    // that point.
    let frame =
      region.isStandIn ? nil : tree.screenFrame(of: region.window).map { region.rect.offset(by: $0.origin) }
    session.phase = .dropping(
      Drop(
        on: target, operation, isLocal: programs.isLocal(target, in: session), serial: serial,
        landing: .init(target: frame, point: session.point), at: now))
    tell(target, of: session, .performDrop(serial: serial, local, operation), into: &actions)
    // The other regions are told of the end at once; the region with the drop is told last (K9).
    endVisits(drag, of: session, operation, except: target.region, into: &actions)
    tellSource(session, .didEnd(operation), into: &actions)
    endGuests(of: session, operation, into: &actions)
  }

  /// The drop region that the user may have meant, for monitors, where the drag was released over none of an application's
  /// own.
  private func nearestToRelease(_ drag: Drag, of session: Session) -> MonitorEvent.Nearest? {
    guard isMonitored, drag.visits.targetAddress.flatMap({ region($0.region) })?.isStandIn != false else { return nil }
    return regions.nearestDrop(to: session.point)
  }

  /// Ends a drag without a drop: all participants are told, and the stack flies home.
  ///
  /// - Parameter nearest: for monitors.
  mutating func cancel(
    _ session: Session, _ operation: DropOperation, nearest: MonitorEvent.Nearest? = nil, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    switch session.phase {
    case .asking:
      presses.removeAll { $0.contact == session.contact }
      actions.append(.ignore(session.contact))
      forget(session, into: &actions)
    case .lifting:
      reverseLift(session, at: now, into: &actions)
    case .dragging(let drag), .releasing(let drag, _):
      leaveSpring(drag, of: session, into: &actions)
      monitor(.cancelled, session, operation: operation, nearest: nearest, at: now, into: &actions)
      tellSource(session, .willEnd(operation), into: &actions)
      endVisits(drag, of: session, operation, except: nil, into: &actions)
      ignoreHelpers(drag, into: &actions)
      endGuests(of: session, operation, into: &actions)
      if session.isForeign { return endForeign(session, operation, at: now, into: &actions) }
      let until = now + settings.animation.cancel + .seconds(2)
      guard !session.sourceIsGone else {
        // Without a source, the items have no known endings and no home to fly to.
        let cancelling = Session.Cancelling(operation: operation, until: until)
        session.phase = .cancelling(cancelling)
        updateBadge(session, into: &actions)
        let endings = session.items.indices.map { ItemEnding(item: $0, preview: .hidden) }
        return flyHome(session, cancelling, endings, into: &actions)
      }
      let serial = nextSerial()
      session.phase = .cancelling(
        .init(
          operation: operation, until: until,
          question: (serial, now + Drop.endingWait)))
      updateBadge(session, into: &actions)
      tellSource(session, .willCancel(serial: serial), into: &actions)
    case .joining:
      turnAway(session, into: &actions)
    case .settling, .cancelling, .dropping, .lent, .gone:
      break
    }
  }

  /// Handles the source's answer about how the items of a cancelled drag end.
  package mutating func answeredWillCancel(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.client == client, case .cancelling(let cancelling) = session.phase,
      cancelling.question?.serial == serial
    else { return }
    flyHome(session, cancelling, endings, into: &actions)
  }

  mutating func flyHome(
    _ session: Session, _ cancelling: Session.Cancelling, _ endings: [ItemEnding],
    into actions: inout [SessionAction]
  ) {
    session.phase = .cancelling(.init(operation: cancelling.operation, until: cancelling.until))
    show(session, .cancel(endings), into: &actions)
  }

  /// Lets the items of a drop go down.
  mutating func land(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard let landing = session.drop?.goDown(at: now) else { return }
    // A foreign drag shows nothing.
    if session.isForeign { _ = session.drop?.land() }
    show(session, .drop(target: landing.target, landing.point, session.drop?.endings ?? []), into: &actions)
  }

  /// Tells every region that has ever seen the session of its end (D12).
  private mutating func endVisits(
    _ drag: Drag, of session: Session, _ operation: DropOperation, except kept: RegionID?,
    into actions: inout [SessionAction]
  ) {
    for visit in drag.visits.all where visit.region != kept {
      tell(visit.address, of: session, .didEnd(operation), into: &actions)
    }
  }

  /// The stage has finished the animation of a reversal, a cancellation or a drop.
  package mutating func animationFinished(_ id: SessionID, at now: Instant, into actions: inout [SessionAction]) {
    guard let session = sessions.find(id) else { return }
    switch session.phase {
    case .settling:
      tellSource(session, .liftEnded(atEnd: false), into: &actions)
      show(session, .remove, into: &actions)
      forget(session, into: &actions)
    case .cancelling(let cancelling):
      tellSource(session, .didEnd(cancelling.operation), into: &actions)
      monitor(.ended, session, operation: cancelling.operation, at: now, into: &actions)
      show(session, .remove, into: &actions)
      forget(session, into: &actions)
    case .dropping:
      guard session.drop?.land() == true else { return }
      show(session, .remove, into: &actions)
      settleDrop(session, at: now, into: &actions)
      if session.drop?.isKeptOpen == true { limitTransferring(at: now, into: &actions) }
    case .asking, .lifting, .dragging, .releasing:
      reportImpossible("the end of an animation", session, into: &actions)
    case .joining, .lent, .gone:
      break
    }
  }

  /// The destination reports that its `performDrop` has returned: no more loads may start.
  ///
  /// - Parameter endings: the items with an ending of their own; the others go down into the target.
  package mutating func finishedPerforming(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding] = [], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = openDrop(of: client, id, serial: serial) else { return }
    // A drop that was kept open has landed already.
    session.drop?.close(endings)
    land(session, at: now, into: &actions)
    settleDrop(session, at: now, into: &actions)
  }

  /// The destination has performed the drop, and keeps it open for more loads, such as after a question to the user.
  package mutating func keptDropOpen(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding] = [], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = openDrop(of: client, id, serial: serial) else { return }
    session.drop?.keepOpen(endings)
    land(session, at: now, into: &actions)
  }

  /// The destination copies what it could have moved: the source keeps it.
  package mutating func copiesInstead(by client: ClientID, _ id: SessionID, serial: UInt32) {
    openDrop(of: client, id, serial: serial)?.drop?.copyInstead()
  }

  /// A session whose drop this client performs.
  private func openDrop(of client: ClientID, _ id: SessionID, serial: UInt32) -> Session? {
    guard let session = sessions.find(id), let drop = session.drop, drop.client == client, drop.serial == serial,
      drop.mayLoad
    else { return nil }
    return session
  }

  /// Advances a drop as far as possible: conclude, end at the target, tell the source that all is transferred.
  mutating func settleDrop(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard let drop = session.drop else { return }
    // The shelf (Z15) or a host's drop (Z23) may still request items.
    let isLoading =
      kept.holds(session.id) || host(of: session) != nil || transfers.contains { $0.session == session.id }
    while let step = session.drop?.next(isLoading: isLoading) {
      switch step {
      case .reportTransferred(let delivered):
        reportTransferred(drop, of: session, delivered: delivered, at: now, into: &actions)
      case .conclude:
        actions.append(.destination(drop.client, session.id, drop.region, .concludeDrop))
        actions.append(.destination(drop.client, session.id, drop.region, .didEnd(drop.operation)))
      case .awaitLoads:
        if kept.holds(session.id) { reportKept(drop, of: session, at: now, into: &actions) }
        return limitTransferring(at: now, into: &actions)
      case .end:
        reportEnd(drop, of: session, at: now, into: &actions)
        return forget(session, into: &actions)
      case .wait:
        return
      }
    }
  }

  private mutating func reportTransferred(
    _ drop: Drop, of session: Session, delivered: Int, at now: Instant, into actions: inout [SessionAction]
  ) {
    let isMove = drop.operation == .move && !drop.isLocal
    for item in session.items where drop.hasArrived(item.id) {
      // The source removes what was moved to another application (Z32), but a guest keeps its items (Z23). The shelf
      // removes whatever it has lent (Z15).
      let source = session.source(of: item.id)
      guard item.lent != nil || (isMove && source.session == session.id), let owner = sessions.find(source.session)
      else { continue }
      tellSource(owner, .itemMoved(source.item), into: &actions)
    }
    tellSource(session, .didTransfer(delivered: delivered), into: &actions)
    actions.append(.transferred(session.id, drop.failure))
    expectUndo(session, drop, at: now, into: &actions)
    // What is taken from the shelf is delivered in the session that takes it.
    guard delivered > 0, !session.hasToldEnd else { return }
    monitor(.dataDelivered, session, operation: drop.operation, target: drop.client, at: now, into: &actions)
  }

  /// The shelf keeps items, perhaps for days: monitors see the end now, and the bridge ends the foreign drag (Z15).
  private mutating func reportKept(
    _ drop: Drop, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    if session.isForeign, !session.hasToldEnd { tellSource(session, .kept, into: &actions) }
    reportEnd(drop, of: session, at: now, into: &actions)
  }

  private mutating func reportEnd(
    _ drop: Drop, of session: Session, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard !session.hasToldEnd else { return }
    session.hasToldEnd = true
    monitor(.ended, session, operation: drop.operation, target: drop.client, at: now, into: &actions)
  }

  /// Cancels everything that is lifted or carried, because the user pressed Esc. A drop that is under way continues.
  package mutating func cancelDrags(at now: Instant, into actions: inout [SessionAction]) {
    for session in sessions where !session.isOver && !session.isForeign {
      cancel(session, .cancel, at: now, into: &actions)
    }
  }

  /// Whether anything is lifted or carried by a finger that Esc concerns. A foreign application handles Esc itself.
  package var isCarrying: Bool { sessions.contains { !$0.isOver && !$0.isForeign } }

  /// Stops the engine: cancels every session, tells all participants, and clears the screen.
  package mutating func stop(at now: Instant, into actions: inout [SessionAction]) {
    for session in sessions {
      cancel(session, .cancel, at: now, into: &actions)
      animationFinished(session.id, at: now, into: &actions)
    }
    forgetAllUndo(into: &actions)
  }
}
