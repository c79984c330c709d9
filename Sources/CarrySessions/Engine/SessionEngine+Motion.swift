import CarryGestures
package import CarryModel

/// A carried session moves: its source hears of that one motion at a time.
extension SessionEngine {
  /// The path to keep short: one hit test, one stage move, at most one message to each side.
  mutating func dragMoved(_ session: Session, _ event: GestureEvent, into actions: inout [SessionAction]) {
    session.point = event.point
    guard let drag = session.carriedDrag else { return }
    actions.append(.stage(session.id, .move(event.point)))
    tellMotion(drag, of: session, into: &actions)
    if !session.optionsAreKnown { drag.aim.fingerIs(over: windowUnderFinger(session)) }
    updateTarget(drag, of: session, because: .fingerMoved, at: event.time, into: &actions)
  }

  func localToSource(_ session: Session) -> Point {
    local(
      session.point, in: session.window,
      fallback: session.sourceRect.origin - session.sourceLocal.origin)
  }

  /// B5, with one motion under way at a time: the newest position follows when the source has taken the last one.
  mutating func tellMotion(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    guard drag.motions.mayTell() else { return }
    let serial = nextSerial()
    drag.motions.told(serial)
    tellSource(session, .didMove(serial: serial, localToSource(session)), into: &actions)
  }

  /// The source has taken a motion.
  package mutating func motionTaken(
    by client: ClientID, _ id: SessionID, serial: UInt32, into actions: inout [SessionAction]
  ) {
    guard let session = find(id), session.client == client, let drag = session.drag,
      let hasNewer = drag.motions.taken(serial)
    else { return }
    if hasNewer, session.isCarried { tellMotion(drag, of: session, into: &actions) }
  }
}
