/// What a destination would do with the items, here and now (O10).
package struct Proposal: Equatable, Sendable {
  package var operation: DropOperation
  /// O7: the place that counts lies above the finger, where it can be seen.
  package var isPrecise: Bool
  /// V3: the picture is to keep its size over this destination.
  package var prefersFullSize: Bool
  /// Z12: why it is forbidden, in a few words.
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
