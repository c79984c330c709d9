/// Whether a client may use a window for regions and previews.
package enum WindowStanding: Equatable, Sendable {
  /// The window is input-only and so never visible, or is not a client's window, or is nested too deep.
  case unseen
  /// The window does not exist now. `.windowAppeared` reports when it does.
  case missing
  /// The window lies in a window of another program that is not the window manager.
  case inAnothers
  /// The window was created by this process; nil if the X server does not know.
  case made(by: CInt?)
}
