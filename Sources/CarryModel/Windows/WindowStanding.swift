/// What a window is to somebody who wants to use it.
package enum WindowStanding: Equatable, Sendable {
  /// It only takes input and nobody can see it, or it is none that a client can have.
  case unseen
  /// There is no such window, by now: `.windowAppeared` says when there is.
  case missing
  /// It lies in a window of another program, which is no window manager.
  case inAnothers
  /// Made by this process; nil where the X server cannot tell.
  case made(by: CInt?)
}
