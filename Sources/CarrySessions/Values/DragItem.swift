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
  /// The file name the source suggests, as it came; empty when it has none. Only the destination makes use of it.
  package var name: String
  /// In the source's order: the best representation first.
  package var types: [OfferedType]
  /// DA15: how large the destination may show it, in pixels, where the source says so.
  package var presentationSize: Size?
  /// How it rises.
  package var preview: ItemPreview

  package init(id: ItemID, name: String = "", types: [OfferedType], preview: ItemPreview = .usual) {
    self.id = id
    self.name = name
    self.types = types
    self.preview = preview
  }

  /// What telling a destination of it takes, about: texts, and the numbers beside each.
  var descriptionBytes: Int {
    types.reduce(32 + name.utf8.count) { sum, type in
      sum + 32 + type.name.utf8.count + min(1024, type.ancestors.reduce(0) { $0 + $1.utf8.count + 1 })
    }
  }
}

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
