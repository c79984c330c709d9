import CX11

/// One engine a display: whoever owns the selection `_CARRY_ENGINE_Sn` is it, as compositing managers do it.
extension Display {
  /// Takes the selection.
  ///
  /// One round trip. It is let go when the connection closes, whatever happens to the process.
  ///
  /// - Returns: false when another engine owns it.
  package func claimEngine() -> Bool {
    let screen = XDefaultScreen(connection)
    let atom = XInternAtom(connection, "_CARRY_ENGINE_S\(screen)", 0)
    // Nobody may come in between the question and the claim.
    XGrabServer(connection)
    defer {
      XUngrabServer(connection)
      XSync(connection, 0)
    }
    guard XGetSelectionOwner(connection, atom) == 0 else { return false }
    let window = XCreateSimpleWindow(connection, XDefaultRootWindow(connection), -1, -1, 1, 1, 0, 0, 0)
    XSetSelectionOwner(connection, atom, window, UInt(CurrentTime))
    return XGetSelectionOwner(connection, atom) == window
  }
}
