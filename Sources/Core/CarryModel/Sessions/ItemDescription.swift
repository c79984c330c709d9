/// A media type with its ancestors, so that a destination can match types without a type database.
package struct OfferedType: Equatable, Codable, Sendable {
  package var name: String
  /// The types to which this one conforms, nearest first, without itself.
  package var ancestors: [String]
  /// The size of the representation in bytes, as stated by the source; nil if not stated.
  package var byteCount: UInt64?
  package var visibility: Visibility

  package init(name: String, ancestors: [String] = [], visibility: Visibility = .all) {
    self.name = name
    self.ancestors = ancestors
    self.visibility = visibility
  }
}

/// Identifies an item for a file provider: a helper program that provides the data instead of the application (F1).
package struct FileReference: Equatable, Codable, Sendable {
  /// The helper's number as an owner of items, whether it runs or not.
  package var helper: ClientID
  /// At most `Limits.referenceBytes`. Only the helper interprets it.
  package var text = ""

  /// Without `text`, which may be a path or a secret: a session recording has no data.
  private enum CodingKeys: CodingKey { case helper }

  package init(helper: ClientID, text: String) {
    self.helper = helper
    self.text = text
  }
}

/// Where an item that the shelf or a guest session lends to a drag comes from.
package struct ItemOrigin: Equatable, Codable, Sendable {
  /// The kept item; nil for an item that a guest lends without the shelf (Z23).
  package var kept: KeptItemID?
  /// The session in which the item was first dragged, and its number there: its owner knows it by these.
  package var session: SessionID
  package var item: ItemID

  package init(kept: KeptItemID?, session: SessionID, item: ItemID) {
    (self.kept, self.session, self.item) = (kept, session, item)
  }
}

/// The engine's description of a drag item: names and types, never data.
package struct ItemDescription: Equatable, Codable, Sendable {
  package var id: ItemID
  /// The client that provides the data, which may differ from the client that started the drag. Set by the session
  /// engine.
  package var owner = ClientID(0)
  /// Whether the owner is gone, so that the item can no longer be loaded.
  package var isLost = false
  /// The file provider's reference, if a helper provides the data and so owns the item; nil if the application does.
  package var reference: FileReference?
  /// The kept item that this one represents, as stated by the shelf; nil for an item of the client's own.
  package var lent: KeptItemID?
  /// Where a lent item comes from. Set by the session engine.
  package var origin: ItemOrigin?
  /// The program that the item comes from; nil for the dragging program. Visibility is decided as if that program
  /// dragged the item. Set by the session engine.
  package var program: ProgramIdentity?
  /// The file name that the source suggests, unchecked; empty for none. Only the destination uses it.
  package var name: String
  /// In the source's order: the best representation first.
  package var types: [OfferedType]
  /// The size at which the source suggests showing the item, in pixels; nil for no suggestion.
  package var presentationSize: Size?
  /// Metadata that programs of the source's team may read before the drop (I16); at most `Limits.teamDataBytes`.
  package var teamData: [UInt8] = []
  /// The preview with which the item rises.
  package var preview: ItemPreview

  /// Without `teamData`, which is the application's own: a session recording has no data.
  private enum CodingKeys: CodingKey {
    case id, owner, isLost, reference, lent, origin, program, name, types, presentationSize, preview
  }

  package init(id: ItemID, name: String = "", types: [OfferedType], preview: ItemPreview = .usual) {
    self.id = id
    self.name = name
    self.types = types
    self.preview = preview
  }

  /// The approximate number of bytes needed to describe the item to a destination: its texts, and the numbers beside
  /// each.
  package var descriptionBytes: Int {
    types.reduce(32 + name.utf8.count) { sum, type in
      let ancestors = type.ancestors.reduce(0) { $0 + $1.utf8.count + 1 }
      return sum + (type.byteCount == nil ? 32 : 52) + type.name.utf8.count + min(1024, ancestors)
    }
  }
}
