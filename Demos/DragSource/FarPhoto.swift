import Carry
import DemoKit

/// An image on a server far away, or so it seems: what is asked of it comes slowly, bit by bit, or not to the end.
final class FarPhoto: Exhibit, DragInteractionDelegate {
  enum Way {
    /// After so many seconds it is there.
    case arrives(Double)
    /// After so many seconds the server hangs up.
    case breaksOff(Double)
  }

  /// What the server says when it hangs up.
  private struct HungUp: Error {}

  private unowned let sheet: Sheet
  private let spot: Spot
  private let picture: Picture
  private let name: String
  private let way: Way
  private var small: (picture: Picture, width: Double)?

  var box: Box {
    get { spot.box }
    set { spot.box = newValue }
  }

  init?(_ sheet: Sheet, _ sample: Samples.Sample, _ way: Way) {
    guard let picture = sample.picture() else { return nil }
    (self.sheet, self.picture, self.way) = (sheet, picture, way)
    name = "Far " + sample.name.lowercased()
    spot = Spot(sheet)
  }

  private var caption: String {
    switch way {
    case .arrives(let seconds): "\(Self.text(seconds)) s"
    case .breaksOff: "breaks off"
    }
  }

  private static func text(_ v: Double) -> String { v == v.rounded() ? String(Int(v)) : String(v) }

  func draw(on c: Canvas, now: Double) {
    c.shadow(box, radius: 10, blur: 12, drop: 3, 0.2)
    if small?.width != box.width * c.scale {
      small = picture.reduced(toWidth: box.width * c.scale * 1.2).map { ($0, box.width * c.scale) }
    }
    c.draw(small?.picture ?? picture, filling: box, radius: 10)
    let label = TextLayout(caption, TextStyle(11.5, .semibold, color: .white))
    let pill = Box(box.x + 8, box.maxY - 30, label.size.width + 38, 22)
    c.fill(pill, radius: 11, Color(0x1D2B33, 0.62))
    // A cloud.
    let p = Point(x: pill.x + 17, y: pill.center.y + 1)
    for (dx, dy, r) in [(-5.0, 1.5, 3.2), (0, -1, 4.6), (5.5, 1.2, 3.5)] {
      c.circle(Point(x: p.x + dx, y: p.y + dy), radius: r)
      c.fillPath(.white)
    }
    c.fill(Box(p.x - 5, p.y + 1, 11, 3.7), radius: 1.5, .white)
    c.draw(label, at: Point(x: pill.x + 29, y: pill.center.y - label.size.height / 2))
  }

  func isMoving(at now: Double) -> Bool { false }
  func connect(_ client: Client) { spot.connect(client, self) }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    [item()]
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    // Once is enough for a server like this.
    session.items.contains { $0.localObject as? String == name } ? [] : [item()]
  }

  private func item() -> DragItem {
    let provider = ItemProvider()
    provider.suggestedName = name
    let bytes = picture.png()
    let (seconds, share) =
      switch way {
      case .arrives(let s): (s, 1.0)
      case .breaksOff(let s): (s, 0.6)
      }
    // So that all who wait can see how far it is.
    provider.setByteCount(bytes.count, forType: "image/png")
    // On a thread of its own: nobody waits for it but who wants the image.
    provider.registerStreamRepresentation(forType: "image/png") { writer in
      // The server thinks about it, and then sends.
      let pieces = 40
      Program.pause(seconds * 0.25)
      let end = Int(Double(bytes.count) * share)
      for i in 0..<pieces {
        try writer.write(Array(bytes[end * i / pieces..<end * (i + 1) / pieces]))
        Program.pause(seconds * 0.75 / Double(pieces))
      }
      if end < bytes.count { throw HungUp() }
    }
    let item = DragItem(itemProvider: provider)
    item.localObject = name
    return item
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    let scale = sheet.app.scale
    let rect = box.pixels(scale)
    let parameters = DragPreviewParameters(width: rect.width, height: rect.height, cornerRadius: 10 * scale)
    return TargetedDragPreview(window: sheet.window.number, rect: rect, parameters: parameters)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) { sheet.ended(session, operation) }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    sheet.report.say("transferred", ("representations", .number(Double(session.deliveredRepresentations))))
  }
}
