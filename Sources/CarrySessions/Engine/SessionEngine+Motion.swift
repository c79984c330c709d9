import CarryGestures
package import CarryModel

/// A carried session moves: its source hears of that one motion at a time.
extension SessionEngine {
  /// The path to keep short: one hit test, one stage move, at most one message to each side.
  mutating func dragMoved(_ event: GestureEvent, into actions: inout [SessionAction]) {
    guard let s = index(carriedBy: event.contact) else { return helperMoved(event) }
    sessions[s].point = event.point
    guard sessions[s].phase == .dragging else { return }
    actions.append(.stage(sessions[s].id, .move(event.point)))
    tellMotion(s, into: &actions)
    if !sessions[s].optionsAreKnown { sessions[s].aim.fingerIs(over: windowUnderFinger(s)) }
    updateTarget(s, because: .fingerMoved, at: event.time, into: &actions)
  }

  func localToSource(_ s: Int) -> Point {
    local(
      sessions[s].point, in: sessions[s].window,
      fallback: sessions[s].sourceRect.origin - sessions[s].sourceLocal.origin)
  }

  /// B5, with one motion under way at a time: the newest position follows when the source has taken the last one.
  mutating func tellMotion(_ s: Int, into actions: inout [SessionAction]) {
    guard sessions[s].motions.mayTell() else { return }
    let serial = nextSerial()
    sessions[s].motions.told(serial)
    tellSource(s, .didMove(serial: serial, localToSource(s)), into: &actions)
  }

  /// The source has taken a motion.
  package mutating func motionTaken(
    by client: ClientID, _ id: SessionID, serial: UInt32, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), sessions[s].client == client, let hasNewer = sessions[s].motions.taken(serial) else {
      return
    }
    if hasNewer, sessions[s].isCarried { tellMotion(s, into: &actions) }
  }
}
