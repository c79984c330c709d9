import Carry
import DemoKit

/// A photo that knows where it was taken: it is carried as a platter of both, and dropped as either.
final class LocatedPhoto: Exhibit, DragInteractionDelegate {
  private unowned let sheet: Sheet
  private let spot: Spot
  private let picture: Picture
  private var opacity = Animation(1)

  private static let title = "Lake Bled"
  private static let latitude = "46.3639"
  private static let longitude = "14.0938"

  var box: Box {
    get { spot.box }
    set { spot.box = newValue }
  }

  init?(_ sheet: Sheet) {
    self.sheet = sheet
    spot = Spot(sheet)
    guard let picture = Samples.all[1].picture() else { return nil }
    self.picture = picture
  }

  /// As high as the picture beside it.
  private var frame: Box {
    let height = min(box.height, box.width * 640 / 840)
    return Box(center: box.center, width: box.width, height: height)
  }

  func draw(on c: Canvas, now: Double) {
    c.shadow(frame, radius: 10, blur: 12, drop: 3, 0.2)
    c.fill(frame, radius: 10, .white)
    c.translucent(opacity.value(at: now)) {
      c.draw(picture, filling: frame, radius: 10)
      let label = TextLayout(Self.title, TextStyle(12, .semibold, color: .white))
      let pill = Box(frame.x + 10, frame.maxY - 34, label.size.width + 34, 24)
      c.fill(pill, radius: 12, Color(0x1D2B33, 0.62))
      Self.drawPin(on: c, at: Point(x: pill.x + 14, y: pill.center.y), size: 12)
      c.draw(label, at: Point(x: pill.x + 25, y: pill.center.y - label.size.height / 2))
    }
  }

  /// A map's pin with its tip below the middle.
  private static func drawPin(on c: Canvas, at p: Point, size: Double) {
    let r = size * 0.4
    c.circle(Point(x: p.x, y: p.y - size * 0.12), radius: r)
    c.fillPath(Color(0xEE5A4A))
    c.move(p.x - r * 0.86, p.y + size * 0.06)
    c.line(p.x + r * 0.86, p.y + size * 0.06)
    c.line(p.x, p.y + size * 0.62)
    c.fillPath(Color(0xEE5A4A))
    c.circle(Point(x: p.x, y: p.y - size * 0.12), radius: r * 0.42)
    c.fillPath(.white)
  }

  func isMoving(at now: Double) -> Bool { !opacity.isOver(at: now) }

  func connect(_ client: Client) { spot.connect(client, self) }

  // MARK: Dragging

  /// The photo comes first: who can take both takes that.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    let provider = picture.provider(name: "The lake.png")
    let json =
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(Self.longitude),\(Self.latitude)]},"
      + "\"properties\":{\"name\":\"\(Self.title)\"}}"
    let link = "geo:\(Self.latitude),\(Self.longitude)"
    for (type, text) in [
      ("application/geo+json", json), ("text/uri-list", link + "\r\n"), ("text/plain", "\(Self.title)\n\(link)"),
    ] { provider.registerDataRepresentation(forType: type) { $0(.success(Array(text.utf8))) } }
    return [DragItem(itemProvider: provider)]
  }

  /// The photo alone, live; it pales when it has risen.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    let scale = sheet.app.scale
    let rect = frame.pixels(scale)
    let parameters = DragPreviewParameters(width: rect.width, height: rect.height, cornerRadius: 10 * scale)
    return TargetedDragPreview(window: sheet.window.number, rect: rect, parameters: parameters)
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) { if position == .end { fade(to: 0.4) } }

  /// It moves: from here on it is a platter. Nobody sees that before the first move.
  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    sheet.report.say("location-begins")
    session.items.first?.previewProvider = { [weak self] in self?.platter() }
  }

  private func platter() -> DragPreview? {
    let (width, height) = (268.0, 84.0)
    let scale = sheet.app.scale
    let drawing = Picture(units: width, height, scale: scale) { c in
      c.fill(Box(0, 0, width, height), from: .white, to: Color(0xF4F2EE))
      c.draw(picture, filling: Box(10, 10, 84, height - 20), radius: 8)
      Self.drawPin(on: c, at: Point(x: 112, y: 25), size: 15)
      c.draw(TextLayout(Self.title, TextStyle(15, .semibold)), at: Point(x: 124, y: 13))
      c.draw(
        TextLayout("\(Self.latitude)° N, \(Self.longitude)° E", TextStyle(11.5, color: Color(0x6F6A61))),
        at: Point(x: 106, y: 37))
      c.draw(TextLayout("Photo and place", TextStyle(11.5, color: Color(0x9A9488))), at: Point(x: 106, y: 55))
    }
    guard let drawing, let image = drawing.preview() else { return nil }
    sheet.report.say("platter")
    let parameters = DragPreviewParameters(width: drawing.width, height: drawing.height, cornerRadius: 14 * scale)
    return DragPreview(view: .image(image), parameters: parameters)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    fade(to: 1)
    sheet.ended(session, operation)
  }

  private func fade(to value: Double) {
    opacity.go(to: value, at: sheet.app.now, over: 0.25)
    sheet.window.redraw()
  }
}
