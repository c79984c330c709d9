import CX11
package import CarryModel

/// Makes sure that a display has one engine: the owner of the selection `_CARRY_ENGINE_Sn`. Compositing managers use the
/// same method.
extension Display {
  /// Takes the selection.
  ///
  /// One round trip. The server releases the selection when the connection closes, whatever happens to the process.
  ///
  /// - Returns: false when another engine owns it.
  package func claimEngine() -> Bool {
    let screen = XDefaultScreen(connection)
    let atom = XInternAtom(connection, EngineStatus.selection(screen: screen), 0)
    // No other client may come between the question and the claim.
    XGrabServer(connection)
    defer {
      XUngrabServer(connection)
      XSync(connection, 0)
    }
    guard XGetSelectionOwner(connection, atom) == 0 else { return false }
    let window = XCreateSimpleWindow(connection, XDefaultRootWindow(connection), -1, -1, 1, 1, 0, 0, 0)
    XSetSelectionOwner(connection, atom, window, UInt(CurrentTime))
    engineWindow = WindowID(UInt32(truncatingIfNeeded: window))
    return XGetSelectionOwner(connection, atom) == window
  }

  /// Publishes the engine's status to every X client.
  package func publish(_ status: EngineStatus) {
    guard isAlive, let engineWindow else { return }
    let property = XInternAtom(connection, EngineStatus.property, 0)
    let type = XInternAtom(connection, "UTF8_STRING", 0)
    let bytes = Array(status.text.utf8)
    XChangeProperty(
      connection, UInt(engineWindow.raw), property, type, 8, PropModeReplace, bytes, CInt(clamping: bytes.count))
  }
}
