/// What an item shows.
package enum ItemPreview: Equatable, Sendable {
  /// At the lift a picture of the whole region (L8), at the end the picture that is carried.
  case usual
  /// At the lift nothing (L10); at the end it fades away where it is (E3, K2).
  case hidden
  /// A preview that the application made.
  case own(PreviewID)
}

/// How an item ends on the screen.
package struct ItemEnding: Equatable, Sendable {
  /// The position in the session.
  package var item: Int
  package var preview: ItemPreview

  package init(item: Int, preview: ItemPreview) {
    self.item = item
    self.preview = preview
  }
}
