/// A motion that a session's items make by themselves.
package enum SessionMotion: Sendable {
  case lift
  case reverse
  case cancel
}
