import Carry
import DemoKit

/// A picture that belongs to a customer: a document, which lifts from its row, and which other apps may open in place.
final class Attachment: DragInteractionDelegate {
  let customer: String
  private let reference: String
  private let path: String
  private unowned let owner: Customers
  private(set) var picture: Picture?
  private var watch: FileWatch?
  private var region: Region?
  private var opacity = Animation(1)
  /// When the picture has changed last: a rim shows that for a while.
  private var news = Animation(0)

  init?(_ owner: Customers, _ reference: String, of customer: String) {
    guard let path = Documents.path(reference) else { return nil }
    (self.owner, self.reference, self.path, self.customer) = (owner, reference, path, customer)
    load()
  }

  private var name: String { reference.split(separator: "/").last.map(String.init) ?? "" }

  /// Where it is in its row.
  static func box(in row: Box) -> Box { Box(row.maxX - 92, row.y + 11, 70, row.height - 22) }

  var box = Box(0, 0, 0, 0) {
    didSet {
      region?.frame = box.pixels(owner.app.scale)
      region?.raise()
    }
  }

  // MARK: Looks

  func draw(on c: Canvas, now: Double) {
    c.shadow(box, radius: 7, blur: 7, drop: 1.5, 0.16)
    c.fill(box, radius: 7, Color(0xE8E4DC))
    c.translucent(opacity.value(at: now)) {
      if let picture { c.draw(picture, filling: box, radius: 7) }
    }
    c.stroke(box.inset(-2.5), radius: 9.5, Color.accent.faded(news.value(at: now)), width: 2)
  }

  func isMoving(at now: Double) -> Bool { !opacity.isOver(at: now) || !news.isOver(at: now) }

  // MARK: The file

  /// - Returns: false where the picture cannot be read, such as while another app writes it.
  @discardableResult private func load() -> Bool {
    guard let bytes = try? FileCoordination.read(path, within: 0, { Program.read($0, limit: 64 << 20) }),
      let decoded = Picture.decode(bytes)?.picture.reduced(toWidth: 240)
    else { return false }
    picture = decoded
    return true
  }

  /// Another app has changed the file, or put another one in its place.
  ///
  /// - Parameter tries: how often to try again while the other app still has it.
  private func changed(tries: Int = 40) {
    guard load() else {
      if tries > 0 { owner.app.after(0.05) { [weak self] in self?.changed(tries: tries - 1) } }
      return
    }
    news = Animation(1)
    news.go(to: 0, at: owner.app.now, over: 2.5)
    owner.report.say(
      "attachment-changed", ("customer", .text(customer)), ("width", .number(Double(picture?.width ?? 0))),
      ("height", .number(Double(picture?.height ?? 0))))
    owner.window.redraw()
  }

  // MARK: Engine

  func connect(_ client: Client) {
    let region = Region(client: client, window: owner.window.number, frame: box.pixels(owner.app.scale))
    region.onTouchCancelled = { [unowned owner] in owner.window.touchCancelled($0) }
    region.addInteraction(DragInteraction(delegate: self))
    self.region = region
    watch = try? FileWatch(path, client: client) { [weak self] change in
      if change != .removed { self?.changed() }
    }
  }

  /// The file itself, for all who can open JPEG files. The file provider serves it, if the system knows one.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    let provider = ItemProvider()
    provider.suggestedName = name
    provider.fileProviderReference = reference
    let path = path
    provider.registerFileRepresentation(forType: "image/jpeg", fileOptions: .openInPlace) { $0(.success(path)) }
    return [DragItem(itemProvider: provider)]
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    let rect = box.pixels(owner.app.scale)
    let parameters = DragPreviewParameters(
      width: rect.width, height: rect.height, cornerRadius: 7 * owner.app.scale)
    return TargetedDragPreview(window: owner.window.number, rect: rect, parameters: parameters)
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) { fade(to: 0.35) }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    fade(to: 1)
    owner.report.say("attachment-carried-away", ("operation", .number(Double(operation.rawValue))))
  }

  private func fade(to value: Double) {
    opacity.go(to: value, at: owner.app.now, over: 0.2)
    owner.window.redraw()
  }
}
