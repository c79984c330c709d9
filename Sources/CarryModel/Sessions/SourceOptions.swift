/// What a source allows and wishes (B4): asked once a drag, when it begins.
package struct SourceOptions: Equatable, Sendable {
  /// Whether the destination may propose a move; honoured within one application only.
  package var allowsMove: Bool
  /// Whether other applications' regions are blind to this session.
  package var isRestricted: Bool
  /// Whether the picture is to keep its size over the source (V2).
  package var prefersFullSize: Bool

  package init(allowsMove: Bool = true, isRestricted: Bool = false, prefersFullSize: Bool = false) {
    self.allowsMove = allowsMove
    self.isRestricted = isRestricted
    self.prefersFullSize = prefersFullSize
  }
}
