package import CarryModel

/// A media type with everything it is a kind of, so that a destination can match without a type database.
package struct OfferedType: Equatable, Sendable {
  package var name: String
  /// The types this one conforms to, without itself, nearest first.
  package var ancestors: [String]

  package init(name: String, ancestors: [String] = []) {
    self.name = name
    self.ancestors = ancestors
  }
}

/// What the engine knows of a drag item: names and types, never data.
package struct DragItem: Equatable, Sendable {
  package var id: ItemID
  /// The file name the source suggests, made harmless; empty when it has none.
  package var name: String
  /// In the source's order: the best representation first.
  package var types: [OfferedType]

  package init(id: ItemID, name: String = "", types: [OfferedType]) {
    self.id = id
    self.name = name
    self.types = types
  }
}

/// What a source allows, asked once per drag.
package struct SourceOptions: Equatable, Sendable {
  /// Whether the destination may propose a move; honoured within one application only.
  package var allowsMove: Bool
  /// Whether other applications' regions are blind to this session.
  package var isRestricted: Bool

  package init(allowsMove: Bool = true, isRestricted: Bool = false) {
    self.allowsMove = allowsMove
    self.isRestricted = isRestricted
  }
}
