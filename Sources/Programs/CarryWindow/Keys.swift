import CWindow

extension Modifiers {
  init(state: UInt32) {
    self = []
    if state & UInt32(ShiftMask) != 0 { insert(.shift) }
    if state & UInt32(ControlMask) != 0 { insert(.control) }
    if state & UInt32(Mod1Mask) != 0 { insert(.alt) }
  }
}

extension KeyEvent.Key {
  init?(symbol: KeySym) {
    switch Int32(truncatingIfNeeded: symbol) {
    case XK_Left, XK_KP_Left: self = .left
    case XK_Right, XK_KP_Right: self = .right
    case XK_Up, XK_KP_Up: self = .up
    case XK_Down, XK_KP_Down: self = .down
    case XK_Home, XK_KP_Home: self = .home
    case XK_End, XK_KP_End: self = .end
    case XK_Page_Up: self = .pageUp
    case XK_Page_Down: self = .pageDown
    case XK_Tab, XK_ISO_Left_Tab: self = .tab
    case XK_Return, XK_KP_Enter: self = .enter
    case XK_Escape: self = .escape
    case XK_Delete: self = .delete
    case XK_BackSpace: self = .backspace
    default: return nil
    }
  }
}
