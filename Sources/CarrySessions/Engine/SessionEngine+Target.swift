import CarryGestures
package import CarryModel

/// Section 2.3: a session over drop regions, and 2.4: spring loading.
extension SessionEngine {
  // MARK: Motion

  /// The path to keep short: one hit test, one stage move, at most one message to each side.
  mutating func dragMoved(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let s = index(carriedBy: event.contact) else { return helperMoved(event) }
    sessions[s].point = event.point
    guard sessions[s].phase == .dragging else { return }
    actions.append(.stage(sessions[s].id, .move(event.point)))
    tellMotion(s, into: &actions)
    if !sessions[s].optionsAreKnown { noteWindowUnderFinger(s) }
    updateTarget(s, because: .fingerMoved, at: event.time, into: &actions)
  }

  func localToSource(_ s: Int) -> Point {
    local(
      sessions[s].point, in: sessions[s].window,
      fallback: sessions[s].sourceRect.origin - sessions[s].sourceLocal.origin)
  }

  /// B5, with one motion under way at a time: the newest position follows when the source has taken the last one.
  mutating func tellMotion(_ s: Int, into actions: inout [SessionAction]) {
    guard sessions[s].motionOutstanding == nil else {
      sessions[s].motionIsStale = true
      return
    }
    let serial = nextSerial()
    sessions[s].motionOutstanding = serial
    sessions[s].motionIsStale = false
    tellSource(s, .didMove(serial: serial, localToSource(s)), into: &actions)
  }

  /// The source has taken a motion.
  package mutating func motionTaken(
    by client: ClientID, _ id: SessionID, serial: UInt32, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), sessions[s].client == client, sessions[s].motionOutstanding == serial else { return }
    sessions[s].motionOutstanding = nil
    if sessions[s].motionIsStale, sessions[s].isCarried { tellMotion(s, into: &actions) }
  }

  // MARK: Targets

  /// What lies under a session's finger.
  private struct Sight {
    var drop: Region?
    var dropPoint = Point.zero
    var spring: Region?
    var springPoint = Point.zero
  }

  /// Looks down through the regions under the finger; `busy` are those that another session has.
  private mutating func look(_ s: Int, busy: inout [RegionID]) -> Sight {
    // The copy shares the storage and is gone before anything is changed: it costs no allocation.
    let sessions = self.sessions
    var sight = Sight()
    let isForItsClientOnly = sessions[s].isForItsClientOnly
    regions.search(at: sessions[s].point, roles: [.drop, .spring]) { region, local in
      guard region.client == sessions[s].client || !isForItsClientOnly else { return false }
      if sight.spring == nil, region.roles.contains(.spring) {
        sight.spring = region
        sight.springPoint = local
      }
      // D5: a region that cannot handle the session is as good as absent. D2: it handles one session at a time.
      if sight.drop == nil, region.roles.contains(.drop),
        !sessions[s].hasBeenRefused(by: region.id),
        !sessions[s].passedOver.contains(region.id)
      {
        if !region.roles.contains(.simultaneous),
          sessions.indices.contains(where: { $0 != s && sessions[$0].holds(region.id) })
        {
          busy.append(region.id)
        } else {
          sight.drop = region
          sight.dropPoint = local
        }
      }
      return sight.drop != nil && sight.spring != nil
    }
    return sight
  }

  /// D2: a region that was taken when this session came stays ignored until the session has left its rectangle.
  private mutating func updateShunned(_ s: Int, _ busy: [RegionID]) {
    for i in sessions[s].passedOver.indices.reversed() {
      if let region = region(sessions[s].passedOver[i]),
        region.rect.contains(local(sessions[s].point, in: region.window))
      {
        continue
      }
      sessions[s].passedOver.remove(at: i)
    }
    sessions[s].passedOver += busy
  }

  /// Why the region under the finger may be another one now.
  enum TargetCause {
    case fingerMoved
    /// A window or region was mapped, moved or raised; a region that was under the finger before hears nothing.
    case somethingMovedUnderTheFinger
    /// The target refused, was silent, or hears of more items: what lies beneath it may be the target now.
    case targetChangedItsMind
  }

  /// Finds the region under the finger and tells whoever is concerned.
  mutating func updateTarget(
    _ s: Int, because cause: TargetCause, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard sessions[s].optionsAreKnown else { return }
    updateShunned(s, [])
    var busy: [RegionID] = []
    let sight = look(s, busy: &busy)
    if !busy.isEmpty { updateShunned(s, busy) }
    updateSpring(s, sight.spring, sight.springPoint, at: now, into: &actions)
    updateHover(s, at: now)
    var left: ClientID?
    if let t = sessions[s].target, sessions[s].visits[t].region != sight.drop?.id {
      left = sessions[s].visits[t].client
      leaveTarget(s, at: now, into: &actions)
    }
    if let found = sight.drop {
      if let t = sessions[s].target {
        updateEdge(s, found, sight.dropPoint, at: now)
        if cause != .somethingMovedUnderTheFinger, sessions[s].visits[t].state == .inside {
          update(t, of: s, reported(t, of: s, sight.dropPoint, found), into: &actions)
        }
      } else {
        // T21: the time counts until it is over, whatever becomes the target meanwhile: who slides one region under a
        // finger can have another one beneath it or beside it.
        // A list that scrolls under the finger has had the drag all the time.
        if cause == .somethingMovedUnderTheFinger, found.client != left { sessions[s].targetSlidUnder = now }
        updateEdge(s, found, sight.dropPoint, at: now)
        arrive(s, found, sight.dropPoint, at: now, into: &actions)
      }
    }
    updateBadge(s, into: &actions)
    if sessions[s].isFullSize { updateSize(s, into: &actions) }
  }

  /// O7: where the drag is for a region: above the finger if its proposal is precise, but never outside of it.
  func reported(_ v: Int, of s: Int, _ local: Point, _ region: Region) -> Point {
    guard sessions[s].visits[v].proposal?.isPrecise == true else { return local }
    let above = local.y - settings.precisionOffset * sessions[s].slopScale
    return Point(x: local.x, y: min(local.y, max(region.rect.y, above)))
  }

  /// V1 to V7: the picture keeps its size while the source wishes it and the finger is over its window, or while a
  /// destination of the same application does.
  private mutating func updateSize(_ s: Int, into actions: inout [SessionAction]) {
    // In place: for every motion a copy of the session would cost more than all else here.
    if sessions[s].options.prefersFullSize, let window = tree.toplevel(of: sessions[s].window),
      tree.screenFrame(of: window)?.contains(sessions[s].point) == true
    {
      return
    }
    if let t = sessions[s].target, sessions[s].visits[t].client == sessions[s].client {
      // One that has not answered yet may still wish it.
      guard sessions[s].visits[t].proposal != nil else { return }
      if sessions[s].visits[t].proposal?.prefersFullSize == true { return }
    }
    sessions[s].isFullSize = false
    actions.append(.stage(sessions[s].id, .scaleDown))
  }

  private mutating func arrive(
    _ s: Int, _ region: Region, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    if let v = visitIndex(s, of: region.id) {
      sessions[s].target = v
      switch sessions[s].visits[v].state {
      case .outside where sessions[s].visits[v].offered == sessions[s].items.count:
        enter(v, of: s, local, at: now, into: &actions)
      case .outside:
        ask(v, of: s, local, at: now, into: &actions)
      case .asked, .inside, .refused:
        break
      }
      return
    }
    let v = sessions[s].visit(region.id, of: region.client)
    sessions[s].target = v
    ask(v, of: s, local, at: now, into: &actions)
  }

  /// D5, D6: introduces the session, types only, and asks whether the region can handle it.
  private mutating func ask(
    _ v: Int, of s: Int, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    let serial = nextSerial()
    sessions[s].visits[v].state = .asked(serial: serial, deadline: now + .seconds(Limits.answerSeconds))
    sessions[s].visits[v].waitsForReading = clientsBehind.contains(sessions[s].visits[v].client)
    guard !sessions[s].visits[v].waitsForReading else { return }
    offer(v, of: s, into: &actions)
    tell(v, of: s, .canHandle(serial: serial, local), into: &actions)
  }

  mutating func offer(_ v: Int, of s: Int, into actions: inout [SessionAction]) {
    let first = sessions[s].visits[v].offered
    guard first < sessions[s].items.count, !clientsBehind.contains(sessions[s].visits[v].client) else { return }
    sessions[s].visits[v].offered = sessions[s].items.count
    let local = sessions[s].visits[v].client == sessions[s].client
    tell(
      v, of: s,
      .offer(
        Array(sessions[s].items[first...]), firstIndex: first, isLocal: local,
        SourceOptions(
          allowsMove: local && sessions[s].options.allowsMove, isRestricted: sessions[s].options.isRestricted)),
      into: &actions)
  }

  /// A client does not read what it is told: it hears of no further drags until it does. What there is to tell of one
  /// may be long, and who is busy for some seconds is not to lose its connection for it.
  package mutating func isBehind(_ client: ClientID) { clientsBehind.insert(client) }

  /// It has read all of it: what waited for that is told now.
  package mutating func hasRead(_ client: ClientID, at now: Instant, into actions: inout [SessionAction]) {
    guard clientsBehind.remove(client) != nil else { return }
    for s in sessions.indices where !sessions[s].isOver {
      for v in sessions[s].visits.indices where sessions[s].visits[v].client == client {
        guard sessions[s].visits[v].waitsForReading else {
          if sessions[s].visits[v].state == .inside { offer(v, of: s, into: &actions) }
          continue
        }
        sessions[s].visits[v].waitsForReading = false
        sessions[s].visits[v].state = .outside
        guard sessions[s].target == v, let region = region(sessions[s].visits[v].region) else { continue }
        ask(v, of: s, local(sessions[s].point, in: region.window), at: now, into: &actions)
        if case .releasing = sessions[s].phase { awaitAnswer(s, at: now, into: &actions) }
      }
    }
  }

  func tell(_ v: Int, of s: Int, _ message: DestinationMessage, into actions: inout [SessionAction]) {
    actions.append(
      .destination(sessions[s].visits[v].client, sessions[s].id, sessions[s].visits[v].region, message))
  }

  /// The region's answer to `canHandle`.
  package mutating func answeredCanHandle(
    _ yes: Bool, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), !sessions[s].isOver, let v = visitIndex(s, of: region),
      sessions[s].visits[v].client == client, case .asked(let asked, _) = sessions[s].visits[v].state, asked == serial
    else { return }
    let wasAskedAboutAll = sessions[s].visits[v].offered == sessions[s].items.count
    guard yes || !wasAskedAboutAll else {
      sessions[s].visits[v].state = .refused
      // The drag may have gone on to another region long ago, and have been let go there.
      guard sessions[s].target == v else { return }
      clearTarget(s)
      if case .releasing = sessions[s].phase, isAnotherWorld(s) { return finishRelease(s, at: now, into: &actions) }
      lookBeneath(s, at: now, into: &actions)
      if case .releasing = sessions[s].phase { awaitAnswer(s, at: now, into: &actions) }
      return
    }
    sessions[s].visits[v].state = .outside
    guard sessions[s].target == v, let r = self.region(region) else { return }
    let point = local(sessions[s].point, in: r.window)
    guard yes else {
      // It refused what the drag was before items were added.
      ask(v, of: s, point, at: now, into: &actions)
      if case .releasing = sessions[s].phase { awaitAnswer(s, at: now, into: &actions) }
      return
    }
    offer(v, of: s, into: &actions)
    enter(v, of: s, point, at: now, into: &actions)
  }

  private mutating func enter(
    _ v: Int, of s: Int, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    sessions[s].visits[v].state = .inside
    tell(v, of: s, .didEnter(local), into: &actions)
    monitor(.entered, s, at: now, into: &actions)
    update(v, of: s, local, into: &actions)
  }

  /// D8, with one question under way at a time; the newest position follows when it is answered.
  mutating func update(_ v: Int, of s: Int, _ local: Point, into actions: inout [SessionAction]) {
    guard sessions[s].visits[v].outstanding == nil else {
      sessions[s].visits[v].isStale = true
      return
    }
    let serial = nextSerial()
    sessions[s].visits[v].outstanding = serial
    sessions[s].visits[v].isStale = false
    if sessions[s].visits[v].edgeSpeed != sessions[s].edgeSpeed {
      sessions[s].visits[v].edgeSpeed = sessions[s].edgeSpeed
      tell(v, of: s, .edge(sessions[s].edgeSpeed), into: &actions)
    }
    tell(v, of: s, .didUpdate(serial: serial, local), into: &actions)
  }

  /// The region's answer to an update: what would happen if the items were dropped there now.
  package mutating func proposed(
    _ proposal: Proposal, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), !sessions[s].isOver, let v = visitIndex(s, of: region),
      sessions[s].visits[v].client == client, sessions[s].visits[v].outstanding == serial
    else { return }
    sessions[s].visits[v].outstanding = nil
    // The answer was for the finger's place, and another one counts from now on: that is asked about, too.
    let becamePrecise = proposal.isPrecise && sessions[s].visits[v].proposal?.isPrecise != true
    sessions[s].visits[v].proposal = proposal
    guard sessions[s].target == v, sessions[s].visits[v].state == .inside else { return }
    monitor(.updated, s, operation: proposal.operation, at: now, into: &actions)
    updateBadge(s, into: &actions)
    if sessions[s].isFullSize { updateSize(s, into: &actions) }
    if sessions[s].visits[v].isStale || becamePrecise, let r = self.region(region) {
      let point = reported(v, of: s, local(sessions[s].point, in: r.window), r)
      update(v, of: s, point, into: &actions)
    } else if case .releasing = sessions[s].phase {
      finishRelease(s, at: now, into: &actions)
    }
  }

  /// D10: the drag left the region it was over.
  private mutating func leaveTarget(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    guard let t = sessions[s].target else { return }
    if sessions[s].visits[t].state == .inside {
      tell(t, of: s, .didExit, into: &actions)
      monitor(.exited, s, at: now, into: &actions)
      sessions[s].visits[t].state = .outside
      sessions[s].visits[t].proposal = nil
      sessions[s].visits[t].outstanding = nil
      sessions[s].visits[t].isStale = false
      sessions[s].visits[t].edgeSpeed = .zero
    }
    sessions[s].edgeBlocked = nil
    clearTarget(s)
  }

  /// There is no target any more, and with it ends the dwell in its edge zone.
  mutating func clearTarget(_ s: Int) {
    sessions[s].edgeSince = nil
    sessions[s].edgeSpeed = .zero
    sessions[s].target = nil
  }

  /// Takes a visit out of the list.
  ///
  /// - Returns: whether it was the target's, which is none any more.
  mutating func forgetVisit(_ v: Int, of s: Int) -> Bool {
    let wasTarget = sessions[s].forgetVisit(v)
    if wasTarget { clearTarget(s) }
    return wasTarget
  }

  /// The target refused: asks what lies beneath it. Who answers faster than it can have been asked, thousands of times,
  /// does not keep the others waiting: the rest is looked for once a turn.
  private mutating func lookBeneath(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    refusalsThisTurn += 1
    guard refusalsThisTurn <= 16 else {
      regionsChanged = true
      return
    }
    updateTarget(s, because: .targetChangedItsMind, at: now, into: &actions)
  }

  /// What the target's newest proposal amounts to; a move that is not allowed counts as cancel.
  func effectiveOperation(_ s: Int) -> DropOperation {
    guard let t = sessions[s].target, sessions[s].visits[t].state == .inside,
      let proposal = sessions[s].visits[t].proposal?.operation
    else { return .cancel }
    if proposal == .move, sessions[s].visits[t].client != sessions[s].client || !sessions[s].options.allowsMove {
      return .cancel
    }
    return proposal
  }

  /// L7, O1, O3, O6: what the stack's badge says now.
  mutating func updateBadge(_ s: Int, into actions: inout [SessionAction]) {
    let n = sessions[s].items.count
    let badge: Badge
    switch sessions[s].phase == .dragging ? effectiveOperation(s) : .cancel {
    case .copy: badge = .copy(n)
    case .forbidden: badge = .forbidden
    case .cancel, .move: badge = n > 1 ? .count(n) : .none
    }
    let reason = badge == .forbidden ? sessions[s].target.flatMap { sessions[s].visits[$0].proposal?.reason } : nil
    if reason != sessions[s].reason {
      sessions[s].reason = reason
      actions.append(.stage(sessions[s].id, .reason(reason)))
    }
    guard badge != sessions[s].badge else { return }
    sessions[s].badge = badge
    actions.append(.stage(sessions[s].id, .badge(badge)))
  }

  // MARK: Spring loading

  private mutating func updateSpring(
    _ s: Int, _ region: Region?, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    if let spring = sessions[s].spring, spring.region != region?.id {
      leaveSpring(s, into: &actions)
    }
    if sessions[s].springRefused != region?.id { sessions[s].springRefused = nil }
    if sessions[s].springsAtRest > 0,
      sessions[s].point.distance(to: sessions[s].springRest) > settings.springSlop * sessions[s].slopScale
    {
      sessions[s].springsAtRest = 0
    }
    guard let region, sessions[s].phase == .dragging, sessions[s].springRefused == nil else { return }
    if sessions[s].spring == nil {
      // T22: regions that open one another under a finger that rests come to an end.
      guard sessions[s].springsAtRest < Limits.springDepth else { return }
      let slop = settings.springSlop * sessions[s].slopScale
      sessions[s].spring = (region.id, region.client, SpringDwell(at: sessions[s].point, slop: slop, time: now))
      actions.append(.spring(region.client, region.id, sessions[s].id, .possible, local))
    } else {
      let point = sessions[s].point
      sessions[s].spring?.dwell.moved(to: point, time: now)
    }
  }

  mutating func leaveSpring(_ s: Int, into actions: inout [SessionAction]) {
    guard let spring = sessions[s].spring else { return }
    sessions[s].spring = nil
    if let region = region(spring.region) {
      let point = local(sessions[s].point, in: region.window)
      actions.append(.spring(spring.client, spring.region, sessions[s].id, .inactive, point))
    }
  }

  /// The region under the finger does not want to spring open while the drag is over it this time.
  package mutating func refusedSpring(
    by client: ClientID, _ id: SessionID, region: RegionID, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), let spring = sessions[s].spring, spring.client == client, spring.region == region
    else { return }
    leaveSpring(s, into: &actions)
    sessions[s].springRefused = region
  }

  mutating func advanceSpring(_ s: Int, to now: Instant, into actions: inout [SessionAction]) {
    guard sessions[s].phase == .dragging else { return }
    while let state = sessions[s].spring?.dwell.advance(to: now, settings), let spring = sessions[s].spring {
      guard let region = region(spring.region) else { return }
      let point = local(sessions[s].point, in: region.window)
      actions.append(.spring(spring.client, spring.region, sessions[s].id, state, point))
      if state == .activated {
        sessions[s].springsAtRest += 1
        sessions[s].springRest = sessions[s].point
      }
      if state == .activated { monitor(.springActivated, s, target: spring.client, at: now, into: &actions) }
    }
  }
}
