/// What a destination would do with the items, here and now (O10).
package struct Proposal: Equatable, Sendable {
  package var operation: DropOperation
  /// O7: whether the drop point lies above the finger, where the user can see it.
  package var isPrecise: Bool
  /// V3: whether the picture keeps its size over this destination.
  package var prefersFullSize: Bool
  /// Z12: why the drop is forbidden, in a few words.
  package var reason: String?

  package init(_ operation: DropOperation, isPrecise: Bool = false, prefersFullSize: Bool = false) {
    self.operation = operation
    self.isPrecise = isPrecise
    self.prefersFullSize = prefersFullSize
  }

  package static let cancel = Proposal(.cancel)
  package static let forbidden = Proposal(.forbidden)
  package static let copy = Proposal(.copy)
  package static let move = Proposal(.move)
}
