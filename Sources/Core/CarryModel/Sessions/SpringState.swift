/// The state of a spring-loaded region under a hovering drag. The names are the reference system's.
package enum SpringState: UInt32, Equatable, Sendable {
  case inactive = 0
  case possible = 1
  case activating = 2
  case activated = 3
}
