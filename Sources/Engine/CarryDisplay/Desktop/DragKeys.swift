import CX11
import CarryModel
import CarrySystem

/// The keys that drive a session. The pick-up key is always held, the other keys only while a session lasts.
///
/// Each key is held with its own modifiers only, so that Alt+Tab and the like still belong to the desktop.
final class DragKeys {
  /// A key that is held.
  private struct Grab {
    var keycode: CInt
    var modifiers: UInt32
    var step: KeyStep
  }

  private static let steps: [(CInt, UInt32, KeyStep)] = [
    (XK_Tab, 0, .next), (XK_Tab, UInt32(ShiftMask), .previous), (XK_Right, 0, .next), (XK_Down, 0, .next),
    (XK_Left, 0, .previous), (XK_Up, 0, .previous), (XK_Return, 0, .confirm), (XK_KP_Enter, 0, .confirm),
    (XK_space, 0, .confirm),
  ]
  /// Each combination of Caps Lock and Num Lock, which are ignored.
  static let locks = [0, UInt32(LockMask), UInt32(Mod2Mask), UInt32(LockMask) | UInt32(Mod2Mask)]
  private static let heeded = UInt32(ShiftMask | ControlMask | Mod1Mask | Mod4Mask)

  private let server: XServer
  private var chord: KeyChord?
  private var pickUp: [Grab] = []
  private var held: [Grab] = []
  private var isHeld = false

  init(_ server: XServer) { self.server = server }

  /// Changes the pick-up key; nil for none.
  func setPickUp(_ new: KeyChord?) {
    guard new != chord, server.isAlive else { return }
    chord = new
    grabPickUp()
  }

  private func grabPickUp() {
    release(&pickUp)
    guard let chord else { return }
    let symbol = XStringToKeysym(chord.key)
    let keycode = symbol == 0 ? 0 : CInt(XKeysymToKeycode(server.display, symbol))
    guard keycode != 0 else {
      return Log.warning("no key of this keyboard is called \(SafeText.displayable(chord.key)): nothing picks up")
    }
    var modifiers: UInt32 = 0
    if chord.modifiers.contains(.shift) { modifiers |= UInt32(ShiftMask) }
    if chord.modifiers.contains(.control) { modifiers |= UInt32(ControlMask) }
    if chord.modifiers.contains(.alt) { modifiers |= UInt32(Mod1Mask) }
    if chord.modifiers.contains(.super) { modifiers |= UInt32(Mod4Mask) }
    grab(Grab(keycode: keycode, modifiers: modifiers, step: .pickUp), into: &pickUp)
  }

  /// Grabs the keys of a session, or releases them.
  func setHolds(_ hold: Bool) {
    guard hold != isHeld, server.isAlive else { return }
    isHeld = hold
    release(&held)
    guard hold else { return }
    for (symbol, modifiers, step) in Self.steps {
      let keycode = CInt(XKeysymToKeycode(server.display, KeySym(symbol)))
      if keycode != 0 { grab(Grab(keycode: keycode, modifiers: modifiers, step: step), into: &held) }
    }
  }

  private func grab(_ key: Grab, into list: inout [Grab]) {
    list.append(key)
    for lock in Self.locks {
      XGrabKey(
        server.display, key.keycode, key.modifiers | lock, server.root, 0, GrabModeAsync, GrabModeAsync)
    }
  }

  private func release(_ list: inout [Grab]) {
    for key in list {
      for lock in Self.locks { XUngrabKey(server.display, key.keycode, key.modifiers | lock, server.root) }
    }
    list = []
  }

  /// The step that a key press means; nil unless the key is one of ours.
  func step(_ event: XEvent) -> KeyStep? {
    guard event.type == KeyPress else { return nil }
    let (code, modifiers) = (CInt(event.xkey.keycode), event.xkey.state & Self.heeded)
    return (held + pickUp).first { $0.keycode == code && $0.modifiers == modifiers }?.step
  }

  /// Grabs the keys again: another layout may place them elsewhere.
  func keyboardChanged() {
    guard server.isAlive else { return }
    grabPickUp()
    if isHeld {
      setHolds(false)
      setHolds(true)
    }
  }
}
