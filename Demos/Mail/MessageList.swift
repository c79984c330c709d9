import Carry
import DemoKit

/// The messages that have come. A press lifts a row's, taps add others'; a thread lifts as the messages it is made of.
final class MessageList: CellDragDelegate {
  /// What an item keeps: which message it is.
  struct Mark: Equatable {
    let row, message: Int
  }

  private unowned let mail: Mail
  private let rows = Message.rows
  private(set) var cells: CellRegions?
  private var opacities: [Animation]
  private var selection = 0
  /// Rows of each session that runs, and whether it has left the list.
  private var carried: [UInt32: (rows: Set<Int>, isOutside: Bool)] = [:]

  private static let head = 58.0
  private static let height = 82.0

  var box = Box(0, 0, 0, 0) {
    didSet { cells?.frames = frames }
  }

  init(_ mail: Mail) {
    self.mail = mail
    opacities = rows.map { _ in Animation(1) }
  }

  private func row(_ i: Int) -> Box {
    Box(box.x, box.y + Self.head + Double(i) * Self.height, box.width, Self.height)
  }

  private var frames: [Rect] { rows.indices.map { row($0).inset(3).pixels(mail.app.scale) } }

  // MARK: Looks

  func draw(on c: Canvas, now: Double) {
    c.fill(box, from: Color(0xF8F6F2), to: Color(0xF1EEE8))
    c.draw(TextLayout("Inbox", TextStyle(20, .semibold)), at: Point(x: box.x + 18, y: box.y + 17))
    for (i, messages) in rows.enumerated() {
      let b = row(i)
      if i == selection { c.fill(Box(b.x + 8, b.y + 3, b.width - 16, b.height - 6), radius: 10, Color(0xDFE9F5)) }
      c.translucent(opacities[i].value(at: now)) { Looks.row(messages, on: c, in: b) }
      if i != selection, i + 1 != selection { c.fill(Box(b.x + 68, b.maxY - 0.5, b.width - 68, 1), Color(0xE2DED6)) }
    }
    c.fill(Box(box.maxX - 1, box.y, 1, box.height), Color(0xDDD8CE))
  }

  func isMoving(at now: Double) -> Bool { opacities.contains { !$0.isOver(at: now) } }

  func pointer(_ e: PointerEvent) {
    guard e.phase == .began else { return }
    if let i = rows.indices.first(where: { row($0).contains(e.place) }) { selection = i }
  }

  // MARK: Engine

  func connect(_ client: Client) {
    cells = CellRegions(client: client, window: mail.window.number, delegate: self) { [unowned mail, rows] region, i in
      region.label = rows[i].last?.subject ?? ""
      region.onTouchCancelled = { [unowned mail] in mail.window.touchCancelled($0) }
    }
    cells?.frames = frames
  }

  // MARK: Items

  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem] {
    rows[index].enumerated().map { k, message in
      let item = DragItem(itemProvider: message.provider())
      item.localObject = Mark(row: index, message: k)
      return item
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? { sessions.last }

  // MARK: Previews

  /// A row is its own preview, live. The messages of a thread are strips, a little apart, the newest on top.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let mark = item.localObject as? Mark, let cells, let place = cells.target(at: mark.row) else { return nil }
    guard rows[mark.row].count > 1 else { return cells.preview(at: mark.row) }
    guard let (image, parameters) = strip(mark) else { return nil }
    let apart = Double(mark.message) - Double(rows[mark.row].count - 1) / 2
    let center = place.center + Point(x: 0, y: apart * 13 * mail.app.scale)
    return TargetedDragPreview(
      view: .image(image), parameters: parameters,
      target: DragPreviewTarget(container: place.container, center: center))
  }

  func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
    rounded(cells.frames[index].width, cells.frames[index].height)
  }

  private func rounded(_ width: Int, _ height: Int) -> DragPreviewParameters {
    DragPreviewParameters(width: width, height: height, cornerRadius: 11 * mail.app.scale)
  }

  private func drawing(
    _ width: Double, _ height: Double, _ draw: (Canvas, Box) -> Void
  ) -> (PreviewImage, DragPreviewParameters)? {
    let picture = Picture(units: width, height, scale: mail.app.scale) { draw($0, Box(0, 0, width, height)) }
    guard let picture, let image = picture.preview() else { return nil }
    return (image, rounded(picture.width, picture.height))
  }

  private func message(_ mark: Mark) -> Message { rows[mark.row][mark.message] }

  private func strip(_ mark: Mark) -> (PreviewImage, DragPreviewParameters)? {
    drawing(box.width - 24, 58) { Looks.strip(message(mark), on: $0, in: $1) }
  }

  private func card(_ mark: Mark) -> (PreviewImage, DragPreviewParameters)? {
    drawing(196, 138) { Looks.card(message(mark), on: $0, in: $1) }
  }

  // MARK: The session

  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    hold(session)
    say("lifting", session)
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) { if position == .end { pale(session) } else { restore(session) } }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    // Every interaction that has contributed hears of it; one answer is enough.
    guard addingInteraction === interaction else { return }
    hold(session)
    say("added", session)
    if carried[session.identifier]?.isOutside == true { offer(items, asCards: true) }
    pale(session)
  }

  /// What leaves the list becomes a letter, and a strip again when it comes back.
  func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession) {
    guard let first = cells?.region(at: 0), let held = carried[session.identifier] else { return }
    let place = session.location(in: first) * (1 / mail.app.scale) + Point(x: row(0).x + 3, y: row(0).y + 3)
    let isOutside = !box.contains(place)
    guard isOutside != held.isOutside else { return }
    carried[session.identifier]?.isOutside = isOutside
    mail.report.say(isOutside ? "left-list" : "back-in-list")
    offer(session.items, asCards: isOutside)
  }

  /// Only what can be seen is drawn: the provider is called when it is time.
  private func offer(_ items: [DragItem], asCards: Bool) {
    for item in items {
      guard let mark = item.localObject as? Mark else { continue }
      item.previewProvider = { [weak self] in
        guard let self, let (image, parameters) = asCards ? card(mark) : strip(mark) else { return nil }
        mail.report.say(asCards ? "card" : "strip", ("subject", .text(message(mark).subject)))
        return DragPreview(view: .image(image), parameters: parameters)
      }
    }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    restore(session)
    say(operation == .cancel ? "drag-cancelled" : "dropped", session)
  }

  private func hold(_ session: DragSession) {
    carried[session.identifier, default: ([], false)].rows = Set(
      session.items.compactMap { ($0.localObject as? Mark)?.row })
  }

  private func pale(_ session: DragSession) {
    for i in carried[session.identifier]?.rows ?? [] { opacities[i].go(to: 0.35, at: mail.app.now, over: 0.2) }
    mail.window.redraw()
  }

  private func restore(_ session: DragSession) {
    for i in carried.removeValue(forKey: session.identifier)?.rows ?? [] {
      opacities[i].go(to: 1, at: mail.app.now, over: 0.2)
    }
    mail.window.redraw()
  }

  private func say(_ event: String, _ session: DragSession) {
    let subjects = session.items.compactMap { $0.localObject as? Mark }.map { message($0).subject }
    mail.report.say(event, ("messages", .list(subjects)))
  }
}
