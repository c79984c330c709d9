/// The text of an application that draws it itself: where its characters are, what may be lifted, and what a drop makes.
///
/// Points and rectangles are in pixels of the window. Offsets are the application's own, such as bytes of UTF-8: they
/// grow along the text, and nothing else is assumed of them. All methods are called on the client's thread. The first
/// four are required; with them, selections lift line by line, carets show the place of a drop, and dropped text is
/// inserted there, or moved within the text.
public protocol TextDelegate: AnyObject {
  /// Returns the place in the text nearest to a point, which may be far outside of it.
  func text(_ text: TextRegion, offsetAt point: Point) -> Int

  /// Returns the rectangles of a part of the text, one for each line; for an empty part, the caret's.
  func text(_ text: TextRegion, lineRectsOf range: Range<Int>) -> [Rect]

  /// Returns a part of the text.
  func text(_ text: TextRegion, stringIn range: Range<Int>) -> String

  /// Replaces a part of the text, and places the caret behind the new text. For a drop the part is empty.
  func text(_ text: TextRegion, replace range: Range<Int>, with string: String)

  // MARK: Lifting

  /// Returns the part of the text that a press at a point lifts: the selection, if it is there, an attachment or a
  /// paragraph. Called as the press begins, so return at once. The default is nil: the press is the application's.
  func text(_ text: TextRegion, rangeToLiftAt point: Point) -> Range<Int>?

  /// Returns the items of a part of the text. The default is one item with the text.
  func text(_ text: TextRegion, itemsFor range: Range<Int>) -> [DragItem]

  /// Returns how a part of the text is shown while it is carried: `frame`, the rectangle around its lines. The default
  /// is its lines, as in `DragPreviewParameters(textLineRects:)`, on ``TextRegion/backgroundColor``.
  func text(_ text: TextRegion, previewParametersFor range: Range<Int>, in frame: Rect) -> DragPreviewParameters?

  /// A drag of a part of the text has begun.
  func text(_ text: TextRegion, sessionWillBegin session: DragSession)

  /// A drag of a part of the text has ended.
  func text(_ text: TextRegion, session: DragSession, didEndWith operation: DropOperation)

  // MARK: Dropping

  /// The types that the text accepts, such as `image/*` for attachments. The default are the types of `String`.
  var acceptedTypes: [String] { get }

  /// Returns the result of dropping the items at a place. The default is ``TextRegion/proposal(for:at:)``.
  func text(_ text: TextRegion, sessionDidUpdate session: DropSession, at offset: Int) -> DropProposal

  /// Handles a drop that is no move within the text. The default inserts the text of all items that arrive, one line
  /// each. Start loads before returning: the text may have changed when the data is there.
  func text(_ text: TextRegion, performDrop session: DropSession, at offset: Int)

  /// Moves a part of the text to another place, which is not within the part. The default replaces both.
  func text(_ text: TextRegion, move range: Range<Int>, to offset: Int)

  /// Returns how a dropped item lands, as `previewForDropping` of ``DropInteractionDelegate``. The default lands at the
  /// caret.
  func text(
    _ text: TextRegion, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview?

  /// The drop's animations are over; data may still be under way.
  func text(_ text: TextRegion, concludeDrop session: DropSession)

  /// Draw again: ``TextRegion/dropCarets`` has changed.
  func textNeedsDisplay(_ text: TextRegion)
}

extension TextDelegate {
  /// Nothing lifts.
  public func text(_ text: TextRegion, rangeToLiftAt point: Point) -> Range<Int>? { nil }
  /// One item with the text.
  public func text(_ text: TextRegion, itemsFor range: Range<Int>) -> [DragItem] {
    [DragItem(itemProvider: ItemProvider(object: self.text(text, stringIn: range)))]
  }
  /// The lines.
  public func text(
    _ text: TextRegion, previewParametersFor range: Range<Int>, in frame: Rect
  ) -> DragPreviewParameters? { nil }
  /// Nothing.
  public func text(_ text: TextRegion, sessionWillBegin session: DragSession) {}
  /// Nothing.
  public func text(_ text: TextRegion, session: DragSession, didEndWith operation: DropOperation) {}

  /// Text.
  public var acceptedTypes: [String] { String.readableTypesForItemProvider }

  /// ``TextRegion/proposal(for:at:)``.
  public func text(_ text: TextRegion, sessionDidUpdate session: DropSession, at offset: Int) -> DropProposal {
    text.proposal(for: session, at: offset)
  }

  /// Inserts the text of all items.
  public func text(_ text: TextRegion, performDrop session: DropSession, at offset: Int) {
    session.loadObjects(of: String.self) { [weak self, weak text] loaded in
      let lines = loaded.compactMap(\.object)
      guard let self, let text, !lines.isEmpty else { return }
      // The text may have become shorter meanwhile.
      let end = self.text(text, offsetAt: Point(x: 1e6, y: 1e6))
      let place = min(offset, end)
      self.text(text, replace: place..<place, with: lines.joined(separator: "\n"))
    }
  }

  /// Inserts the part at the later place first, so that its own offsets stay valid.
  public func text(_ text: TextRegion, move range: Range<Int>, to offset: Int) {
    let string = self.text(text, stringIn: range)
    if offset <= range.lowerBound {
      self.text(text, replace: range, with: "")
      self.text(text, replace: offset..<offset, with: string)
    } else {
      self.text(text, replace: offset..<offset, with: string)
      self.text(text, replace: range, with: "")
    }
  }

  /// At the caret.
  public func text(
    _ text: TextRegion, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { defaultPreview }
  /// Nothing.
  public func text(_ text: TextRegion, concludeDrop session: DropSession) {}
  /// Nothing.
  public func textNeedsDisplay(_ text: TextRegion) {}
}
