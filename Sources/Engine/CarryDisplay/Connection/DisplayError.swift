package import CarryModel

/// Why the display cannot be used. Each case has a sentence that says what to do.
package enum DisplayError: Explained, Equatable, Sendable {
  case cannotOpen(name: String)
  /// The named extension of the X server is missing.
  case missingExtension(String)
  /// There is no visual with an alpha channel.
  case noAlphaVisual

  /// One sentence to show to a person, without a full stop.
  package var sentence: String {
    switch self {
    case .cannotOpen(""):
      "cannot open a display: DISPLAY is not set; set DISPLAY or give --display"
    case .cannotOpen(let name):
      "cannot open display \(SafeText.displayable(name)): is an X server running? set DISPLAY or give --display"
    case .missingExtension(let name):
      "the X server has no \(name) extension, which previews and hit testing need"
    case .noAlphaVisual:
      "the X server offers no visual with an alpha channel (depth 32), which previews need"
    }
  }
}

/// A change of the display.
package enum DisplayChange: Equatable, Sendable {
  case windowDestroyed(WindowID)
  /// The server has replied about windows: call `standing` again.
  case windowsLookedUp
  /// A window exists now that `standing` had reported as missing.
  case windowAppeared(WindowID)
  /// Windows were created, destroyed or moved: another window may lie under a finger now.
  case windowsChanged
  /// The screen's size or an output changed.
  case screenChanged
  /// A touchscreen was added or removed, or is mapped to the screen in another way.
  case touchDevicesChanged
  /// A window with a followed picture has changed: call `refreshImages`.
  case imagesChanged
  /// A window that no window manager manages has appeared over a whole monitor: the screen is locked.
  case screenLocked
  /// The screen was touched or a button was pressed; reported while `watchPresses` is on.
  case pressed
  /// The user pressed Esc.
  case cancelled
  /// The first mouse button went down or up in the window for slow transfers; where on the screen.
  case panelPressed(Point)
  case panelReleased(Point)
  /// The user pressed Ctrl+Z in this window, in which it is held.
  case undo(WindowID)
  /// The user pressed a key that is grabbed for drags.
  case key(KeyStep)
  /// A compositing manager started or ended: apply the list again, because previews are now drawn in another way.
  case compositorChanged
  /// Another client, described in words, has taken the selection that announces the engine.
  case claimLost(to: String)
  /// Another client has destroyed the window of the claim, so nobody has the claim.
  case claimWindowDestroyed
  /// The X server is gone; only closing remains.
  case connectionLost
}
