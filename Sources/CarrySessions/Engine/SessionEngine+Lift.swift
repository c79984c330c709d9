import CarryGestures
package import CarryModel

/// Section 2.1 from the press to the start of the drag, and 2.2: taps that add items.
extension SessionEngine {
  mutating func liftBegan(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let press = presses.first(where: { $0.contact == event.contact }), let region = region(press.region),
      region.roles.contains(.drag), hasRoom,
      let frame = tree.screenFrame(of: region.window)
    else {
      presses.removeAll { $0.contact == event.contact }
      actions.append(.ignore(event.contact))
      return
    }
    let id = SessionID(sessionIDs.next())
    let serial = nextSerial()
    let session = Session(
      id: id, region: region, contact: event.contact, sourceRect: region.rect.offset(by: frame.origin),
      point: event.point, scale: outputScale, liftStart: event.time)
    session.questions = [
      .init(serial: serial, kind: .beginning, deadline: event.time + .seconds(Limits.answerSeconds))
    ]
    sessions.append(session)
    actions.append(
      .source(
        region.client, id,
        .itemsForBeginning(region.id, serial: serial, event.point - frame.origin)))
  }

  /// The source answered which items it lifts or adds.
  ///
  /// - Parameters:
  ///   - items: in the source's order; the last one is topmost. Those beyond the limit are left out.
  package mutating func answered(
    by client: ClientID, _ id: SessionID, serial: UInt32, items: [ItemDescription], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = find(id), session.client == client,
      let q = session.questions.firstIndex(where: { $0.serial == serial })
    else { return }
    let question = session.questions.remove(at: q)
    let known = session.items
    let new = fitting(items.filter { item in !known.contains { $0.id == item.id } }, into: session)
    switch question.kind {
    case .beginning:
      guard session.phase == .asking else { return }
      guard !new.isEmpty else {
        actions.append(.ignore(session.contact))
        presses.removeAll { $0.contact == session.contact }
        forget(session, into: &actions)
        return
      }
      session.append(new)
      startLift(session, at: now, into: &actions)
    case .adding(let region, let window, let rect, let tap):
      // What was tapped before the release is added until the drop.
      guard !new.isEmpty, !session.isOver else {
        actions.append(.yield(tap))
        return
      }
      actions.append(.claim(tap, region))
      session.append(new)
      // V5: several are carried small, which the stage sees for itself.
      session.isFullSize = false
      actions.append(.stage(id, .add(new.map(\.preview), window: window, rect: rect)))
      monitor(.itemsAdded, session, at: now, into: &actions)
      itemsChanged(session, at: now, into: &actions)
    }
  }

  /// The items that a session has room for: so many, and so much to tell of them.
  private func fitting(_ items: [ItemDescription], into session: Session) -> [ItemDescription] {
    var room = Limits.itemsPerSession - session.items.count
    var bytes = Limits.descriptionBytes - session.descriptionBytes
    return items.filter { item in
      guard room > 0, item.descriptionBytes <= bytes else { return false }
      room -= 1
      bytes -= item.descriptionBytes
      return true
    }
  }

  private mutating func startLift(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    session.phase = .lifting
    let duration = settings.liftCompletes - settings.liftBegins
    actions.append(
      .stage(
        session.id,
        .lift(
          session.items.map(\.preview), window: session.window, rect: session.sourceLocal, touch: session.point,
          start: session.liftStart, duration: max(.zero, duration))))
    tellSource(session, .liftBegan, into: &actions)
    monitor(.liftBegan, session, at: session.liftStart, into: &actions)
    updateBadge(session, into: &actions)
    if session.isLifted || session.dragWanted {
      tellSource(session, .lifted, into: &actions)
      actions.append(.claim(session.contact, session.region))
      monitor(.lifted, session, at: now, into: &actions)
    }
    if session.dragWanted { beginDrag(session, at: now, into: &actions) }
  }

  /// L12, L17: the finger went up, or strayed, before a drag began.
  mutating func reverseLift(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    let contact = session.contact
    // A tap that came with the same release has taken the press, and decides about the touch.
    if let p = presses.firstIndex(where: { $0.contact == contact }) {
      presses.remove(at: p)
      actions.append(.yield(contact))
    }
    guard session.phase == .lifting else {
      // Nobody has seen anything of it yet.
      forget(session, into: &actions)
      return
    }
    session.phase = .settling(until: now + .seconds(1))
    actions.append(.stage(session.id, .reverseLift))
    monitor(.liftReversed, session, at: now, into: &actions)
  }

  mutating func beginDrag(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    session.phase = .dragging
    session.isLifted = true
    session.isFullSize = session.items.count == 1
    actions.append(.stage(session.id, .beginDrag(session.point)))
    tellSource(session, .liftEnded(atEnd: true), into: &actions)
    blockEdge(session)
    session.aim.fingerIs(over: windowUnderFinger(session))
    let serial = nextSerial()
    session.optionsSerial = serial
    tellSource(session, .willBegin(serial: serial, localToSource(session)), into: &actions)
  }

  /// B4: the source has said what it allows and wishes: from now on the session can be seen.
  ///
  /// There is no deadline: a source that does not answer could not give its data either. Until it does, its session
  /// is over nobody.
  package mutating func configured(
    by client: ClientID, _ id: SessionID, serial: UInt32, options: SourceOptions, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = find(id), session.client == client, session.optionsSerial == serial,
      !session.isOver
    else { return }
    session.optionsSerial = nil
    session.options = options
    session.optionsAreKnown = true
    monitor(.began, session, at: now, into: &actions)
    highlightTargets(session, into: &actions)
    if case .releasing = session.phase {
      guard !isAnotherWorld(session) else { return cancel(session, .cancel, at: now, into: &actions) }
      session.phase = .releasing(until: now + .seconds(Limits.answerSeconds))
    } else {
      session.aim.startLooking()
    }
    updateTarget(session, because: .fingerMoved, at: now, into: &actions)
    if case .releasing = session.phase { awaitAnswer(session, at: now, into: &actions) }
  }

  // MARK: Adding

  /// The application has this touch now, whatever was to become of it: a tap that waits for its answer adds nothing.
  package mutating func touchGivenAway(_ contact: ContactID) {
    choices.removeAll { $0.tap == contact }
    for session in sessions {
      session.questions.removeAll {
        if case .adding(_, _, _, contact) = $0.kind { true } else { false }
      }
    }
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
    // A6, A7: any interaction of the application that drags, and of no other.
    let candidates = sessions.filter { $0.isCarried && $0.client == region.client }
    guard let first = candidates.first, let frame = tree.screenFrame(of: region.window) else {
      actions.append(.yield(event.contact))
      return
    }
    let local = event.point - frame.origin
    guard candidates.count > 1 else {
      return askForMore(first, region, tap: event.contact, local, at: event.time, into: &actions)
    }
    // K8: the application says which one it means.
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

  /// The application's answer to `choose`; nil for none of them.
  package mutating func chose(
    _ id: SessionID?, by client: ClientID, _ region: RegionID, serial: UInt32, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard
      let c = choices.firstIndex(where: { $0.serial == serial && $0.client == client && $0.region == region })
    else { return }
    let choice = choices.remove(at: c)
    guard let id, choice.sessions.contains(id), let session = find(id), session.isCarried,
      let found = self.region(region)
    else {
      actions.append(.yield(choice.tap))
      return
    }
    askForMore(session, found, tap: choice.tap, choice.point, at: now, into: &actions)
  }

  /// Choices that nobody will make: their taps are the application's.
  mutating func forgetChoices(into actions: inout [SessionAction], _ isOver: (Choice) -> Bool) {
    guard !choices.isEmpty else { return }
    for choice in choices where isOver(choice) { actions.append(.yield(choice.tap)) }
    choices.removeAll(where: isOver)
  }

  /// Nobody waits for a session's answers any more: taps that were to add to it are the application's.
  mutating func forgetQuestions(_ session: Session, into actions: inout [SessionAction]) {
    for question in session.questions {
      if case .adding(_, _, _, let tap) = question.kind { actions.append(.yield(tap)) }
    }
    session.questions = []
  }

  private mutating func askForMore(
    _ session: Session, _ region: Region, tap: ContactID, _ local: Point, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard session.questions.count < 8, session.items.count < Limits.itemsPerSession else {
      actions.append(.yield(tap))
      return
    }
    let serial = nextSerial()
    session.questions.append(
      .init(
        serial: serial, kind: .adding(region.id, window: region.window, rect: region.rect, tap: tap),
        deadline: now + .seconds(Limits.answerSeconds)))
    tellSource(session, .itemsForAdding(region.id, serial: serial, local), into: &actions)
  }

  private mutating func itemsChanged(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    session.visits.itemsChanged()
    if session.visits.target?.isInside == true {
      offerToTarget(of: session, into: &actions)
      _ = session.visits.target?.mayUpdate()
    }
    updateBadge(session, into: &actions)
    // Once the finger is up no other region is looked for: the target is asked again when its answer is there.
    if session.isCarried { updateTarget(session, because: .targetChangedItsMind, at: now, into: &actions) }
  }
}
