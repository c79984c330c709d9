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
package struct ItemDescription: Equatable, Sendable {
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
  package var descriptionBytes: Int {
    types.reduce(32 + name.utf8.count) { sum, type in
      sum + 32 + type.name.utf8.count + min(1024, type.ancestors.reduce(0) { $0 + $1.utf8.count + 1 })
    }
  }
}
