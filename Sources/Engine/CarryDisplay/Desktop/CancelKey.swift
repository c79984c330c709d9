import CX11

/// Holds Esc wherever the focus is, but only while something is dragged. At other times Esc belongs to the
/// applications.
final class CancelKey {
  private let server: XServer
  private var keycode: CInt = 0
  private(set) var isHeld = false

  init(_ server: XServer) { self.server = server }

  /// Grabs Esc, or releases it. If another client holds Esc, the server refuses, and only the key is lost.
  func setHolds(_ hold: Bool) {
    guard hold != isHeld, server.isAlive else { return }
    isHeld = hold
    if hold {
      // Look up the keycode each time, because keyboards and their layouts change.
      keycode = CInt(XKeysymToKeycode(server.display, KeySym(XK_Escape)))
      guard keycode != 0 else { return }
      // Not with AnyModifier: desktops hold Alt+Esc and the like, and the server would then refuse the whole grab.
      for lock in DragKeys.locks {
        XGrabKey(server.display, keycode, lock, server.root, 0, GrabModeAsync, GrabModeAsync)
      }
    } else if keycode != 0 {
      for lock in DragKeys.locks { XUngrabKey(server.display, keycode, lock, server.root) }
    }
  }

  /// Whether the event is Esc going down while we hold it.
  func isCancel(_ event: XEvent) -> Bool {
    isHeld && event.type == KeyPress && CInt(event.xkey.keycode) == keycode
  }
}
