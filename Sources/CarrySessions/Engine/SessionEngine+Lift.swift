import CarryGestures
package import CarryModel

/// Section 2.1 from the press to the start of the drag, and 2.2: taps that add items.
extension SessionEngine {
  mutating func liftBegan(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let press = presses.first(where: { $0.contact == event.contact }), let region = region(press.region),
      region.roles.contains(.drag), sessions.count < Limits.sessions,
      let frame = tree.screenFrame(of: region.window)
    else {
      presses.removeAll { $0.contact == event.contact }
      actions.append(.ignore(event.contact))
      return
    }
    let id = SessionID(sessionIDs.next())
    let serial = nextSerial()
    var session = Session(
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
  ///   - options: what the source allows; nil leaves it as it was.
  package mutating func answered(
    by client: ClientID, _ id: SessionID, serial: UInt32, items: [DragItem], options: SourceOptions?, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), sessions[s].client == client,
      let q = sessions[s].questions.firstIndex(where: { $0.serial == serial })
    else { return }
    let question = sessions[s].questions.remove(at: q)
    if let options { sessions[s].options = options }
    let known = sessions[s].items
    let room = Limits.itemsPerSession - known.count
    let new = items.filter { item in !known.contains { $0.id == item.id } }.prefix(max(0, room))
    switch question.kind {
    case .beginning:
      guard sessions[s].phase == .asking else { return }
      guard !new.isEmpty else {
        actions.append(.ignore(sessions[s].contact))
        presses.removeAll { $0.contact == sessions[s].contact }
        forget(s, into: &actions)
        return
      }
      sessions[s].items = Array(new)
      startLift(s, at: now, into: &actions)
    case .adding(let region, let window, let rect, let tap):
      guard !new.isEmpty, sessions[s].phase == .dragging else {
        actions.append(.yield(tap))
        return
      }
      actions.append(.claim(tap, region))
      sessions[s].items += new
      actions.append(.stage(id, .add(count: new.count, window: window, rect: rect)))
      monitor(.itemsAdded, s, at: now, into: &actions)
      itemsChanged(s, at: now, into: &actions)
    }
  }

  private mutating func startLift(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    let session = sessions[s]
    sessions[s].phase = .lifting
    let duration = settings.liftCompletes - settings.liftBegins
    actions.append(
      .stage(
        session.id,
        .lift(
          count: session.items.count, window: session.window, rect: session.sourceLocal, touch: session.point,
          start: session.liftStart, duration: max(.zero, duration))))
    monitor(.liftBegan, s, at: session.liftStart, into: &actions)
    updateBadge(s, into: &actions)
    if session.isLifted || session.dragWanted {
      actions.append(.claim(session.contact, session.region))
      monitor(.lifted, s, at: now, into: &actions)
    }
    if session.dragWanted { beginDrag(s, at: now, into: &actions) }
  }

  /// L12, L17: the finger went up, or strayed, before a drag began.
  mutating func reverseLift(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    let contact = sessions[s].contact
    // A tap that came with the same release has taken the press, and decides about the touch.
    if let p = presses.firstIndex(where: { $0.contact == contact }) {
      presses.remove(at: p)
      actions.append(.yield(contact))
    }
    guard sessions[s].phase == .lifting else {
      // Nobody has seen anything of it yet.
      forget(s, into: &actions)
      return
    }
    sessions[s].phase = .settling(until: now + .seconds(1))
    actions.append(.stage(sessions[s].id, .reverseLift))
    monitor(.liftReversed, s, at: now, into: &actions)
  }

  mutating func beginDrag(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    let session = sessions[s]
    sessions[s].phase = .dragging
    sessions[s].isLifted = true
    actions.append(.stage(session.id, .beginDrag(session.point)))
    tellSource(s, .liftEnded(atEnd: true), into: &actions)
    tellSource(s, .willBegin(localToSource(s)), into: &actions)
    monitor(.began, s, at: now, into: &actions)
    updateTarget(s, at: now, into: &actions)
  }

  // MARK: Adding

  /// The application has this touch now, whatever was to become of it: a tap that waits for its answer adds nothing.
  package mutating func touchGivenAway(_ contact: ContactID) {
    for s in sessions.indices {
      sessions[s].questions.removeAll {
        if case .adding(_, _, _, contact) = $0.kind { true } else { false }
      }
    }
  }

  mutating func tapped(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let p = presses.firstIndex(where: { $0.contact == event.contact }) else { return }
    let press = presses.remove(at: p)
    guard let region = region(press.region), region.roles.contains(.drag) else {
      actions.append(.yield(event.contact))
      return
    }
    // A6, A7: any interaction of the application that drags, and of no other. K8: with two sessions, none.
    let candidates = sessions.indices.filter { sessions[$0].isCarried && sessions[$0].client == region.client }
    guard candidates.count == 1, let frame = tree.screenFrame(of: region.window),
      sessions[candidates[0]].questions.count < 8,
      sessions[candidates[0]].items.count < Limits.itemsPerSession
    else {
      actions.append(.yield(event.contact))
      return
    }
    let s = candidates[0]
    let serial = nextSerial()
    sessions[s].questions.append(
      .init(
        serial: serial, kind: .adding(region.id, window: region.window, rect: region.rect, tap: event.contact),
        deadline: event.time + .seconds(Limits.answerSeconds)))
    tellSource(s, .itemsForAdding(region.id, serial: serial, event.point - frame.origin), into: &actions)
  }

  private mutating func itemsChanged(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    for v in sessions[s].visits.indices {
      switch sessions[s].visits[v].state {
      case .refused:
        // The session changed significantly: whoever refused it may be asked again.
        sessions[s].visits[v].state = .outside
        sessions[s].visits[v].proposal = nil
      case .asked, .inside, .outside:
        break
      }
    }
    if let t = sessions[s].target, case .inside = sessions[s].visits[t].state {
      offer(t, of: s, into: &actions)
      sessions[s].visits[t].isStale = true
    }
    updateBadge(s, into: &actions)
    updateTarget(s, at: now, into: &actions)
  }
}
