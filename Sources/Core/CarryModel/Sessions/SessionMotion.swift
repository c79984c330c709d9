/// An automatic motion of a session's items.
package enum SessionMotion: Sendable {
  case lift
  case reverse
  case cancel
}
