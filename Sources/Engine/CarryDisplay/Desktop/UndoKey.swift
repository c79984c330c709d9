import CX11
import CarryModel

/// Holds Ctrl+Z in the windows of a move that can be undone, for as long as it can be. A grab on a window applies
/// while the focus is in the window, so Ctrl+Z still belongs to every other application.
final class UndoKey {
  private let server: XServer
  private var keycode: CInt = 0
  private var held: [WindowID] = []

  init(_ server: XServer) { self.server = server }

  func hold(in windows: [WindowID]) {
    guard windows != held, server.isAlive else { return }
    if keycode != 0 {
      for window in held {
        for lock in DragKeys.locks {
          XUngrabKey(server.display, keycode, UInt32(ControlMask) | lock, CX11.Window(window.raw))
        }
      }
    }
    held = windows
    guard !windows.isEmpty else { return }
    // Look up the keycode each time, because keyboards and their layouts change.
    keycode = CInt(XKeysymToKeycode(server.display, KeySym(XK_z)))
    guard keycode != 0 else { return }
    for window in windows {
      for lock in DragKeys.locks {
        XGrabKey(
          server.display, keycode, UInt32(ControlMask) | lock, CX11.Window(window.raw), 0, GrabModeAsync, GrabModeAsync)
      }
    }
  }

  /// The window in which the key was pressed; nil for any other event.
  func window(_ event: XEvent) -> WindowID? {
    guard event.type == KeyPress, !held.isEmpty, CInt(event.xkey.keycode) == keycode,
      event.xkey.state & UInt32(ControlMask | ShiftMask | Mod1Mask | Mod4Mask) == UInt32(ControlMask)
    else { return nil }
    return held.first { CX11.Window($0.raw) == event.xkey.window }
  }
}
