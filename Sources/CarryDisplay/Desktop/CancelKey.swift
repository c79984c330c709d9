import CX11

/// Esc, wherever the focus is: held only while something is dragged, so that it is every application's own otherwise.
final class CancelKey {
  private let server: XServer
  private var keycode: CInt = 0
  private(set) var isHeld = false

  init(_ server: XServer) { self.server = server }

  /// Takes Esc, or gives it back. Where another client holds it, the server refuses and nothing is lost but the key.
  func setHolds(_ hold: Bool) {
    guard hold != isHeld, server.isAlive else { return }
    isHeld = hold
    if hold {
      // Asked for each time: keyboards and their layouts change.
      keycode = CInt(XKeysymToKeycode(server.display, KeySym(XK_Escape)))
      guard keycode != 0 else { return }
      // Not with any modifier: desktops hold Alt+Esc and its like, and the server would refuse all of it for that.
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
