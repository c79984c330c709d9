/// A media type with its ancestors, so that a destination can match types without a type database.
package struct OfferedType: Equatable, Sendable {
  package var name: String
  /// The types this one conforms to, without itself, nearest first.
  package var ancestors: [String]
  /// How many bytes the representation has, as the source says; nil where it does not.
  package var byteCount: UInt64?
  package var visibility: Visibility

  package init(name: String, ancestors: [String] = [], visibility: Visibility = .all) {
    self.name = name
    self.ancestors = ancestors
    self.visibility = visibility
  }
}

/// F1: where an item's data comes from if not from its application: a helper program, by a name that it understands.
package struct FileReference: Equatable, Sendable {
  /// The number that the helper has as an owner of items, whether it runs or not.
  package var helper: ClientID
  /// At most `Limits.referenceBytes`. Nobody but the helper reads it.
  package var text: String

  package init(helper: ClientID, text: String) {
    self.helper = helper
    self.text = text
  }
}

/// Z15: where an item comes from that the shelf lends to a drag.
package struct ItemOrigin: Equatable, Sendable {
  /// Z15: the kept item; nil for an item that a guest has lent without the shelf (Z23).
  package var kept: KeptItemID?
  /// The session with which the item came to the shelf, and its number there: what its owner knows it by.
  package var session: SessionID
  package var item: ItemID

  package init(kept: KeptItemID?, session: SessionID, item: ItemID) {
    (self.kept, self.session, self.item) = (kept, session, item)
  }
}

/// What the engine knows of a drag item: names and types, never data.
package struct ItemDescription: Equatable, Sendable {
  package var id: ItemID
  /// The client that provides the data, which need not be the client that started the drag. The session engine fills it in.
  package var owner = ClientID(0)
  /// Whether the owner is gone: the item can no longer be loaded.
  package var isLost = false
  /// F1: the helper that provides the data, and so owns the item; nil where the application itself does.
  package var reference: FileReference?
  /// Z15: the kept item that this one stands for, as the shelf says; nil for an item of its own.
  package var lent: KeptItemID?
  /// Z15: where a lent item comes from. The session engine fills it in.
  package var origin: ItemOrigin?
  /// The program that the item comes from; nil for the program that drags. Who may see the item is decided as if that
  /// program dragged it. The session engine fills it in.
  package var program: ProgramIdentity?
  /// The file name that the source suggests, unchecked; empty for none. Only the destination uses it.
  package var name: String
  /// In the source's order: the best representation first.
  package var types: [OfferedType]
  /// DA15: the size at which the source suggests to show the item, in pixels; nil for no suggestion.
  package var presentationSize: Size?
  /// I16: what programs of the source's team may read before the drop; at most `Limits.teamDataBytes`.
  package var teamData: [UInt8] = []
  /// The preview with which the item rises.
  package var preview: ItemPreview

  package init(id: ItemID, name: String = "", types: [OfferedType], preview: ItemPreview = .usual) {
    self.id = id
    self.name = name
    self.types = types
    self.preview = preview
  }

  /// About how many bytes it takes to describe the item to a destination: its texts, and the numbers beside each text.
  package var descriptionBytes: Int {
    types.reduce(32 + name.utf8.count) { sum, type in
      let ancestors = type.ancestors.reduce(0) { $0 + $1.utf8.count + 1 }
      return sum + (type.byteCount == nil ? 32 : 52) + type.name.utf8.count + min(1024, ancestors)
    }
  }
}
