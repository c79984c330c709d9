import Carry
import DemoKit

/// A picture with two codes on it: pressing it lifts both, each as it is and from where it is, and the picture pales.
final class CodePicture: Exhibit, DragInteractionDelegate {
  private unowned let sheet: Sheet
  private let spot: Spot
  private let picture: Picture
  private let codes: [Code]
  private var opacity = Animation(1)
  private var carrier: UInt32?

  /// The picture's own pixels.
  private static let size = (width: 840.0, height: 640.0)

  var box: Box {
    get { spot.box }
    set { spot.box = newValue }
  }

  init?(_ sheet: Sheet) {
    self.sheet = sheet
    spot = Spot(sheet)
    let (w, h) = Self.size
    let codes = [
      Code(name: "Left code.png", seed: 11, box: Box(0.08 * w, 0.13 * h, 270, 270)),
      Code(name: "Right code.png", seed: 29, box: Box(0.92 * w - 240, 0.87 * h - 240, 240, 240)),
    ]
    self.codes = codes
    guard let picture = Picture(width: Int(w), height: Int(h), { Code.drawWall(codes, on: $0, w, h) }) else {
      return nil
    }
    self.picture = picture
  }

  /// The picture's place: all of it, as large as it fits.
  private var frame: Box {
    let k = min(box.width / Self.size.width, box.height / Self.size.height)
    return Box(center: box.center, width: Self.size.width * k, height: Self.size.height * k)
  }

  private func place(of code: Code) -> Box {
    let k = frame.width / Self.size.width
    return Box(frame.x + code.box.x * k, frame.y + code.box.y * k, code.box.width * k, code.box.height * k)
  }

  func draw(on c: Canvas, now: Double) {
    c.shadow(frame, radius: 10, blur: 12, drop: 3, 0.2)
    c.fill(frame, radius: 10, .white)
    c.translucent(opacity.value(at: now)) { c.draw(picture, filling: frame, radius: 10) }
  }

  func isMoving(at now: Double) -> Bool { !opacity.isOver(at: now) }

  func connect(_ client: Client) { spot.connect(client, self) }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    // One hand is enough: the picture pales for one session at a time.
    guard carrier == nil else { return [] }
    return codes.compactMap { code in
      guard let part = picture.part(code.box, radius: Code.radius) else { return nil }
      let item = DragItem(itemProvider: part.provider(name: code.name))
      item.localObject = code
      return item
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? { preview(of: item) }

  /// Back to where it was cut out.
  func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { preview(of: item) }

  /// The code alone, with round corners. It is a picture of its own, and not a part of the window: so it stays as it is
  /// while the window's pales.
  private func preview(of item: DragItem) -> TargetedDragPreview? {
    guard let code = item.localObject as? Code else { return nil }
    let place = place(of: code)
    let scale = sheet.app.scale
    let cut = Picture(units: place.width, place.height, scale: scale) { c in
      c.draw(picture, filling: frame.moved(-place.x, -place.y))
    }
    guard let cut, let image = cut.preview(), let target = spot.target(place.center) else { return nil }
    let parameters = DragPreviewParameters(
      width: cut.width, height: cut.height, cornerRadius: Code.radius * frame.width / Self.size.width * scale)
    return TargetedDragPreview(view: .image(image), parameters: parameters, target: target)
  }

  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    carrier = session.identifier
    sheet.report.say("codes-lifting", ("items", .number(Double(session.items.count))))
    animator.addAnimations { [weak self] in self?.pale($0) }
    animator.addCompletion { [weak self] position in
      if position == .start { self?.restore() }
      self?.sheet.report.say("codes-lifted", ("at", .text(position == .end ? "end" : "start")))
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
  ) {
    animator.addAnimations { [weak self] in self?.pale(1 - $0) }
    animator.addCompletion { [weak self] _ in
      self?.sheet.report.say("code-home", ("name", .text((item.localObject as? Code)?.name ?? "")))
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    restore()
    sheet.ended(session, operation)
  }

  private func pale(_ fraction: Double) {
    opacity = Animation(1 - 0.5 * fraction)
    sheet.window.redraw()
  }

  private func restore() {
    carrier = nil
    opacity.go(to: 1, at: sheet.app.now, over: 0.25)
    sheet.window.redraw()
  }
}
