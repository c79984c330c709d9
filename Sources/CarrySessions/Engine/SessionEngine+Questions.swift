package import CarryModel

/// What a target is asked and told, one question at a time, and what it answers.
extension SessionEngine {
  /// D5, D6: introduces the session, types only, and asks whether the region can handle it.
  mutating func ask(
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

  mutating func enter(
    _ v: Int, of s: Int, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    sessions[s].visits[v].state = .inside
    tell(v, of: s, .didEnter(local), into: &actions)
    monitor(.entered, s, at: now, into: &actions)
    update(v, of: s, local, into: &actions)
  }

  /// D8, with one question under way at a time; the newest position follows when it is answered.
  mutating func update(_ v: Int, of s: Int, _ local: Point, into actions: inout [SessionAction]) {
    guard sessions[s].visits[v].updates.mayTell() else { return }
    let serial = nextSerial()
    sessions[s].visits[v].updates.told(serial)
    let speed = sessions[s].edge.speed
    if sessions[s].visits[v].edgeSpeed != speed {
      sessions[s].visits[v].edgeSpeed = speed
      tell(v, of: s, .edge(speed), into: &actions)
    }
    tell(v, of: s, .didUpdate(serial: serial, local), into: &actions)
  }

  /// The region's answer to an update: what would happen if the items were dropped there now.
  package mutating func proposed(
    _ proposal: Proposal, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), !sessions[s].isOver, let v = visitIndex(s, of: region),
      sessions[s].visits[v].client == client, let hasNewer = sessions[s].visits[v].updates.taken(serial)
    else { return }
    // The answer was for the finger's place, and another one counts from now on: that is asked about, too.
    let becamePrecise = proposal.isPrecise && sessions[s].visits[v].proposal?.isPrecise != true
    sessions[s].visits[v].proposal = proposal
    guard sessions[s].target == v, sessions[s].visits[v].state == .inside else { return }
    monitor(.updated, s, operation: proposal.operation, at: now, into: &actions)
    updateBadge(s, into: &actions)
    if sessions[s].isFullSize { updateSize(s, into: &actions) }
    if hasNewer || becamePrecise, let r = self.region(region) {
      let point = reported(v, of: s, local(sessions[s].point, in: r.window), r)
      update(v, of: s, point, into: &actions)
    } else if case .releasing = sessions[s].phase {
      finishRelease(s, at: now, into: &actions)
    }
  }
}
