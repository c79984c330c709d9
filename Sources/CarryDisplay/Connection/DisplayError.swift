package import CarryModel

/// Why there is no display to work on; each case has a sentence that says what to do.
package enum DisplayError: Explained, Equatable, Sendable {
  case cannotOpen(name: String)
  /// The named extension of the X server is missing.
  case missingExtension(String)
  /// There is no visual with an alpha channel.
  case noAlphaVisual

  /// One sentence for a person, without a full stop.
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

/// Something about the display that its owner should know.
package enum DisplayChange: Equatable, Sendable {
  case windowDestroyed(WindowID)
  /// More is known of windows whose standing was asked for: ask again.
  case windowsLookedUp
  /// There is a window now of which `standing` said that it was missing.
  case windowAppeared(WindowID)
  /// Windows came, went or moved: what lies under a finger may be another one now.
  case windowsChanged
  /// The screen's size or an output changed.
  case screenChanged
  /// A touchscreen came or went, or lies on the screen in another way.
  case touchDevicesChanged
  /// A window shows something else, whose picture is followed: `refreshImages` takes it.
  case imagesChanged
  /// Somebody touched the screen or pressed a button, which `watchPresses` asked for.
  case pressed
  /// The user pressed Esc.
  case cancelled
  /// Z14: the user pressed a key that is held for drags.
  case key(KeyStep)
  /// A compositing manager came or went: apply the list again, since previews are drawn in another way now.
  case compositorChanged
  /// The X server is gone; only closing is left to do.
  case connectionLost
}
