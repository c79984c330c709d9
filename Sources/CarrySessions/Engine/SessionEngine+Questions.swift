package import CarryModel

/// What a target is asked and told, one question at a time, and what it answers.
extension SessionEngine {
  /// D5, D6: introduces the session, types only, and asks whether the region can handle it.
  mutating func ask(
    _ v: Int, of session: Session, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    let serial = nextSerial()
    session.visits[v].state = .asked(serial: serial, deadline: now + .seconds(Limits.answerSeconds))
    session.visits[v].waitsForReading = clientsBehind.contains(session.visits[v].client)
    guard !session.visits[v].waitsForReading else { return }
    offer(v, of: session, into: &actions)
    tell(v, of: session, .canHandle(serial: serial, local), into: &actions)
  }

  mutating func offer(_ v: Int, of session: Session, into actions: inout [SessionAction]) {
    let first = session.visits[v].offered
    guard first < session.items.count, !clientsBehind.contains(session.visits[v].client) else { return }
    session.visits[v].offered = session.items.count
    let local = session.visits[v].client == session.client
    tell(
      v, of: session,
      .offer(
        Array(session.items[first...]), firstIndex: first, isLocal: local,
        SourceOptions(
          allowsMove: local && session.options.allowsMove, isRestricted: session.options.isRestricted)),
      into: &actions)
  }

  /// A client does not read what it is told: it hears of no further drags until it does. What there is to tell of one
  /// may be long, and who is busy for some seconds is not to lose its connection for it.
  package mutating func isBehind(_ client: ClientID) { clientsBehind.insert(client) }

  /// It has read all of it: what waited for that is told now.
  package mutating func hasRead(_ client: ClientID, at now: Instant, into actions: inout [SessionAction]) {
    guard clientsBehind.remove(client) != nil else { return }
    for session in sessions where !session.isOver {
      for v in session.visits.indices where session.visits[v].client == client {
        guard session.visits[v].waitsForReading else {
          if session.visits[v].state == .inside { offer(v, of: session, into: &actions) }
          continue
        }
        session.visits[v].waitsForReading = false
        session.visits[v].state = .outside
        guard session.target == v, let region = region(session.visits[v].region) else { continue }
        ask(v, of: session, local(session.point, in: region.window), at: now, into: &actions)
        if case .releasing = session.phase { awaitAnswer(session, at: now, into: &actions) }
      }
    }
  }

  func tell(_ v: Int, of session: Session, _ message: DestinationMessage, into actions: inout [SessionAction]) {
    actions.append(
      .destination(session.visits[v].client, session.id, session.visits[v].region, message))
  }

  /// The region's answer to `canHandle`.
  package mutating func answeredCanHandle(
    _ yes: Bool, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = find(id), !session.isOver, let v = visitIndex(session, of: region),
      session.visits[v].client == client, case .asked(let asked, _) = session.visits[v].state, asked == serial
    else { return }
    let wasAskedAboutAll = session.visits[v].offered == session.items.count
    guard yes || !wasAskedAboutAll else {
      session.visits[v].state = .refused
      // The drag may have gone on to another region long ago, and have been let go there.
      guard session.target == v else { return }
      clearTarget(session)
      if case .releasing = session.phase, isAnotherWorld(session) {
        return finishRelease(session, at: now, into: &actions)
      }
      lookBeneath(session, at: now, into: &actions)
      if case .releasing = session.phase { awaitAnswer(session, at: now, into: &actions) }
      return
    }
    session.visits[v].state = .outside
    guard session.target == v, let r = self.region(region) else { return }
    let point = local(session.point, in: r.window)
    guard yes else {
      // It refused what the drag was before items were added.
      ask(v, of: session, point, at: now, into: &actions)
      if case .releasing = session.phase { awaitAnswer(session, at: now, into: &actions) }
      return
    }
    offer(v, of: session, into: &actions)
    enter(v, of: session, point, at: now, into: &actions)
  }

  mutating func enter(
    _ v: Int, of session: Session, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    session.visits[v].state = .inside
    tell(v, of: session, .didEnter(local), into: &actions)
    monitor(.entered, session, at: now, into: &actions)
    update(v, of: session, local, into: &actions)
  }

  /// D8, with one question under way at a time; the newest position follows when it is answered.
  mutating func update(_ v: Int, of session: Session, _ local: Point, into actions: inout [SessionAction]) {
    guard session.visits[v].updates.mayTell() else { return }
    let serial = nextSerial()
    session.visits[v].updates.told(serial)
    let speed = session.edge.speed
    if session.visits[v].edgeSpeed != speed {
      session.visits[v].edgeSpeed = speed
      tell(v, of: session, .edge(speed), into: &actions)
    }
    tell(v, of: session, .didUpdate(serial: serial, local), into: &actions)
  }

  /// The region's answer to an update: what would happen if the items were dropped there now.
  package mutating func proposed(
    _ proposal: Proposal, by client: ClientID, _ id: SessionID, region: RegionID, serial: UInt32,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let session = find(id), !session.isOver, let v = visitIndex(session, of: region),
      session.visits[v].client == client, let hasNewer = session.visits[v].updates.taken(serial)
    else { return }
    // The answer was for the finger's place, and another one counts from now on: that is asked about, too.
    let becamePrecise = proposal.isPrecise && session.visits[v].proposal?.isPrecise != true
    session.visits[v].proposal = proposal
    guard session.target == v, session.visits[v].state == .inside else { return }
    monitor(.updated, session, operation: proposal.operation, at: now, into: &actions)
    updateBadge(session, into: &actions)
    if session.isFullSize { updateSize(session, into: &actions) }
    if hasNewer || becamePrecise, let r = self.region(region) {
      let point = reported(v, of: session, local(session.point, in: r.window), r)
      update(v, of: session, point, into: &actions)
    } else if case .releasing = session.phase {
      finishRelease(session, at: now, into: &actions)
    }
  }
}
