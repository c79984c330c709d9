import Carry
import DemoKit

/// The app: one drawing, which lifts as a whole and takes another in its place.
final class Easel: WindowContent, DragInteractionDelegate, DropInteractionDelegate {
  private let app: App
  private let window: Window
  private let report: Report
  private var region: Region?
  private var drawing = Drawing.lighthouse
  private lazy var hover = Hover(window)

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Drawing", program: "carry-drawing", width: 480, height: 460, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { c in
        c.clip(Box(6, 8, 52, 48), radius: 12)
        c.translate(-21, 3)
        c.scale(0.2)
        Drawing.lighthouse.draw(on: c)
      })
    window.content = self
    app.engine.onReady = { [unowned self] client in
      let region = Region(client: client, window: window.number, frame: sheet.pixels(app.scale))
      region.label = "Drawing"
      region.onTouchCancelled = { [unowned self] in window.touchCancelled($0) }
      let drops = DropInteraction(delegate: self)
      drops.acceptedTypes = Drawing.readableTypesForItemProvider
      region.addInteraction(DragInteraction(delegate: self))
      region.addInteraction(drops)
      self.region = region
    }
    app.engine.onConnected = { [unowned self] in changed("connected") }
    app.engine.onLost = { [unowned self] in changed("disconnected") }
    window.show()
    report.say("ready")
  }

  private func changed(_ event: String) {
    report.say(event)
    window.redraw()
  }

  /// The drawing's paper.
  private var sheet: Box {
    let room = Box(28, 28, max(60, window.width - 56), max(60, window.height - 106))
    let k = min(room.width / Drawing.width, room.height / Drawing.height)
    return Box(center: room.center, width: Drawing.width * k, height: Drawing.height * k)
  }

  // MARK: Looks

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    c.fill(all, from: Color(0xF3F1EC), to: Color(0xE3DFD6))
    c.shadow(sheet, radius: 4, blur: 18, drop: 5, 0.28)
    c.saved {
      c.clip(sheet, radius: 4)
      c.translate(sheet.x, sheet.y)
      c.scale(sheet.width / Drawing.width)
      drawing.draw(on: c)
    }
    if hover.isAbove { c.stroke(sheet.inset(-5), radius: 8, .accent, width: 3) }
    var x = sheet.x
    for word in ["Drawing", "PDF", "PNG", "JPEG"] {
      let text = TextLayout(word, TextStyle(12, .medium, color: Color(0x5E584D)))
      let pill = Box(x, sheet.maxY + 20, text.size.width + 22, 26)
      c.fill(pill, radius: 13, Color.white.faded(0.8))
      c.draw(text, at: Point(x: pill.x + 11, y: pill.center.y - text.size.height / 2))
      x = pill.maxX + 8
    }
    if !app.engine.isConnected { c.drawAbsence(in: all) }
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    guard e.key == .text("c") else { return }
    drawing = drawing.recolored
    changed("recolored")
  }

  func resized() { region?.frame = sheet.pixels(app.scale) }
  func closed() { app.stop() }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    let provider = ItemProvider(object: drawing)
    provider.suggestedName = "Lighthouse"
    provider.preferredPresentationSize = (Int(Drawing.width), Int(Drawing.height))
    return [DragItem(itemProvider: provider)]
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) { report.say("ended", ("operation", .number(Double(operation.rawValue)))) }

  // MARK: Dropping

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.localDragSession == nil && session.canLoadObjects(of: Drawing.self)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    hover.show(above: true)
    return DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { hover.show(above: false) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { hover.show(above: false) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    hover.show(above: false)
    session.items.first?.itemProvider.loadObject(of: Drawing.self) { [weak self] result in
      guard let self else { return }
      guard case .success(let drawing) = result else { return changed("failed") }
      self.drawing = drawing
      report.say("shown", ("areas", .number(Double(drawing.areas.count))))
      window.redraw()
    }
  }
}
