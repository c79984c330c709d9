import CarryGestures
package import CarryModel

/// Moves a carried session. The source is sent one motion at a time.
extension SessionEngine {
  /// This is the hot path: one hit test, one stage move, and at most one message to each side.
  mutating func dragMoved(_ session: Session, _ event: GestureEvent, into actions: inout [SessionAction]) {
    session.point = event.point
    guard let drag = session.carriedDrag else { return }
    show(session, .move(event.point), into: &actions)
    tellMotion(drag, of: session, into: &actions)
    if !session.optionsAreKnown { drag.aim.fingerIs(over: windowUnderFinger(session)) }
    updateTarget(drag, of: session, because: .fingerMoved, at: event.time, into: &actions)
  }

  /// Reports the motion to the source, one at a time. The newest position follows when the source has acknowledged
  /// the last.
  mutating func tellMotion(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    guard drag.motions.mayTell() else { return }
    let serial = nextSerial()
    drag.motions.told(serial)
    tellSource(session, .didMove(serial: serial, session.localToSource(in: tree)), into: &actions)
  }

  /// The source has acknowledged a motion.
  package mutating func motionTaken(
    by client: ClientID, _ id: SessionID, serial: UInt32, into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), session.client.raw == client.raw, let drag = session.drag,
      let hasNewer = drag.motions.taken(serial)
    else { return }
    if hasNewer, session.isCarried { tellMotion(drag, of: session, into: &actions) }
  }
}

extension Session {
  /// Where the finger is, in the coordinates of the source's window.
  func localToSource(in tree: WindowTree) -> Point {
    tree.local(point, in: window, fallback: sourceCorner)
  }
}
