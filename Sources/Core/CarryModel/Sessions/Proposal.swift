/// What a destination would do with the items if they were dropped here and now.
package struct Proposal: Equatable, Codable, Sendable {
  package var operation: DropOperation
  /// Whether the drop point lies above the finger, where the user can see it.
  package var isPrecise: Bool
  /// Whether the picture keeps its size over this destination.
  package var prefersFullSize: Bool
  /// Why the drop is forbidden, in a few words.
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
