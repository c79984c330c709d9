/// Whether a client may use a window for regions and previews.
package enum WindowStanding: Equatable, Sendable {
  /// The window only takes input, so that nobody can see it, or it is no window of a client, or lies too deep.
  case unseen
  /// The window does not exist now. `.windowAppeared` reports when it does.
  case missing
  /// The window lies in a window of another program that is not the window manager.
  case inAnothers
  /// The window was made by this process; nil where the X server cannot tell.
  case made(by: CInt?)
}
