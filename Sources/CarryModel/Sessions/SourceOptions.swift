/// A source's options for a drag (B4). The engine asks for them once, when the drag begins.
package struct SourceOptions: Equatable, Sendable {
  /// Whether the destination may propose a move; honoured within one application only.
  package var allowsMove: Bool
  /// Z32: whether other applications may propose a move, too.
  package var allowsMoveToOthers = false
  /// Whether the session is hidden from other applications' regions.
  package var isRestricted: Bool
  /// Whether the picture keeps its size over the source (V2).
  package var prefersFullSize: Bool

  package init(allowsMove: Bool = true, isRestricted: Bool = false, prefersFullSize: Bool = false) {
    self.allowsMove = allowsMove
    self.isRestricted = isRestricted
    self.prefersFullSize = prefersFullSize
  }
}
