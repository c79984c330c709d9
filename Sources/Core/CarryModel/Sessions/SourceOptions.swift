/// A source's options for a drag. The engine requests them once, when the drag begins.
package struct SourceOptions: Equatable, Codable, Sendable {
  /// Whether the destination may propose a move; applies within one application only.
  package var allowsMove: Bool
  /// Whether other applications may propose a move, too (Z32).
  package var allowsMoveToOthers = false
  /// Whether the session is hidden from other applications' regions.
  package var isRestricted: Bool
  /// Whether the picture keeps its size over the source.
  package var prefersFullSize: Bool

  package init(allowsMove: Bool = true, isRestricted: Bool = false, prefersFullSize: Bool = false) {
    self.allowsMove = allowsMove
    self.isRestricted = isRestricted
    self.prefersFullSize = prefersFullSize
  }
}
