import Carry
import DemoKit

/// What comes in: text and pictures at the caret, and links on the "+".
extension Surface: DropInteractionDelegate {
  private static let texts = ["text/plain", "text/uri-list", "text/x-moz-url"]
  private static let largestPicture = 64 << 20
  private static let links = ["text/x-moz-url", "text/uri-list", "text/plain"]

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: interaction === pageDrop ? Picture.readableTypes + Self.texts : Self.texts)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard interaction === pageDrop else { return DropProposal(operation: .copy) }
    let place = units(session.location(in: page), in: page)
    let caret = notes.layout.offset(at: place)
    notes.dropPlaces[session.identifier] = place
    notes.window.redraw()
    var proposal = DropProposal(operation: .copy)
    if let own = own(session) {
      // Into itself would change nothing.
      let isInside = own.contains { $0.lowerBound < caret && caret < $0.upperBound }
      // Several parts come as copies: each that moved away would shift the others.
      let moves = session.allowsMoveOperation && own.count == 1
      proposal = DropProposal(operation: isInside ? .cancel : moves ? .move : .copy)
    }
    // The line that a finger points at is under the finger.
    proposal.isPrecise = true
    return proposal
  }

  private func units(_ p: Point, in region: Region) -> Point {
    (p + Point(x: Double(region.frame.x), y: Double(region.frame.y))) * (1 / app.scale)
  }

  /// The parts of the note that is shown, where the session carries nothing else and they are still what they were.
  private func own(_ session: DropSession) -> [Range<Int>]? {
    guard session.localDragSession != nil else { return nil }
    var ranges: [Range<Int>] = []
    for item in session.items {
      guard case .text(let note, let range, let text)? = item.localObject as? Piece, note == notes.note.id,
        notes.note.slice(range) == text
      else { return nil }
      ranges.append(range)
    }
    return ranges
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { left(session) }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {
    left(session)
    if interaction === plusDrop { sprung = nil }
  }

  private func left(_ session: DropSession) {
    notes.dropPlaces[session.identifier] = nil
    notes.window.redraw()
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    landing = []
    if interaction === plusDrop { return openTabs(session) }
    left(session)
    let caret = notes.layout.offset(at: units(session.location(in: page), in: page))
    let note = notes.note.id
    if session.operation == .move, let own = own(session), own.count == 1, let range = own.first {
      notes.edit(note, "moved") { $0.move(range, to: caret) }
      return
    }
    let pictures = session.items.filter { $0.itemProvider.bestType(conformingTo: Picture.readableTypes) != nil }
    let l = notes.layout
    landing = session.items.map { item in
      (item, l.landing(at: caret, picture: pictures.firstIndex { $0 === item }, of: pictures.count))
    }
    load(session, Picture.readableTypes + Self.texts) { [weak notes] arrived in
      guard let notes else { return }
      let pieces = arrived.compactMap { bytes, type, name -> Note.Piece? in
        if type.hasPrefix("text/plain") { return .text(String(decoding: bytes, as: UTF8.self)) }
        if type.hasPrefix("text/") { return .text(Link(bytes, type: type)?.address ?? "") }
        return notes.attach(bytes, name: name).map { .picture($0) }
      }
      let hasPictures = pieces.contains { if case .picture = $0 { true } else { false } }
      notes.edit(note, hasPictures ? "pictures-dropped" : "text-dropped") { note in
        note.place(at: caret)
        note.insert(pieces: pieces)
      }
    }
  }

  /// About where it will be seen.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let place = landing.first(where: { $0.item === item })?.place else { return defaultPreview }
    let frame = page.frame
    let center = place * app.scale - Point(x: Double(frame.x), y: Double(frame.y))
    return defaultPreview.retargetedPreview(with: DragPreviewTarget(container: page, center: center))
  }

  /// A tab for each item: what is an address becomes a link, all else is text.
  private func openTabs(_ session: DropSession) {
    var empty = sprung
    sprung = nil
    load(session, Self.links) { [weak notes] pieces in
      for (bytes, type, _) in pieces {
        let link = Link(bytes, type: type)
        let text = link == nil ? String(decoding: bytes, as: UTF8.self) : ""
        if let id = empty, notes?.fill(id, text: text, link: link) == true {
          empty = nil
        } else {
          notes?.open(link == nil ? "opened" : "link-opened", text: text, link: link)
        }
      }
    }
  }

  /// Loads the best representation of each item; `body` gets what came, in the items' order, when all is there.
  private func load(
    _ session: DropSession, _ types: [String], _ body: @escaping ([([UInt8], type: String, name: String?)]) -> Void
  ) {
    let wanted = session.items.compactMap { item in
      item.itemProvider.bestType(conformingTo: types).map { (item.itemProvider, $0) }
    }
    let collected = Collected(wanted.count)
    for (i, (provider, type)) in wanted.enumerated() {
      let limit = type.hasPrefix("image/") ? Self.largestPicture : Note.longest
      provider.loadDataRepresentation(forType: type, limit: limit) { result in
        if case .success(let bytes) = result { collected.pieces[i] = (bytes, type, provider.suggestedName) }
        collected.open -= 1
        if collected.open == 0 { body(collected.pieces.compactMap { $0 }) }
      }
    }
  }

  private final class Collected {
    var pieces: [([UInt8], type: String, name: String?)?]
    var open: Int
    init(_ count: Int) {
      pieces = Array(repeating: nil, count: count)
      open = count
    }
  }
}
