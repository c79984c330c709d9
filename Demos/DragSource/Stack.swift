import Carry
import DemoKit

/// A stack of photos: it lifts as an item for each, with a preview for each, and taps add others to it.
final class Stack: Exhibit, DragInteractionDelegate {
  /// What an item keeps: which photo it is. A session that has it is not given it again.
  struct Mark: Equatable {
    let stack, photo: Int
  }

  private unowned let sheet: Sheet
  private let number: Int
  private let photos: [(picture: Picture, name: String)]
  private let spot: Spot
  /// Sessions that carry photos of it.
  private var carriers: Set<UInt32> = []
  private var opacity = Animation(1)
  private var small: (pictures: [Picture], width: Double)?

  var box: Box {
    get { spot.box }
    set { spot.box = newValue }
  }

  init(_ sheet: Sheet, number: Int, photos: [(Picture, String)]) {
    (self.sheet, self.number, self.photos) = (sheet, number, photos)
    spot = Spot(sheet)
  }

  private static let rest = 0.35

  // MARK: Looks

  /// A print's place: laid down by hand, the last one on top and straightest.
  private func print(_ i: Int) -> (center: Point, width: Double, height: Double, angle: Double) {
    let below = Double(photos.count - 1 - i)
    let side = min(box.width * 0.86, box.height * 0.86)
    let picture = photos[i].picture
    let k = side / Double(max(picture.width, picture.height))
    let turns = [0.02, -0.11, 0.10]
    let angle = turns[(photos.count - 1 - i) % turns.count] * (number % 2 == 0 ? 1 : -1)
    return (
      box.center + Point(x: below * 5 * (number % 2 == 0 ? 1 : -1), y: -below * 4), Double(picture.width) * k + 8,
      Double(picture.height) * k + 8, angle
    )
  }

  private func drawPrint(_ i: Int, on c: Canvas, at center: Point, hasShadow: Bool) {
    let (_, width, height, angle) = print(i)
    c.saved {
      c.translate(center.x, center.y)
      c.rotate(angle)
      let paper = Box(-width / 2, -height / 2, width, height)
      if hasShadow { c.shadow(paper, radius: 3, blur: 9, drop: 2.5, 0.26) }
      c.fill(paper, radius: 2, .white)
      c.draw(reduced(i, at: c.scale), filling: paper.inset(4))
      c.stroke(paper.inset(4), Color.black.faded(0.06))
    }
  }

  private func reduced(_ i: Int, at scale: Double) -> Picture {
    let width = box.width * scale
    if small?.width != width {
      small = (photos.map { $0.picture.reduced(toWidth: width) ?? $0.picture }, width)
    }
    return small?.pictures[i] ?? photos[i].picture
  }

  func draw(on c: Canvas, now: Double) {
    c.translucent(opacity.value(at: now)) {
      for i in photos.indices { drawPrint(i, on: c, at: print(i).center, hasShadow: true) }
    }
    let pill = Box(box.maxX - 26, box.maxY - 22, 24, 18)
    c.fill(pill, radius: 9, Color(0x4A463F, 0.82))
    c.draw("\(photos.count)", TextStyle(11.5, .semibold, color: .white), centeredIn: pill)
  }

  func isMoving(at now: Double) -> Bool { !opacity.isOver(at: now) }

  // MARK: Engine

  func connect(_ client: Client) { spot.connect(client, self) }

  // MARK: Items

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(except: [])
  }

  /// What is in the session already is not added again, unless that is asked for.
  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    items(except: sheet.allowsDoubles ? [] : session.items.compactMap { $0.localObject as? Mark })
  }

  /// With two hands at work, a tap adds to what was lifted last.
  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? { sessions.last }

  private func items(except there: [Mark]) -> [DragItem] {
    photos.indices.compactMap { i in
      let mark = Mark(stack: number, photo: i)
      guard !there.contains(mark) else { return nil }
      let item = DragItem(itemProvider: photos[i].picture.provider(name: photos[i].name))
      item.localObject = mark
      return item
    }
  }

  // MARK: Previews

  /// Each photo off its own place, turned as it lies. The lower ones are covered in the window: they are drawn anew.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let mark = item.localObject as? Mark, photos.indices.contains(mark.photo) else { return nil }
    let (center, width, height, angle) = print(mark.photo)
    let (cosine, sine) = (angle.cosine, angle.sine)
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, y in
      Point(
        x: (x * width * cosine - y * height * sine) / 2, y: (x * width * sine + y * height * cosine) / 2)
    }
    let (right, bottom) = (corners.map(\.x).max() ?? 1, corners.map(\.y).max() ?? 1)
    let scale = sheet.app.scale
    let picture = Picture(units: right * 2, bottom * 2, scale: scale) { c in
      drawPrint(mark.photo, on: c, at: Point(x: right, y: bottom), hasShadow: false)
    }
    guard let image = picture?.preview(), let target = spot.target(center) else { return nil }
    var parameters = DragPreviewParameters()
    parameters.backgroundColor = .clear
    var path = Path()
    for (i, corner) in corners.enumerated() {
      let p = (corner + Point(x: right, y: bottom)) * scale
      if i == 0 { path.move(to: p) } else { path.addLine(to: p) }
    }
    path.closeSubpath()
    parameters.visiblePath = path
    return TargetedDragPreview(view: .image(image), parameters: parameters, target: target)
  }

  // MARK: The session

  /// What lies below pales while the photos rise, and comes back if they sink again.
  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    say("lifting", session)
    carriers.insert(session.identifier)
    animator.addAnimations { [weak self] fraction in
      self?.opacity = Animation(1 + (Self.rest - 1) * fraction)
      self?.sheet.window.redraw()
    }
    animator.addCompletion { [weak self] position in
      guard position == .start else { return }
      self?.leave(session)
      self?.say("sank", session)
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    guard addingInteraction === interaction else { return }
    say("added", session)
    carriers.insert(session.identifier)
    fade(to: Self.rest)
    sheet.returning(session) { [weak self] in self?.leave(session) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    leave(session)
    sheet.ended(session, operation)
  }

  private func leave(_ session: DragSession) {
    carriers.remove(session.identifier)
    if carriers.isEmpty { fade(to: 1) }
  }

  private func fade(to value: Double) {
    opacity.go(to: value, at: sheet.app.now, over: 0.3)
    sheet.window.redraw()
  }

  private func say(_ event: String, _ session: DragSession) {
    sheet.report.say(event, ("stack", .number(Double(number))), ("items", .number(Double(session.items.count))))
  }
}
