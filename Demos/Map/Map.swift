import Carry
import DemoKit

/// The app: a map, and pins for what was dropped.
final class Map: WindowContent {
  /// A pin, and its way down to its place.
  private struct Pin {
    let place: Place
    var fall: Animation
  }

  private let app: App
  private let window: Window
  private let report: Report
  private var region: Region?
  private var pins: [Pin] = []
  private lazy var hover = Hover(window)
  private var isWaiting = false
  private var message: String?
  private var paper: Picture?

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Map", program: "carry-map", width: 600, height: 520, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Self.icon(on: $0) })
    window.content = self
    app.engine.onReady = { [unowned self] in connect($0) }
    app.engine.tell(report, window)
    window.show()
    report.say("ready")
  }

  private var all: Box { Box(0, 0, window.width, window.height) }

  // MARK: Looks

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let now = app.now
    let wanted = (Int((size.width * c.scale).rounded()), Int((size.height * c.scale).rounded()))
    if paper.map({ ($0.width, $0.height) == wanted }) != true {
      paper = Picture(units: size.width, size.height, scale: c.scale) {
        Landscape.draw(on: $0, in: all)
      }
    }
    if let paper { c.draw(paper, filling: all) }
    for pin in pins { draw(pin, on: c, now: now) }
    if isWaiting {
      c.spinner(at: Point(x: size.width - 32, y: 32), radius: 10, now: now, Color(0x3A4A52))
    }
    if let message { card(message, nil, above: Point(x: all.center.x, y: size.height - 18), on: c) }
    if hover.isAbove { c.stroke(all.inset(3), radius: 6, .accent, width: 4) }
    if !app.engine.isConnected { c.drawAbsence(in: all) }
    if isWaiting || pins.contains(where: { !$0.fall.isOver(at: now) }) { window.animate() }
  }

  private func draw(_ pin: Pin, on c: Canvas, now: Double) {
    let tip = Landscape.point(of: pin.place, in: all)
    let t = pin.fall.value(at: now)
    // Its shadow gathers below it as it comes down.
    c.saved {
      c.translate(tip.x, tip.y)
      c.fillRadial(
        Point(x: 0, y: 0), radius: 9 + 10 * t, from: Color.black.faded(0.42 * (1 - 0.7 * t)),
        to: Color.black.faded(0))
    }
    Self.drawPin(on: c, tip: Point(x: tip.x, y: tip.y - 150 * t), size: 46)
    guard pin.fall.isOver(at: now) else { return }
    let degrees = "\(Self.rounded(pin.place.latitude))°, \(Self.rounded(pin.place.longitude))°"
    card(
      pin.place.name ?? degrees, pin.place.name == nil ? nil : degrees,
      above: Point(x: tip.x, y: tip.y - 56), on: c)
  }

  private static func rounded(_ v: Double) -> Double { (v * 10_000).rounded() / 10_000 }

  /// A label of one or two lines that ends above a point, and stays in the window.
  private func card(_ title: String, _ detail: String?, above p: Point, on c: Canvas) {
    let first = TextLayout(
      title, TextStyle(13.5, .semibold), width: max(60, min(240, all.width - 60)), isOneLine: true)
    let second = detail.map { TextLayout($0, TextStyle(11, color: Color(0x6F7A80))) }
    let width = max(first.size.width, second?.size.width ?? 0) + 26
    let height = first.size.height + (second.map { $0.size.height + 1 } ?? 0) + 14
    var box = Box(p.x - width / 2, p.y - height, width, height)
    box.x = max(8, min(all.maxX - width - 8, box.x))
    box.y = max(8, min(all.maxY - height - 8, box.y))
    c.shadow(box, radius: 10, blur: 12, drop: 3, 0.25)
    c.fill(box, radius: 10, .white)
    c.draw(first, at: Point(x: box.center.x - first.size.width / 2, y: box.y + 7))
    if let second {
      c.draw(
        second, at: Point(x: box.center.x - second.size.width / 2, y: box.y + 8 + first.size.height)
      )
    }
  }

  static func drawPin(on c: Canvas, tip: Point, size: Double) {
    let r = size * 0.32
    let head = Point(x: tip.x, y: tip.y - size + r)
    c.move(tip.x, tip.y)
    c.curve(
      Point(x: tip.x - r * 0.25, y: tip.y - size * 0.3), Point(x: head.x - r, y: head.y + r * 0.9),
      Point(x: head.x - r, y: head.y))
    c.curve(
      Point(x: head.x - r, y: head.y - r * 1.33), Point(x: head.x + r, y: head.y - r * 1.33),
      Point(x: head.x + r, y: head.y))
    c.curve(
      Point(x: head.x + r, y: head.y + r * 0.9), Point(x: tip.x + r * 0.25, y: tip.y - size * 0.3),
      Point(x: tip.x, y: tip.y))
    c.fillPath(Color(0xE4483A))
    c.circle(head, radius: r * 0.42)
    c.fillPath(.white)
  }

  private static func icon(on c: Canvas) {
    c.saved {
      c.clip(Box(6, 8, 52, 48), radius: 12)
      Landscape.draw(on: c, in: Box(6, 8, 52, 48))
    }
    drawPin(on: c, tip: Point(x: 32, y: 48), size: 34)
  }

  // MARK: Keys

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    guard e.key == .backspace, !pins.isEmpty else { return }
    pins.removeLast()
    window.redraw()
  }

  func resized() { region?.frame = all.pixels(app.scale) }
  func closed() { app.stop() }

  // MARK: What is dropped

  /// The map takes what knows a place, and nothing else.
  private func connect(_ client: Client) {
    let region = Region(client: client, window: window.number, frame: all.pixels(app.scale))
    region.label = "Map"
    let drops = DropInteraction(delegate: self)
    drops.acceptedTypes = Place.readableTypesForItemProvider
    region.addInteraction(drops)
    self.region = region
  }

  private func arrived(_ result: Result<Place, LoadError>) {
    isWaiting = false
    switch result {
    case .success(let place):
      var fall = Animation(1)
      fall.go(to: 0, at: app.now, over: 0.45)
      pins.append(Pin(place: place, fall: fall))
      report.say(
        "pinned", ("latitude", .number(place.latitude)), ("longitude", .number(place.longitude)),
        ("name", .text(place.name ?? "")))
    case .failure(let error):
      message = error.description
      report.say("failed", ("why", .text(error.description)))
    }
    window.redraw()
  }
}

extension Map: DropInteractionDelegate {
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.canLoadObjects(of: Place.self)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession)
    -> DropProposal
  {
    hover.show(above: true)
    return DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    hover.show(above: false)
  }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {
    hover.show(above: false)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    hover.show(above: false)
    message = nil
    isWaiting = true
    for item in session.items where item.itemProvider.canLoadObject(of: Place.self) {
      item.itemProvider.loadObject(of: Place.self) { [weak self] in self?.arrived($0) }
    }
  }

  /// Nobody knows yet where the pin will be: what was carried shrinks where it was let go of.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem,
    withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { nil }
}
