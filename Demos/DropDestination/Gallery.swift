import Carry
import DemoKit

/// The app: images that were dropped, in rows, and a bin.
final class Gallery: WindowContent {
  let app: App
  let window: Window
  let report: Report
  private(set) var entries: [Entry] = []
  private(set) var grid: Grid
  var bin = Bin()
  /// What is deleted comes back from here.
  private var deleted: [[(place: Int, entry: Entry)]] = []
  private var newest = 0
  private var selection: Int?

  /// What drag and drop is made of; nil without an engine.
  private var surface: Surface?
  private var glow = Animation(0)

  /// How far it is scrolled, in units.
  private(set) var scroll = 0.0
  /// A drag at an edge has it scroll, -1 to 1.
  var edgeSpeed = 0.0
  private var lastFrame = 0.0
  /// The finger that scrolls.
  private var grip: (source: PointerEvent.Source, start: Point, scroll: Double, hasMoved: Bool)?

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Drop Destination", program: "carry-drop-destination", width: 600, height: 720,
      geometry: options.geometry, icon: Picture(width: 64, height: 64) { Icon.dropDestination(on: $0) })
    grid = Grid(window.width, window.height)
    window.content = self
    if options.flags.contains("--samples") {
      for sample in Samples.all {
        guard let picture = sample.picture() else { continue }
        entries.append(makeEntry(sample.name, .picture(picture, bytes: nil, type: "image/png")))
      }
    }
    for path in options.operands { open(path) }
    app.engine.onReady = { [unowned self] client in surface = Surface(self, client) }
    app.engine.onConnected = { [unowned self] in
      say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
      edgeSpeed = 0
      bin = Bin()
      show(hovering: false)
      for entry in entries {
        entry.isLanding = false
        entry.opacity.go(to: 1, at: app.now, over: 0.2)
      }
      say("disconnected")
    }
    window.show()
    say("ready")
  }

  // MARK: Images

  private func makeEntry(_ name: String?, _ content: Entry.Content) -> Entry {
    newest += 1
    return Entry(id: newest, name: name, content)
  }

  private func open(_ path: String) {
    guard let bytes = Program.read(path), let (picture, type) = Picture.decode(bytes) else {
      return Program.write("\(path): not a picture that can be read\n", to: 2)
    }
    let name = path.split(separator: "/").last.map(String.init)
    entries.append(makeEntry(name, .picture(picture, bytes: bytes, type: type)))
  }

  func entry(_ id: Int) -> Entry? { entries.first { $0.id == id } }

  /// A place for an image that is under way.
  func append(_ name: String?) -> Entry {
    let entry = makeEntry(name, .coming(nil))
    entries.append(entry)
    return entry
  }

  /// Where an image is seen, in units of the window.
  func box(of entry: Entry) -> Box? {
    entries.firstIndex { $0 === entry }.map { grid.cell($0).moved(0, -scroll) }
  }

  func delete(_ ids: [Int]) {
    let gone = entries.enumerated().filter { ids.contains($0.element.id) }.map { (place: $0.offset, entry: $0.element) }
    guard !gone.isEmpty else { return }
    deleted.append(gone)
    entries.removeAll { ids.contains($0.id) }
    if let selection, ids.contains(selection) { self.selection = nil }
    changed("deleted")
  }

  private func bringBack() {
    guard let gone = deleted.popLast() else { return }
    for (place, entry) in gone {
      entry.opacity = Animation(1)
      entries.insert(entry, at: min(place, entries.count))
    }
    changed("brought-back")
  }

  /// Stops what is under way, or takes away what did not come.
  private func dismiss(_ entry: Entry) {
    if case .coming(let load) = entry.content { load?.cancel() }
    entries.removeAll { $0 === entry }
    changed("dismissed")
  }

  func changed(_ event: String) {
    scroll(to: scroll)
    surface?.follow()
    say(event)
    window.redraw()
  }

  func say(_ event: String) {
    report.say(event, ("images", .list(entries.map { "\($0.name ?? "-") \($0.state)" })))
  }

  /// Whether images of the gallery are in somebody's hand.
  var isCarrying: Bool { surface?.carried.isEmpty == false }

  func show(hovering isHovering: Bool) {
    glow.go(to: isHovering ? 1 : 0, at: app.now, over: 0.2)
    window.redraw()
  }

  func emphasizeBin(_ isStrong: Bool) {
    bin.emphasis.go(to: isStrong ? 1 : 0, at: app.now, over: 0.2)
    window.redraw()
  }

  // MARK: Scrolling

  func scroll(to y: Double) {
    let new = max(0, min(grid.range(entries.count), y))
    guard new != scroll else { return }
    scroll = new
    surface?.follow()
    window.redraw()
  }

  /// Scrolls by so many heights of the grid.
  private func turn(_ pages: Double) {
    scroll(to: scroll + grid.area.height * pages)
    say("scrolled")
  }

  /// Has an image's place be seen.
  func reveal(_ entry: Entry) {
    guard let box = box(of: entry) else { return }
    if box.maxY > grid.area.maxY { scroll(to: scroll + box.maxY + 10 - grid.area.maxY) }
    if box.y < grid.area.y { scroll(to: scroll - (grid.area.y + 8 - box.y)) }
  }

  private func scrollAtEdge(now: Double) {
    defer { lastFrame = now }
    guard edgeSpeed != 0 else { return }
    scroll(to: scroll + edgeSpeed * 700 * max(0, min(0.05, now - lastFrame)))
    window.animate()
  }

  // MARK: Drawing

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    let now = app.now
    scrollAtEdge(now: now)
    c.fill(all, from: Color(0xFAF9F7), to: Color(0xEFEDE8))
    drawHead(on: c)
    if entries.isEmpty { drawEmpty(on: c) }
    c.saved {
      c.clip(grid.area)
      for entry in entries {
        guard let box = box(of: entry), box.maxY > grid.area.y, box.y < grid.area.maxY else { continue }
        entry.draw(on: c, in: box, isSelected: entry.id == selection, now: now)
      }
    }
    let light = glow.value(at: now)
    if light > 0 {
      let frame = Box(8, grid.area.y - 4, all.width - 16, grid.area.height + 6)
      c.fill(frame, radius: 16, Color.accent.faded(0.05 * light))
      c.stroke(frame, radius: 16, Color.accent.faded(0.8 * light), width: 2.5)
    }
    bin.draw(on: c, in: grid.zone, now: now)
    if !app.engine.isConnected { c.drawAbsence(in: all) }
    if bin.isMoving(at: now) || !glow.isOver(at: now) || entries.contains(where: { $0.isMoving(at: now) }) {
      window.animate()
    }
  }

  private func drawHead(on c: Canvas) {
    c.draw(TextLayout("Gallery", TextStyle(20, .semibold)), at: Point(x: 24, y: 16))
    let shown = entries.count { $0.isPicture }
    let lost = entries.count { $0.isFailed }
    let coming = entries.count - shown - lost
    var parts = [shown == 1 ? "1 image" : "\(shown) images"]
    if coming > 0 { parts.append("\(coming) on the way") }
    if lost > 0 { parts.append("\(lost) did not arrive") }
    let text = entries.isEmpty ? "Nothing yet" : parts.joined(separator: "  ·  ")
    c.draw(TextLayout(text, TextStyle(12, color: Color(0x8B857B))), at: Point(x: 24, y: 44))
  }

  private func drawEmpty(on c: Canvas) {
    let frame = Box(center: grid.area.center, width: grid.area.width - 48, height: min(240, grid.area.height - 30))
    c.stroke(frame, radius: 18, Color(0xB9B4A9), width: 1.8, dashes: [8, 7])
    c.draw(
      "Drop images here", TextStyle(18, .semibold, color: Color(0x6F6A61)), centeredIn: frame.moved(0, -14))
    c.draw(
      "as many at once as your fingers carry", TextStyle(13, color: Color(0x9A9488)), centeredIn: frame.moved(0, 14))
  }

  // MARK: Mouse, fingers and keys

  func pointer(_ e: PointerEvent) {
    switch e.phase {
    case .began:
      let hit = entries.first { box(of: $0).flatMap { grid.seen($0) }?.contains(e.place) ?? false }
      selection = hit?.id
      if grip == nil, grid.area.contains(e.place) { grip = (e.source, e.place, scroll, false) }
    case .moved:
      guard var g = grip, g.source == e.source, e.isTouch else { return }
      g.hasMoved = g.hasMoved || abs(e.place.y - g.start.y) > 12
      grip = g
      if g.hasMoved { scroll(to: g.scroll - (e.place.y - g.start.y)) }
    case .ended:
      guard let g = grip, g.source == e.source else { return }
      grip = nil
      guard !g.hasMoved else { return }
      let pressed = entries.first { entry in
        !entry.isPicture && !entry.isLanding
          && box(of: entry).map { Entry.cross(in: $0).inset(-6).contains(e.place) } == true
      }
      if let pressed { dismiss(pressed) }
    case .cancelled:
      // It was about to be carried away.
      if let g = grip, g.source == e.source {
        scroll(to: g.scroll)
        grip = nil
      }
      selection = nil
    case .scrolled(let lines): scroll(to: scroll + lines * 24)
    default: return
    }
    window.redraw()
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    if e.isShortcut("z") { return bringBack() }
    switch e.key {
    case .left: select(-1)
    case .right, .tab: select(1)
    case .up: select(-grid.columns)
    case .down: select(grid.columns)
    case .pageUp: turn(-0.9)
    case .pageDown: turn(0.9)
    case .delete, .backspace:
      guard let selection, let entry = entry(selection) else { return }
      entry.isPicture ? delete([selection]) : dismiss(entry)
    case .escape:
      selection = nil
      window.redraw()
    default: break
    }
  }

  private func select(_ step: Int) {
    guard !entries.isEmpty else { return }
    let old = selection.flatMap { id in entries.firstIndex { $0.id == id } }
    let new = old.map { max(0, min(entries.count - 1, $0 + step)) } ?? 0
    selection = entries[new].id
    reveal(entries[new])
    window.redraw()
  }

  func resized() {
    grid = Grid(window.width, window.height)
    scroll(to: scroll)
    surface?.follow()
  }

  func closed() { app.stop() }
}
