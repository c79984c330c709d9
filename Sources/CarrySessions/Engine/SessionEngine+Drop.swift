package import CarryModel

/// The end of a drag: release, drop, cancel, and what follows each.
extension SessionEngine {
  /// How long a release waits for a newer answer when an older one is known.
  private static let freshAnswerWait = Interval.milliseconds(300)
  /// How long the items stay in the air until an application has said how they end.
  private static let endingWait = Interval.milliseconds(250)

  /// The finger went up.
  mutating func release(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    switch sessions[s].phase {
    case .asking:
      // The drag began and ended before the source said what it lifts: nothing has been seen of it.
      actions.append(.yield(sessions[s].contact))
      forget(s, into: &actions)
      return
    case .lifting:
      reverseLift(s, at: now, into: &actions)
      return
    case .dragging:
      break
    case .releasing, .settling, .cancelling, .dropping:
      return
    }
    leaveSpring(s, into: &actions)
    sessions[s].aim.release(at: now, over: windowUnderFinger(s))
    // Whether the target may see it at all is still on its way.
    guard sessions[s].optionsAreKnown else {
      sessions[s].phase = .releasing(until: now + .seconds(Limits.answerSeconds))
      return
    }
    // T21: a window that pushed itself under the finger a moment before it went up is not what the user aimed at. The
    // release is told after the wait for a finger that only flickers.
    if sessions[s].aim.isTooFresh(at: now, settling: aimSettles) {
      return cancel(s, .cancel, at: now, into: &actions)
    }
    guard let t = sessions[s].target else { return finishRelease(s, at: now, into: &actions) }
    let visit = sessions[s].visits[t]
    switch visit.state {
    case .asked(_, let deadline):
      sessions[s].phase = .releasing(until: deadline)
    case .inside where visit.updates.isWaiting:
      let wait = visit.proposal == nil ? Interval.seconds(Limits.answerSeconds) : Self.freshAnswerWait
      sessions[s].phase = .releasing(until: now + wait)
    case .inside, .outside, .refused:
      finishRelease(s, at: now, into: &actions)
    }
  }

  /// How long something lies under a finger before it can have been aimed at. A release is told after the wait for a
  /// finger that only flickers.
  private var aimSettles: Interval {
    Interval(microseconds: settings.targetSettles.microseconds &+ settings.flickerWait.microseconds)
  }

  /// T21: whether what lies where the finger went up is not sure to be what the user saw there: something changed since,
  /// or a moment before.
  func isAnotherWorld(_ s: Int) -> Bool {
    sessions[s].aim.hasChangedSinceRelease(settling: aimSettles)
  }

  /// The finger went up before the region that is the target now had been asked.
  mutating func awaitAnswer(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    guard sessions[s].target != nil else { return finishRelease(s, at: now, into: &actions) }
    // Who let go waits once, however many regions there are to refuse.
    if case .releasing = sessions[s].phase { return }
    sessions[s].phase = .releasing(until: now + .seconds(Limits.answerSeconds))
  }

  /// Decides by the newest answer there is.
  mutating func finishRelease(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    let operation = effectiveOperation(s)
    // It may have been disabled while its answer was on its way.
    guard operation.transfersData, let t = sessions[s].target, let region = region(sessions[s].visits[t].region),
      region.roles.contains(.drop)
    else {
      cancel(s, operation == .forbidden ? .forbidden : .cancel, at: now, into: &actions)
      return
    }
    let serial = nextSerial()
    let visit = sessions[s].visits[t]
    tellSource(s, .willEnd(operation), into: &actions)
    monitor(.dropped, s, operation: operation, at: now, into: &actions)
    let local = reported(t, of: s, local(sessions[s].point, in: region.window), region)
    sessions[s].phase = .dropping
    sessions[s].drop = .init(
      region: visit.region, client: visit.client, operation: operation, serial: serial,
      scopeEnds: now + .seconds(Limits.answerSeconds), flightDue: now + Self.endingWait, animationEnds: .distantFuture)
    tell(t, of: s, .performDrop(serial: serial, local, operation), into: &actions)
    let frame = tree.screenFrame(of: region.window).map { region.rect.offset(by: $0.origin) }
    let point = sessions[s].point
    sessions[s].drop?.landing = (frame, point)
    // K9: the others hear of the end at once, the one that dropped last of all.
    endVisits(s, operation, except: visit.region, into: &actions)
    tellSource(s, .didEnd(operation), into: &actions)
  }

  /// E1, D14: nothing is dropped; everybody hears of it and the stack flies home.
  mutating func cancel(
    _ s: Int, _ operation: DropOperation, at now: Instant, into actions: inout [SessionAction]
  ) {
    switch sessions[s].phase {
    case .asking:
      presses.removeAll { $0.contact == sessions[s].contact }
      actions.append(.ignore(sessions[s].contact))
      forget(s, into: &actions)
    case .lifting:
      reverseLift(s, at: now, into: &actions)
    case .dragging, .releasing:
      leaveSpring(s, into: &actions)
      monitor(.cancelled, s, operation: operation, at: now, into: &actions)
      tellSource(s, .willEnd(operation), into: &actions)
      endVisits(s, operation, except: nil, into: &actions)
      clearTarget(s)
      ignoreHelpers(s, into: &actions)
      // The stage tells when it is over; this is for when it does not.
      sessions[s].phase = .cancelling(operation, until: now + settings.cancelAnimation + .seconds(2))
      updateBadge(s, into: &actions)
      let serial = nextSerial()
      sessions[s].ending = (serial, now + Self.endingWait)
      tellSource(s, .willCancel(serial: serial), into: &actions)
      if sessions[s].sourceIsGone { flyHome(s, [], into: &actions) }
    case .settling, .cancelling, .dropping:
      break
    }
  }

  /// The source has said how the items of a cancelled drag end.
  package mutating func answeredWillCancel(
    by client: ClientID, _ id: SessionID, serial: UInt32, endings: [ItemEnding], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), sessions[s].client == client, sessions[s].ending?.serial == serial else { return }
    flyHome(s, endings, into: &actions)
  }

  mutating func flyHome(_ s: Int, _ endings: [ItemEnding], into actions: inout [SessionAction]) {
    sessions[s].ending = nil
    actions.append(.stage(sessions[s].id, .cancel(endings)))
  }

  /// The items of a drop go down.
  mutating func land(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    guard let drop = sessions[s].drop, let landing = drop.landing else { return }
    sessions[s].drop?.landing = nil
    sessions[s].drop?.animationEnds = now + .seconds(2)
    actions.append(.stage(sessions[s].id, .drop(target: landing.target, landing.point, drop.endings)))
  }

  /// D12, D15: every region that has ever seen the session hears of its end.
  private mutating func endVisits(
    _ s: Int, _ operation: DropOperation, except kept: RegionID?, into actions: inout [SessionAction]
  ) {
    for v in sessions[s].visits.indices where sessions[s].visits[v].region != kept {
      tell(v, of: s, .didEnd(operation), into: &actions)
    }
    sessions[s].forgetVisits(exceptOf: kept)
    sessions[s].target = sessions[s].visits.isEmpty ? nil : 0
  }

  /// The stage has shown the end of a reversal, a cancellation or a drop.
  package mutating func animationFinished(_ id: SessionID, at now: Instant, into actions: inout [SessionAction]) {
    guard let s = index(of: id) else { return }
    switch sessions[s].phase {
    case .settling:
      tellSource(s, .liftEnded(atEnd: false), into: &actions)
      actions.append(.stage(id, .remove))
      forget(s, into: &actions)
    case .cancelling(let operation, _):
      tellSource(s, .didEnd(operation), into: &actions)
      monitor(.ended, s, operation: operation, at: now, into: &actions)
      actions.append(.stage(id, .remove))
      forget(s, into: &actions)
    case .dropping:
      guard sessions[s].drop?.isAnimating == true else { return }
      sessions[s].drop?.isAnimating = false
      actions.append(.stage(id, .remove))
      settleDrop(s, at: now, into: &actions)
    case .asking, .lifting, .dragging, .releasing:
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
    guard let s = index(of: id), let drop = sessions[s].drop, drop.client == client, drop.serial == serial,
      drop.scopeEnds != nil
    else { return }
    sessions[s].drop?.scopeEnds = nil
    sessions[s].drop?.endings = endings
    land(s, at: now, into: &actions)
    settleDrop(s, at: now, into: &actions)
  }

  /// Moves a drop on as far as it can go: conclude, end at the target, tell the source that all is transferred.
  mutating func settleDrop(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    guard let drop = sessions[s].drop, drop.scopeEnds == nil else { return }
    let id = sessions[s].id
    let open = transfers.contains { $0.session == id }
    if !open, !drop.toldSource {
      sessions[s].drop?.toldSource = true
      tellSource(s, .didTransfer(delivered: drop.delivered), into: &actions)
      if drop.delivered > 0 {
        monitor(.dataDelivered, s, operation: drop.operation, target: drop.client, at: now, into: &actions)
      }
    }
    if !drop.isAnimating, !drop.concluded {
      sessions[s].drop?.concluded = true
      if let v = visitIndex(s, of: drop.region) {
        tell(v, of: s, .concludeDrop, into: &actions)
        tell(v, of: s, .didEnd(drop.operation), into: &actions)
        sessions[s].forgetVisits(exceptOf: nil)
        clearTarget(s)
      }
    }
    guard !drop.isAnimating else { return }
    guard open else {
      monitor(.ended, s, operation: drop.operation, target: drop.client, at: now, into: &actions)
      return forget(s, into: &actions)
    }
    limitTransferring(at: now, into: &actions)
  }

  /// Z7: the user pressed Esc: whatever is lifted or carried goes back. A drop that is under way goes on.
  package mutating func cancelDrags(at now: Instant, into actions: inout [SessionAction]) {
    for id in sessions.map(\.id) {
      if let s = index(of: id), !sessions[s].isOver { cancel(s, .cancel, at: now, into: &actions) }
    }
  }

  /// Whether anything is lifted or carried.
  ///
  /// For an engine that an object holds, like `deadlineInPlace`.
  package mutating func isCarryingInPlace() -> Bool {
    for s in sessions.indices where !sessions[s].isOver { return true }
    return false
  }

  /// The engine stops: whatever is carried is cancelled, everybody is told, nothing stays on the screen.
  package mutating func stop(at now: Instant, into actions: inout [SessionAction]) {
    for id in sessions.map(\.id) {
      guard let s = index(of: id) else { continue }
      cancel(s, .cancel, at: now, into: &actions)
      animationFinished(id, at: now, into: &actions)
    }
  }
}
