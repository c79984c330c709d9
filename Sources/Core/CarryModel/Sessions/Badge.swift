/// The badge at the corner of a stack.
package enum Badge: Equatable, Hashable, Sendable {
  case none
  /// The number of items; shown for two or more.
  case count(Int)
  /// A drop here copies: a green plus, with the number if it is more than one.
  case copy(Int)
  /// The target usually accepts drops, but not this one.
  case forbidden
  /// A few words beside the stack.
  case label(String)
}
