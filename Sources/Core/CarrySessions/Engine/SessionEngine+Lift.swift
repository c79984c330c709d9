import CarryGestures
package import CarryModel

/// From the press to the start of the drag: docs/behaviour.md, 2.1.
extension SessionEngine {
  /// Handles the answer to `press`. A press that may not lift goes to the application at once. After the lift has
  /// begun, the items decide.
  package mutating func answeredPress(
    by client: ClientID, _ region: RegionID, serial: UInt32, mayBegin: Bool, into actions: inout [SessionAction]
  ) {
    guard let i = presses.firstIndex(where: { $0.region == region && $0.serial == serial }),
      self.region(region)?.client == client
    else { return }
    presses[i].serial = nil
    let contact = presses[i].contact
    guard !mayBegin, sessions.find(carriedBy: contact) == nil else { return }
    presses.remove(at: i)
    actions.append(.ignore(contact))
  }

  mutating func liftBegan(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let press = presses.first(where: { $0.contact == event.contact }), let region = region(press.region),
      region.roles.contains(.drag), hasRoom,
      let frame = tree.screenFrame(of: region.window)
    else {
      presses.removeAll { $0.contact == event.contact }
      actions.append(.ignore(event.contact))
      return
    }
    // Trying what a foreign application would lift disturbs it, so the finger must first rest for the whole lift
    // time.
    guard !region.isStandIn else { return }
    // The answer and the first picture may take long, so the touch is held for longer. If nothing lifts, the touch
    // belongs to the source or to a window inside its window: a source that does not answer would not act on its
    // touch either.
    actions.append(.liftBegan(event.contact))
    let asking = Session.Asking(
      serial: nextSerial(), start: event.time, deadline: event.time + .seconds(Limits.answerSeconds))
    ask(region, at: frame.origin, asking, event, into: &actions)
  }

  /// Asks a source which items it lifts.
  ///
  /// - Parameter corner: the corner of the region's window, in screen pixels.
  mutating func ask(
    _ region: Region, at corner: Point, _ asking: Session.Asking, _ event: GestureEvent,
    into actions: inout [SessionAction]
  ) {
    let id = SessionID(sessionIDs.next())
    let session = Session(
      id: id, region: region, of: programs[region], corner: corner, event, phase: .asking(asking))
    sessions.append(session)
    actions.append(
      .source(
        region.client, id, .itemsForBeginning(region.id, serial: asking.serial, event.point - corner)))
  }

  /// Whether the question with this serial, about items to lift or to add, is open for a source.
  package func waitsForItems(of client: ClientID, _ id: SessionID, serial: UInt32) -> Bool {
    guard let session = sessions.find(id), session.client == client else { return false }
    switch session.phase {
    case .asking(let asking) where asking.serial == serial: return true
    case .joining(let joining) where joining.serial == serial && session.items.isEmpty: return true
    default: return session.additions.contains { $0.serial == serial }
    }
  }

  /// Handles a source's answer about the items that it lifts or adds.
  ///
  /// - Parameters:
  ///   - items: in the source's order; the last item is topmost. Items beyond the limit are left out.
  package mutating func answered(
    by client: ClientID, _ id: SessionID, serial: UInt32, items: [ItemDescription], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.client == client else { return }
    if case .asking(let asking) = session.phase, asking.serial == serial {
      lift(session, asking, newOnes(of: items, in: session), at: now, into: &actions)
    } else if case .joining(let joining) = session.phase, joining.serial == serial, session.items.isEmpty {
      join(session, joining, newOnes(of: items, in: session), at: now, into: &actions)
    } else if let a = session.additions.firstIndex(where: { $0.serial == serial }) {
      let addition = session.additions.remove(at: a)
      add(newOnes(of: items, in: session), by: addition, to: session, at: now, into: &actions)
    }
  }

  /// The items that are new to the session and for which it has room. Their owner is the answering client or its file
  /// provider; for items lent by the shelf, the original owner.
  func newOnes(of items: [ItemDescription], in session: Session) -> [ItemDescription] {
    let new = items.compactMap { item -> ItemDescription? in
      guard !session.items.contains(where: { $0.id == item.id }) else { return nil }
      if let id = item.lent {
        guard !session.items.contains(where: { $0.origin?.kept == id }) else { return nil }
        return kept.lend(id, by: session.client, as: item)
      }
      var item = item
      item.owner = item.reference?.helper ?? session.client
      return item
    }
    return fitting(new, into: session)
  }

  /// The items that fit into a session, by their number and by the size of their descriptions.
  func fitting(_ items: [ItemDescription], into session: Session) -> [ItemDescription] {
    var room = Limits.itemsPerSession - session.items.count
    var bytes = Limits.descriptionBytes - session.descriptionBytes
    return items.filter { item in
      guard room > 0, item.descriptionBytes <= bytes else { return false }
      room -= 1
      bytes -= item.descriptionBytes
      return true
    }
  }

  /// Lifts the items of the source's answer.
  private mutating func lift(
    _ session: Session, _ asking: Session.Asking, _ items: [ItemDescription], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard !items.isEmpty else {
      actions.append(.ignore(session.contact))
      presses.removeAll { $0.contact == session.contact }
      forget(session, into: &actions)
      return
    }
    session.append(items)
    session.phase = .lifting(isRisen: false)
    let duration = settings.lift.completes - settings.lift.begins
    actions.append(
      .stage(
        session.id,
        .lift(
          session.items.map(\.preview), window: session.window, rect: session.sourceRect, touch: session.point,
          start: asking.start, duration: max(.zero, duration))))
    tellSource(session, .liftBegan, into: &actions)
    monitor(.liftBegan, session, at: asking.start, into: &actions)
    updateBadge(session, into: &actions)
    if asking.isRisen || asking.wantsDrag { lifted(session, at: now, into: &actions) }
    if asking.wantsDrag { dragBegan(session, at: now, into: &actions) }
  }

  /// The finger has been still for long enough to carry.
  mutating func lifted(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    switch session.phase {
    case .asking(var asking):
      asking.isRisen = true
      session.phase = .asking(asking)
    case .lifting(isRisen: false):
      session.phase = .lifting(isRisen: true)
      tellSource(session, .lifted, into: &actions)
      actions.append(.claim(session.contact, session.region))
      monitor(.lifted, session, at: now, into: &actions)
    case .lifting, .dragging, .releasing, .settling, .cancelling, .dropping, .joining, .lent, .gone:
      break
    }
  }

  /// Reverses a lift, because the finger went up or strayed before a drag began.
  mutating func reverseLift(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    let contact = session.contact
    // A tap from the same release has removed the press, and decides about the touch.
    if let p = presses.firstIndex(where: { $0.contact == contact }) {
      presses.remove(at: p)
      actions.append(.yield(contact))
    }
    switch session.phase {
    case .asking:
      // The session was not visible yet.
      forget(session, into: &actions)
    case .lifting:
      session.phase = .settling(until: now + .seconds(1))
      actions.append(.stage(session.id, .reverseLift))
      monitor(.liftReversed, session, at: now, into: &actions)
    case .dragging, .releasing:
      cancel(session, .cancel, at: now, into: &actions)
    case .settling, .cancelling, .dropping, .joining, .lent, .gone:
      break
    }
  }

  /// The finger moved far enough to carry.
  mutating func dragBegan(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    switch session.phase {
    case .asking(var asking):
      asking.wantsDrag = true
      session.phase = .asking(asking)
    case .lifting:
      beginDrag(session, at: now, into: &actions)
    case .dragging, .releasing, .settling, .cancelling, .dropping, .joining, .lent, .gone:
      break
    }
  }

  private mutating func beginDrag(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    let drag = Drag(isFullSize: session.items.count == 1, scale: outputScale)
    session.phase = .dragging(drag)
    actions.append(.stage(session.id, .beginDrag(session.point)))
    tellSource(session, .liftEnded(atEnd: true), into: &actions)
    blockEdge(drag, of: session)
    drag.aim.fingerIs(over: windowUnderFinger(session))
    let serial = nextSerial()
    session.sourceOptions = .asked(serial: serial)
    tellSource(session, .willBegin(serial: serial, session.localToSource(in: tree)), into: &actions)
  }

  /// Whether the screen is too small for drags between applications, as on a phone.
  private var isScreenSmall: Bool {
    guard let screen = tree.frame(of: tree.root) else { return false }
    return min(screen.width, screen.height) / outputScale < settings.drop.staysInApplicationBelow
  }

  /// Handles the source's options. From now on other clients can see the session.
  ///
  /// There is no deadline: a source that does not answer could not provide its data either. Until the answer, the
  /// session has no target.
  package mutating func configured(
    by client: ClientID, _ id: SessionID, serial: UInt32, options: SourceOptions, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.client == client, case .asked(serial) = session.sourceOptions else {
      return
    }
    var options = options
    if isScreenSmall { options.isRestricted = true }
    if case .joining(let joining) = session.phase {
      return configured(session, joining, options, at: now, into: &actions)
    }
    guard let drag = session.drag else { return }
    session.sourceOptions = .known(options)
    session.views.monitorsChanged()
    monitor(.began, session, at: now, into: &actions)
    highlightTargets(session, into: &actions)
    if session.isReleasing {
      guard !targetMayHaveChanged(drag) else { return cancel(session, .cancel, at: now, into: &actions) }
      session.phase = .releasing(drag, until: now + .seconds(Limits.answerSeconds))
    } else {
      drag.aim.startLooking()
    }
    updateTarget(drag, of: session, because: .fingerMoved, at: now, into: &actions)
    if session.isReleasing { awaitAnswer(drag, of: session, at: now, into: &actions) }
  }
}
