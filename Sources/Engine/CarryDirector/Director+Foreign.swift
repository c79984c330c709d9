package import CarryModel
import CarrySessions
import CarrySystem

/// Foreign drags, as the bridge reports them.
extension Director {
  package func bridgeArrived() {
    dragWindowsChanged = true
    // The previous bridge may have pressed the button after its trial was abandoned, or the X server may have
    // processed the press only after the bridge's end. Before the first bridge nothing needs releasing: the engine
    // released the button when it started, so a button that is down now belongs to another program.
    if hasHadBridge { screen.releaseButton(at: nil) }
    hasHadBridge = true
  }

  package func beganForeignDrag(
    _ client: ClientID, from process: Int32?, isByButton: Bool, items: [ItemDescription], over window: WindowID,
    at point: Point
  ) -> SessionID? {
    // The finger is only a number: its outcome is not reported anywhere.
    let session = engine.beginForeign(
      by: client, from: clients.program(ofProcess: process), isByButton: isByButton, fingers.newContact(),
      withAncestors(items), over: window, at: point, clock())
    if let session { deviceOfSession[session] = "pointer" }
    return session
  }

  package func movedForeignDrag(_ session: SessionID, to point: Point) {
    send(.moveForeign(session: session, point: point), at: clock())
  }

  package func droppedForeignDrag(_ session: SessionID, at point: Point) {
    send(.dropForeign(session: session, point: point), at: clock())
  }

  package func endedForeignDrag(_ session: SessionID) {
    send(.cancelForeign(session: session), at: clock())
  }

  package func touchIsTaken(_ client: ClientID, serial: UInt32) {
    send(.touchIsTaken(client: client, serial: serial), at: clock())
  }

  package func trialIsOver(_ client: ClientID, serial: UInt32) {
    send(.trialIsOver(client: client, serial: serial), at: clock())
  }

  /// Sends the bridge the windows that have drop regions now.
  package func tellDropWindows() { clients.setDropWindows(engine.dropWindows) }

  package func dropPlaces(of window: WindowID) -> [Rect] { engine.dropPlaces(of: window) }

  /// Adds the types that each type conforms to.
  func withAncestors(_ items: [ItemDescription]) -> [ItemDescription] {
    var items = items
    for i in items.indices {
      for t in items[i].types.indices {
        items[i].types[t].ancestors = mediaTypes.ancestors(of: items[i].types[t].name)
      }
    }
    return items
  }
}
