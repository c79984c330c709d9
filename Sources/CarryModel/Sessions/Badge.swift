/// The badge at a stack's corner.
package enum Badge: Equatable, Hashable, Sendable {
  case none
  /// The number of items; shown from two on.
  case count(Int)
  /// A drop here copies: a green plus, with the number when it is more than one.
  case copy(Int)
  /// A drop would usually work here, but not now.
  case forbidden
  /// A few words beside the stack.
  case label(String)
}
