import Carry
import DemoKit

/// The app: a field, and what it finds. Each result can be carried away.
final class Search: WindowContent, CellDragDelegate {
  private let app: App
  private let window: Window
  private let report: Report
  private(set) var cells: CellRegions?
  private var words: String
  private var documents: [Document] = []
  private var results: [Document] = []
  private var carried: Set<String> = []

  private static let head = 84.0
  private static let rowHeight = 62.0

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    words = options.operands.joined(separator: " ")
    window = Window(
      app.display, title: "Search", program: "carry-search", width: 460, height: 420,
      geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Self.icon(on: $0) })
    window.content = self
    Documents.prepare()
    documents = Documents.all().compactMap { Document($0) } + Document.bookmarks
    app.engine.onReady = { [unowned self] client in
      let cells = CellRegions(client: client, window: window.number, delegate: self) {
        [unowned self] region, _ in
        region.onTouchCancelled = { [unowned self] in window.touchCancelled($0) }
      }
      self.cells = cells
      cells.frames = frames
    }
    app.engine.tell(report, window)
    find()
    window.show()
    report.say("ready")
  }

  // MARK: Finding

  private func find() {
    let wanted = words.lowercased().split(separator: " ")
    results =
      wanted.isEmpty
      ? [] : documents.filter { document in wanted.allSatisfy { document.matches(String($0)) } }
    cells?.frames = frames
    report.say("found", ("results", .list(results.map(\.reference))))
    window.redraw()
  }

  private func row(_ i: Int) -> Box {
    Box(14, Self.head + Double(i) * Self.rowHeight, max(40, window.width - 28), Self.rowHeight - 6)
  }

  private var frames: [Rect] {
    results.indices.map {
      row($0).maxY <= window.height
        ? row($0).pixels(app.scale) : Rect(x: 0, y: 0, width: 0, height: 0)
    }
  }

  // MARK: Looks

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    c.fill(Box(0, 0, size.width, size.height), from: Color(0xF3F5F8), to: Color(0xE4E8EE))
    let field = Box(14, 14, size.width - 28, 52)
    c.shadow(field, radius: 14, blur: 14, drop: 3, 0.16)
    c.fill(field, radius: 14, .white)
    Self.drawGlass(on: c, at: Point(x: field.x + 27, y: field.center.y), radius: 8, Color(0x7A828E))
    let isEmpty = words.isEmpty
    let text = TextLayout(
      isEmpty ? "Search cards and pictures" : words,
      TextStyle(20, color: isEmpty ? Color(0xA9AFB8) : Color(0x22262B)),
      width: max(40, field.width - 70), isOneLine: true)
    c.draw(text, at: Point(x: field.x + 50, y: field.center.y - text.size.height / 2))
    let caret = isEmpty ? 0 : min(text.size.width, field.width - 70)
    c.fill(Box(field.x + (isEmpty ? 47 : 51) + caret, field.center.y - 13, 1.8, 26), radius: 1, .accent)
    for (i, result) in results.enumerated() where row(i).maxY <= size.height {
      c.translucent(carried.contains(result.reference) ? 0.35 : 1) {
        result.draw(on: c, in: row(i))
      }
    }
    if results.isEmpty {
      c.draw(
        isEmpty ? "Try “lake”, “ada”, “picture” or “pinboard”" : "Nothing is called so",
        TextStyle(14, color: Color(0x8A919B)),
        centeredIn: Box(0, Self.head, size.width, 60))
    }
    if !app.engine.isConnected { c.drawAbsence(in: Box(0, 0, size.width, size.height)) }
  }

  private static func drawGlass(on c: Canvas, at p: Point, radius: Double, _ color: Color) {
    c.circle(p, radius: radius)
    c.strokePath(color, width: radius * 0.28)
    c.move(p.x + radius * 0.75, p.y + radius * 0.75)
    c.line(p.x + radius * 1.45, p.y + radius * 1.45)
    c.strokePath(color, width: radius * 0.34)
  }

  private static func icon(on c: Canvas) {
    c.fill(Box(6, 8, 52, 48), radius: 12, from: Color(0xFFFFFF), to: Color(0xD8DEE6))
    drawGlass(on: c, at: Point(x: 29, y: 29), radius: 11, Color(0x4A5563))
  }

  // MARK: Keys

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    guard e.modifiers.isDisjoint(with: [.control, .alt]) else { return }
    switch e.key {
    case .text(let text) where words.utf8.count < 200: words += text
    case .backspace where !words.isEmpty: words.removeLast()
    case .escape: words = ""
    default: return
    }
    find()
  }

  func resized() { cells?.frames = frames }
  func closed() { app.stop() }

  // MARK: What is carried away

  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem] {
    guard results.indices.contains(index) else { return [] }
    let item = DragItem(itemProvider: results[index].provider())
    item.localObject = results[index].reference
    return [item]
  }

  /// The whole row rises; what is carried on is the document alone.
  private func showDocuments(of session: DragSession) {
    for item in session.items {
      guard let result = results.first(where: { $0.reference == item.localObject as? String }) else { continue }
      let scale = app.scale
      item.previewProvider = {
        guard let drawing = result.carried(scale: scale), let image = drawing.preview() else { return nil }
        let parameters = DragPreviewParameters(
          width: drawing.width, height: drawing.height, cornerRadius: 10 * scale)
        return DragPreview(view: .image(image), parameters: parameters)
      }
    }
  }

  func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
    let frame = cells.frames[index]
    return DragPreviewParameters(
      width: frame.width, height: frame.height, cornerRadius: 12 * app.scale)
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    note(session)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) { note(session) }

  private func note(_ session: DragSession) {
    showDocuments(of: session)
    carried.formUnion(session.items.compactMap { $0.localObject as? String })
    report.say("carried", ("results", .list(carried.sorted())))
    window.redraw()
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    carried.subtract(session.items.compactMap { $0.localObject as? String })
    window.redraw()
  }
}
