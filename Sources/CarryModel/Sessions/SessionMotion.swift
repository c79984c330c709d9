/// What a session's items do by themselves.
package enum SessionMotion: Sendable {
  case lift
  case reverse
  case cancel
}
