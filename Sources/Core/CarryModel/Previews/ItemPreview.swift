/// The picture that represents an item.
package enum ItemPreview: Equatable, Codable, Sendable {
  /// At the lift, a picture of the whole region; at the end, the picture that is carried.
  case usual
  /// At the lift, nothing; at the end, the item fades away in place.
  case hidden
  /// A preview that the application provided.
  case own(PreviewID)
}

/// How an item ends on the screen.
package struct ItemEnding: Equatable, Codable, Sendable {
  /// The position in the session.
  package var item: Int
  package var preview: ItemPreview

  package init(item: Int, preview: ItemPreview) {
    self.item = item
    self.preview = preview
  }
}
