import Carry
import DemoKit

/// What is dropped on the letter: text at the caret, images with room of their own.
final class LetterSurface: TextDelegate {
  private unowned let letter: Letter
  private(set) var text: TextRegion?
  /// Where the images of a drop go.
  private var places: [ObjectIdentifier: Attachment] = [:]

  private var mail: Mail { letter.mail }

  init(_ letter: Letter, _ client: Client) {
    self.letter = letter
    text = TextRegion(
      client: client, window: letter.mail.window.number, frame: letter.body.pixels(letter.mail.app.scale),
      delegate: self)
  }

  func follow() { text?.region.frame = letter.body.pixels(mail.app.scale) }

  /// Where what is carried would go.
  var dropCaret: Draft.Caret? { text?.dropCarets.first.map { Draft.Caret(number: $0) } }

  // MARK: The text

  func text(_ text: TextRegion, offsetAt point: Point) -> Int {
    letter.caret(at: point * (1 / mail.app.scale)).number
  }

  func text(_ text: TextRegion, lineRectsOf range: Range<Int>) -> [Rect] {
    [letter.box(of: Draft.Caret(number: range.lowerBound)).pixels(mail.app.scale)]
  }

  func text(_ text: TextRegion, stringIn range: Range<Int>) -> String { "" }

  func text(_ text: TextRegion, replace range: Range<Int>, with string: String) {
    letter.change("text-dropped") { draft in
      draft.place(at: Draft.Caret(number: range.lowerBound))
      draft.insert(words: string)
    }
    letter.reveal(letter.box(of: letter.draft.caret))
  }

  func textNeedsDisplay(_ text: TextRegion) {
    mail.window.redraw()
    guard let caret = dropCaret else { return }
    mail.report.say(
      "caret", ("block", .number(Double(caret.block))), ("offset", .number(Double(caret.offset))),
      ("y", .number(letter.box(of: caret).center.y.rounded())))
  }

  // MARK: The drop

  var acceptedTypes: [String] { Picture.readableTypes + Words.readableTypesForItemProvider }

  func text(_ text: TextRegion, performDrop session: DropSession, at offset: Int) {
    var caret = Draft.Caret(number: offset)
    var images: [Attachment] = []
    for item in session.items where item.itemProvider.canLoadObject(of: ReceivedPicture.self) {
      let provider = item.itemProvider
      let attachment = letter.makeAttachment(provider.suggestedName)
      attachment.isLanding = true
      if let size = provider.preferredPresentationSize { attachment.makeRoom(for: size) }
      places[ObjectIdentifier(item)] = attachment
      images.append(attachment)
      let load = provider.loadObject(of: ReceivedPicture.self) { [weak self] in self?.arrived(attachment, $0) }
      if case .coming = attachment.content { attachment.content = .coming(load) }
    }
    // The room is there before the images are.
    if !images.isEmpty {
      caret = letter.draft.border(near: caret)
      letter.change("room") { draft in
        draft.place(at: caret)
        draft.insert(images: images.map(\.id))
      }
      if let box = images.last.flatMap({ letter.box(ofImage: $0.id) }) { letter.reveal(box) }
    } else {
      letter.change("placed") { $0.place(at: caret) }
    }
    // Text goes where it was dropped, wherever the caret is by then.
    let place = letter.draft.caret.number
    session.loadObjects(of: Words.self, limit: Draft.longest) { [weak self, weak text] arrived in
      let words = arrived.compactMap(\.object?.text)
      guard let self, let text, !arrived.isEmpty else { return }
      if words.isEmpty {
        letter.say("failed")
      } else {
        self.text(text, replace: place..<place, with: words.joined(separator: "\n"))
      }
    }
  }

  private func arrived(_ attachment: Attachment, _ result: Result<ReceivedPicture, LoadError>) {
    if case .success(let received) = result {
      attachment.take(received.picture, at: mail.app.now)
      mail.report.say("image-arrived", ("name", .text(attachment.name ?? "")))
    } else {
      attachment.content = .failed
      mail.report.say("image-failed", ("name", .text(attachment.name ?? "")))
    }
    mail.window.redraw()
  }

  /// Images grow, on their way, to the width that they have in the letter; text lands at the caret.
  func text(
    _ text: TextRegion, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let attachment = places[ObjectIdentifier(item)] else { return defaultPreview }
    guard let box = letter.box(ofImage: attachment.id), letter.body.contains(box.center) else { return nil }
    let drawing = Picture(units: box.width, box.height, scale: mail.app.scale) { c in
      Attachment.drawRoom(on: c, in: Box(0, 0, box.width, box.height), now: mail.app.now)
    }
    guard let image = drawing?.preview() else { return nil }
    mail.report.say(
      "landing", ("name", .text(attachment.name ?? "")), ("width", .number(box.width)),
      ("height", .number(box.height.rounded())))
    return TargetedDragPreview(
      view: .image(image), target: DragPreviewTarget(container: text.region, middleOf: box.pixels(mail.app.scale)))
  }

  func text(_ text: TextRegion, concludeDrop session: DropSession) {
    for attachment in places.values { attachment.isLanding = false }
    places = [:]
    letter.say("concluded")
    mail.window.redraw()
  }
}

/// Text or addresses, as text.
private struct Words: ItemProviderReading {
  static let readableTypesForItemProvider = ["text/plain", "text/uri-list"]
  let text: String
  init(itemProviderData data: [UInt8], type: String) { text = String(decoding: data, as: UTF8.self) }
}
