import CarryGestures
package import CarryModel

/// Foreign drags: drags of applications that speak another protocol (XDND) over the regions of Carry's applications
/// (Z1). Such a drag is a session without a lift and without pictures, because the other application shows the items.
/// The bridge moves its finger.
extension SessionEngine {
  /// Begins the session of a foreign drag that enters.
  ///
  /// - Parameters:
  ///   - program: where the drag comes from.
  ///   - isByButton: whether a mouse button is down. Any program can send the messages of a drag without dragging, so
  ///     the shelf accepts only drags with a button down.
  ///   - contact: a finger that is on no device.
  ///   - items: the bridge's; those beyond the limits are left out.
  ///   - window: the window that the drag enters, which the other application found under its own picture of the
  ///     items.
  ///   - point: screen pixels.
  /// - Returns: nil if there is no item, or if too many sessions are under way. The limit for foreign drags is low:
  ///   any program can begin one and never end it, and fingers must find room.
  package mutating func beginForeign(
    by client: ClientID, from program: ProgramIdentity, isByButton: Bool, _ contact: ContactID,
    _ items: [ItemDescription], over window: WindowID, at point: Point, _ now: Instant
  ) -> SessionID? {
    defer {
      listener?(
        .beginForeign(
          client: client, program: program, isByButton: isByButton, contact: contact, items: items, over: window,
          at: point), now, [])
    }
    guard hasRoom, sessions.count(where: { $0.isForeign && !$0.onlyTransfers }) < Limits.foreignSessions else {
      return nil
    }
    let id = SessionID(sessionIDs.next())
    let session = Session(
      id: id, Session.Foreign(over: window, mayBeKept: isByButton), by: client, from: program,
      GestureEvent(.dragBegan, contact: contact, point: point, time: now), Drag(isFullSize: false, scale: outputScale))
    session.append(newOnes(of: items, in: session))
    guard !session.items.isEmpty else { return nil }
    sessions.append(session)
    return id
  }

  /// Moves the finger of a foreign drag, in screen pixels. The drag begins at the first motion.
  package mutating func moveForeign(
    _ id: SessionID, to point: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.isForeign, let drag = session.carriedDrag else { return }
    session.point = point
    monitor(.began, session, at: now, into: &actions)
    updateTarget(drag, of: session, because: .fingerMoved, at: now, into: &actions)
    // The user moved here, so the target did not slide under the finger, even if windows have changed since the drag
    // began.
    drag.aim.fingerChanged()
    settleRegions(at: now, into: &actions)
  }

  /// Handles the drop of a foreign drag.
  package mutating func dropForeign(
    _ id: SessionID, at point: Point, _ now: Instant, into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.isForeign, session.isCarried else { return }
    // Do not ask about the current position again: the drop would wait for the answer.
    if session.point != point { moveForeign(id, to: point, at: now, into: &actions) }
    release(session, at: now, into: &actions)
  }

  /// A foreign drag left, or its application cancelled it. A drop in progress continues.
  package mutating func cancelForeign(_ id: SessionID, at now: Instant, into actions: inout [SessionAction]) {
    guard let session = sessions.find(id), session.isForeign else { return }
    if session.drop != nil { return loseKept(of: session, at: now, into: &actions) }
    guard session.drag != nil else { return }
    cancel(session, .cancel, at: now, into: &actions)
  }

  /// The rectangles of a window that accept foreign drags, in the window's pixels. Regions that have refused the
  /// present drag are left out, because the application's own target lies beneath them.
  package func dropPlaces(of window: WindowID) -> [Rect] {
    guard let frame = tree.screenFrame(of: window) else { return [] }
    let inside = Rect(x: 0, y: 0, width: frame.width, height: frame.height)
    let drags = sessions.compactMap { $0.isForeign ? $0.carriedDrag : nil }
    let places = regions.ids(ofWindow: window).compactMap { id -> Rect? in
      guard let region = region(id), region.roles.contains(.drop), !region.isStandIn,
        !drags.contains(where: { $0.visits.isRefused(by: id) })
      else { return nil }
      let place = region.rect.intersection(inside)
      return place.isEmpty ? nil : place
    }
    guard places.count > Limits.dropPlaces, let first = places.first else { return places }
    return [places.reduce(first) { $0.union($1) }]
  }

  /// Ends a foreign drag without a drop. There is nothing to fly home.
  mutating func endForeign(
    _ session: Session, _ operation: DropOperation, at now: Instant, into actions: inout [SessionAction]
  ) {
    tellSource(session, .didEnd(operation), into: &actions)
    monitor(.ended, session, operation: operation, at: now, into: &actions)
    forget(session, into: &actions)
  }

  /// Tells the bridge what a drop would do, whenever that changes: the other application shows it.
  mutating func tellProposal(_ session: Session, into actions: inout [SessionAction]) {
    guard let drag = session.carriedDrag else { return }
    let operation = programs.operation(drag, of: session)
    guard operation != session.foreign?.toldProposal else { return }
    session.foreign?.toldProposal = operation
    tellSource(session, .proposal(operation), into: &actions)
  }

  /// Shows a change on the stage, unless a foreign application shows the items.
  func show(_ session: Session, _ what: StageAction, into actions: inout [SessionAction]) {
    if !session.isForeign { actions.append(.stage(session.id, what)) }
  }
}
