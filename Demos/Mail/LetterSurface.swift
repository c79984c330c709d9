import Carry
import DemoKit

/// What is dropped on the letter: text at the caret, images with room of their own.
final class LetterSurface: DropInteractionDelegate {
  private unowned let letter: Letter
  private let body: Region
  /// Where the images of a drop go. Cleared when it is concluded.
  private var places: [ObjectIdentifier: Attachment] = [:]
  private static let texts = ["text/plain", "text/uri-list"]

  private var mail: Mail { letter.mail }

  init(_ letter: Letter, _ client: Client) {
    self.letter = letter
    body = Region(client: client, window: letter.mail.window.number, frame: letter.body.pixels(letter.mail.app.scale))
    body.addInteraction(DropInteraction(delegate: self))
  }

  func follow() { body.frame = letter.body.pixels(mail.app.scale) }

  private func caret(_ session: DropSession) -> Draft.Caret {
    let p = session.location(in: body) * (1 / mail.app.scale)
    let caret = letter.caret(at: p + Point(x: letter.body.x, y: letter.body.y))
    return session.hasItemsConforming(toTypes: Picture.readableTypes) ? letter.draft.border(near: caret) : caret
  }

  // MARK: Above

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: Picture.readableTypes + Self.texts)
  }

  /// The line that a finger points at is under the finger: the caret goes above it, where it can be seen.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    let caret = caret(session)
    if caret != letter.dropCaret {
      letter.dropCaret = caret
      let box = letter.box(of: caret)
      mail.report.say(
        "caret", ("block", .number(Double(caret.block))), ("offset", .number(Double(caret.offset))),
        ("y", .number(box.center.y.rounded())))
    }
    var proposal = DropProposal(operation: .copy)
    proposal.isPrecise = true
    return proposal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { letter.dropCaret = nil }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { letter.dropCaret = nil }

  // MARK: The drop

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    let caret = caret(session)
    var images: [Attachment] = []
    var texts: [(ItemProvider, String)] = []
    for item in session.items {
      let provider = item.itemProvider
      if provider.canLoadObject(of: ReceivedPicture.self) {
        let attachment = letter.makeAttachment(provider.suggestedName)
        attachment.isLanding = true
        if let size = provider.preferredPresentationSize { attachment.makeRoom(for: size) }
        places[ObjectIdentifier(item)] = attachment
        images.append(attachment)
        let load = provider.loadObject(of: ReceivedPicture.self) { [weak self] in
          self?.arrived(attachment, $0)
        }
        if case .coming = attachment.content { attachment.content = .coming(load) }
      } else if let type = provider.bestType(conformingTo: Self.texts) {
        texts.append((provider, type))
      }
    }
    // The room is there before the images are.
    if !images.isEmpty {
      letter.change("room") { draft in
        draft.place(at: caret)
        draft.insert(images: images.map(\.id))
      }
      if let box = images.last.flatMap({ letter.box(ofImage: $0.id) }) { letter.reveal(box) }
    } else {
      letter.change("placed") { $0.place(at: caret) }
    }
    load(texts, at: letter.draft.caret)
  }

  /// All the texts, in the items' order, when the last has come. They go where they were dropped, wherever the caret is
  /// by then.
  private func load(_ texts: [(ItemProvider, String)], at caret: Draft.Caret) {
    var pieces = [String?](repeating: nil, count: texts.count)
    var open = texts.count
    for (i, (provider, type)) in texts.enumerated() {
      provider.loadDataRepresentation(forType: type, limit: Draft.longest) { [weak letter] result in
        if case .success(let bytes) = result { pieces[i] = String(decoding: bytes, as: UTF8.self) }
        open -= 1
        guard open == 0, let letter else { return }
        let all = pieces.compactMap { $0 }.joined(separator: "\n")
        guard !all.isEmpty else { return letter.say("failed") }
        letter.change("text-dropped") { draft in
          draft.place(at: caret)
          draft.insert(words: all)
        }
        letter.reveal(letter.box(of: letter.draft.caret))
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

  // MARK: Landing

  /// Images grow, on their way, to the width that they have in the letter; text shrinks where it is let go of.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let attachment = places[ObjectIdentifier(item)], let box = letter.box(ofImage: attachment.id),
      letter.body.contains(box.center)
    else { return nil }
    let scale = mail.app.scale
    let drawing = Picture(units: box.width, box.height, scale: scale) { c in
      Attachment.drawRoom(on: c, in: Box(0, 0, box.width, box.height), now: mail.app.now)
    }
    guard let drawing, let image = drawing.preview() else { return nil }
    mail.report.say(
      "landing", ("name", .text(attachment.name ?? "")), ("width", .number(box.width)),
      ("height", .number(box.height.rounded())))
    let center = Point(x: (box.center.x - letter.body.x) * scale, y: (box.center.y - letter.body.y) * scale)
    return TargetedDragPreview(
      view: .image(image), target: DragPreviewTarget(container: body, center: center))
  }

  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {
    guard let attachment = places[ObjectIdentifier(item)] else { return }
    animator.addCompletion { [weak self] _ in
      attachment.isLanding = false
      self?.mail.window.redraw()
    }
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {
    for attachment in places.values { attachment.isLanding = false }
    places = [:]
    letter.say("concluded")
    mail.window.redraw()
  }
}
