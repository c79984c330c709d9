/// What a stack's corner says.
package enum Badge: Equatable, Hashable, Sendable {
  case none
  /// So many items; shown from two on.
  case count(Int)
  /// A drop here copies: a green plus, with the number when it is more than one.
  case copy(Int)
  /// A drop would usually work here, but not now.
  case forbidden
  /// A few words beside the stack.
  case label(String)
}
