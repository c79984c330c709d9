/// How far a drag that hovers has come with a spring-loaded region; as the reference system names it.
package enum SpringState: UInt32, Equatable, Sendable {
  case inactive = 0
  case possible = 1
  case activating = 2
  case activated = 3
}
