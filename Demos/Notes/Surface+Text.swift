import Carry
import DemoKit

/// The page: its text lifts in lines, its pictures as such, and both come in at the caret.
extension Surface: TextDelegate {
  private static let texts = ["text/plain", "text/uri-list", "text/x-moz-url"]

  private func units(_ p: Point) -> Point { p * (1 / app.scale) }

  func text(_ text: TextRegion, offsetAt point: Point) -> Int { notes.layout.offset(at: units(point)) }

  func text(_ text: TextRegion, lineRectsOf range: Range<Int>) -> [Rect] {
    let l = notes.layout
    if range.isEmpty { return [l.caret(at: range.lowerBound).pixels(app.scale)] }
    if let picture = l.pictures.first(where: { $0.range == range }) { return [picture.box.pixels(app.scale)] }
    return l.boxes(range).filter { $0.maxY > l.page.y && $0.y < l.page.maxY }.map { $0.pixels(app.scale) }
  }

  func text(_ text: TextRegion, stringIn range: Range<Int>) -> String { notes.note.slice(range) }

  func text(_ text: TextRegion, replace range: Range<Int>, with string: String) {
    notes.edit(notes.note.id, "text-dropped") { $0.replace(range, with: string) }
  }

  // MARK: Lifting

  /// The selection, a picture or a paragraph.
  func text(_ text: TextRegion, rangeToLiftAt point: Point) -> Range<Int>? {
    let (l, p, note) = (notes.layout, units(point), notes.note)
    func isAt(_ range: Range<Int>) -> Bool { l.frame(of: range)?.contains(p) == true }
    if !note.selection.isEmpty, isAt(note.selection) { return note.selection }
    if let picture = l.pictures.first(where: { $0.box.contains(p) }) { return picture.range }
    return note.paragraphs.first { !Note.harmless(note.slice($0)).isEmpty && isAt($0) }
  }

  func text(_ text: TextRegion, itemsFor range: Range<Int>) -> [DragItem] {
    let string = notes.note.slice(range)
    let picture = notes.note.marks.first { $0.range == range }.flatMap { notes.pictures[$0.mark] }
    let item = DragItem(itemProvider: picture?.provider() ?? Self.provider(of: string))
    item.localObject = notes.note.id
    return [item]
  }

  private static func provider(of all: String) -> ItemProvider {
    let text = Note.harmless(all)
    // Text that is an address is carried as one.
    if let link = Link(text) { return provider(of: link) }
    let provider = ItemProvider(text: text)
    provider.suggestedName = "Note.txt"
    return provider
  }

  func text(
    _ text: TextRegion, previewParametersFor range: Range<Int>, in frame: Rect
  ) -> DragPreviewParameters? {
    notes.note.marks.contains { $0.range == range } ? rounded(frame, radius: 8) : nil
  }

  func text(_ text: TextRegion, sessionWillBegin session: DragSession) { notes.say("lifted") }

  func text(_ text: TextRegion, session: DragSession, didEndWith operation: DropOperation) { ended(operation) }

  // MARK: Dropping

  var acceptedTypes: [String] { Picture.readableTypes + Self.texts }

  /// A part of another note is copied.
  func text(_ text: TextRegion, sessionDidUpdate session: DropSession, at offset: Int) -> DropProposal {
    let isOfThisNote = session.items.allSatisfy { $0.localObject as? Int == notes.note.id }
    return isOfThisNote ? text.proposal(for: session, at: offset) : DropProposal(operation: .copy)
  }

  func text(_ text: TextRegion, move range: Range<Int>, to offset: Int) {
    notes.edit(notes.note.id, "moved") { $0.move(range, to: offset) }
  }

  func text(_ text: TextRegion, performDrop session: DropSession, at caret: Int) {
    let note = notes.note.id
    let pictures = session.items.filter { $0.itemProvider.bestType(conformingTo: Picture.readableTypes) != nil }
    let l = notes.layout
    landing = [:]
    for item in session.items {
      let place = l.landing(at: caret, picture: pictures.firstIndex { $0 === item }, of: pictures.count)
      landing[ObjectIdentifier(item)] = Box(place.x - 1, place.y - 1, 2, 2)
    }
    session.loadObjects(of: Arrival.self, limit: Arrival.largest) { [weak notes] arrived in
      guard let notes else { return }
      let pieces = arrived.compactMap { loaded -> Note.Piece? in
        guard let arrival = loaded.object else { return nil }
        if let words = arrival.words { return .text(words) }
        return notes.attach(arrival.bytes, name: loaded.item.itemProvider.suggestedName).map { .picture($0) }
      }
      let hasPictures = pieces.contains { if case .picture = $0 { true } else { false } }
      notes.edit(note, hasPictures ? "pictures-dropped" : "text-dropped") { note in
        note.place(at: caret)
        note.insert(pieces: pieces)
      }
    }
  }

  /// About where it will be seen.
  func text(
    _ text: TextRegion, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let place = landing[ObjectIdentifier(item)] else { return defaultPreview }
    return defaultPreview.retargetedPreview(
      with: DragPreviewTarget(container: text.region, middleOf: place.pixels(app.scale)))
  }

  func text(_ text: TextRegion, concludeDrop session: DropSession) { landing = [:] }

  func textNeedsDisplay(_ text: TextRegion) { notes.window.redraw() }
}

/// What is dropped on a note.
private struct Arrival: ItemProviderReading {
  static let readableTypesForItemProvider =
    Picture.readableTypes + ["text/plain", "text/uri-list", "text/x-moz-url"]
  static let largest = 64 << 20

  let bytes: [UInt8]
  /// The text; nil for a picture.
  let words: String?

  init(itemProviderData data: [UInt8], type: String) throws {
    bytes = data
    guard type.hasPrefix("text/") else {
      words = nil
      return
    }
    guard data.count <= Note.longest else { throw ItemDataError("it is longer than a note") }
    words = type.hasPrefix("text/plain") ? String(decoding: data, as: UTF8.self) : Link(data, type: type)?.address
  }
}
