import Carry
import DemoKit

/// The app: a board of photos.
final class Pinboard: WindowContent {
  let app: App
  let window: Window
  let report: Report
  var board = Board()
  var history = History()
  /// Every photo that hangs, or that going back may hang again.
  private(set) var photos: [Int: Photo] = [:]
  private var newest = 0

  /// What drag and drop is made of; empty without an engine.
  var surface: Surface?
  /// Sessions over the board that it would take.
  var hovering: Set<UInt32> = []
  private var glow = Animation(0)
  private var paper: Picture?

  /// A mouse or a finger that moves a photo about directly.
  private struct Grip {
    var photo: Int
    var start: Point
    var offset: Point
    /// Where it hung before.
    var home: Point
    var hasMoved = false
  }
  private var grips: [PointerEvent.Source: Grip] = [:]

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Pinboard", program: "carry-pinboard", width: 960, height: 660, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Icon.pinboard(on: $0) })
    window.content = self
    if options.flags.contains("--samples") { addSamples() }
    for path in options.operands { open(path) }
    arrange()
    app.engine.onReady = { [unowned self] client in surface = Surface(self, client) }
    app.engine.onConnected = { [unowned self] in
      say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
      hovering = []
      show(hovering: false)
      for photo in photos.values { photo.opacity.go(to: 1, at: app.now, over: 0.2) }
      say("disconnected")
      window.redraw()
    }
    window.show()
    say("ready")
  }

  // MARK: Photos

  func makePhoto(name: String?, _ content: Photo.Content) -> Photo {
    newest += 1
    let photo = Photo(id: newest, name: name, content: content)
    photos[newest] = photo
    return photo
  }

  private func addSamples() {
    for sample in Samples.all {
      guard let picture = sample.picture() else { continue }
      board.add(makePhoto(name: sample.name, .picture(picture, .drawing)).id, at: Point(x: 0, y: 0))
    }
  }

  private func open(_ path: String) {
    guard let bytes = Program.read(path), let (picture, type) = Picture.decode(bytes) else {
      return Program.write("\(path): not a picture that can be read\n", to: 2)
    }
    let name = path.split(separator: "/").last.map(String.init)
    board.add(makePhoto(name: name, .picture(picture, .file(path: path, type: type))).id, at: Point(x: 0, y: 0))
  }

  /// Hangs everything in rows.
  private func arrange() {
    let count = board.pins.count
    guard count > 0 else { return }
    let columns = max(1, min(count, Int(window.width / 250)))
    let rows = (count + columns - 1) / columns
    for (i, pin) in board.pins.enumerated() {
      let row = i / columns
      let inRow = row == rows - 1 ? count - row * columns : columns
      let x = (Double(i % columns) + 0.5) * window.width / Double(inRow)
      let y = (Double(row) + 0.5) * window.height / Double(rows)
      // Not in line: by hand.
      let sway = Double((pin.id * 37) % 25) - 12
      board.move(pin.id, to: Point(x: x + sway, y: y - sway * 0.6))
    }
  }

  /// The topmost photo at a place.
  func photo(at p: Point) -> Int? {
    board.pins.last { photos[$0.id]?.paper(at: $0.center).contains(p) ?? false }?.id
  }

  /// Changes the board so that it can be undone.
  func change(_ event: String, _ body: (inout Board) -> Void) {
    let before = board
    body(&board)
    guard board != before else { return }
    history.remember(before)
    changed(event)
  }

  func changed(_ event: String) {
    surface?.follow()
    say(event)
    window.redraw()
  }

  /// Says what hangs where, the lowest first.
  func say(_ event: String) {
    let list = board.pins.map { pin in
      let photo = photos[pin.id]
      let state =
        switch photo?.content {
        case .picture: "shown"
        case .coming: "coming"
        case .failed, nil: "failed"
        }
      let p = pin.center
      return "\(photo?.name ?? "-") \(state) \(Int(p.x.rounded())),\(Int(p.y.rounded()))"
    }
    report.say(event, ("photos", .list(list)))
  }

  func show(hovering isHovering: Bool) {
    glow.go(to: isHovering ? 1 : 0, at: app.now, over: 0.2)
    window.redraw()
  }

  // MARK: Drawing

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    if paper == nil { paper = Paper.tile() }
    if let paper { c.tile(paper, over: all) }
    c.fill(
      all, stops: [(0, Color(0xFFFFFF, 0.10)), (0.6, Color(0x000000, 0)), (1, Color(0x2A1D0A, 0.13))])
    let now = app.now
    if board.pins.isEmpty { Paper.drawEmpty(on: c, in: all) }
    let held = Set(grips.values.filter(\.hasMoved).map(\.photo))
    var moves = false
    for pin in board.pins {
      guard let photo = photos[pin.id] else { continue }
      photo.draw(
        on: c, pin, isSelected: board.selection == pin.id, isLifted: held.contains(pin.id), now: now)
      moves = moves || photo.isMoving(at: now)
    }
    let light = glow.value(at: now)
    if light > 0 {
      c.stroke(all.inset(3), radius: 10, Color.accent.faded(0.75 * light), width: 3)
      c.stroke(all.inset(7), radius: 8, Color.accent.faded(0.18 * light), width: 6)
    }
    if !app.engine.isConnected { c.drawAbsence(in: all) }
    if moves || !glow.isOver(at: now) { window.animate() }
  }

  // MARK: Mouse, fingers and keys

  func pointer(_ e: PointerEvent) {
    switch e.phase {
    case .began: began(e)
    case .moved: moved(e)
    case .ended:
      guard let grip = grips.removeValue(forKey: e.source) else { return }
      if grip.hasMoved {
        // Other fingers may have other photos in hand: only this one goes back.
        var before = board
        before.move(grip.photo, to: grip.home)
        history.remember(before)
        changed("moved")
      }
      window.redraw()
    case .cancelled:
      guard let grip = grips.removeValue(forKey: e.source) else { return }
      board.move(grip.photo, to: grip.home)
      changed("touch-cancelled")
    default: break
    }
  }

  private func began(_ e: PointerEvent) {
    guard let id = photo(at: e.place), let pin = board[id] else {
      board.selection = nil
      return window.redraw()
    }
    // Two fingers on one photo do not tear it apart.
    guard !grips.values.contains(where: { $0.photo == id }) else { return }
    grips[e.source] = Grip(photo: id, start: e.place, offset: pin.center - e.place, home: pin.center)
    board.selection = id
    say("selected")
    window.redraw()
  }

  private func moved(_ e: PointerEvent) {
    guard var grip = grips[e.source] else { return }
    if !grip.hasMoved {
      guard (e.place - grip.start).length > (e.isTouch ? 12 : 4) else { return }
      grip.hasMoved = true
      board.raise(grip.photo)
    }
    grips[e.source] = grip
    board.move(grip.photo, to: kept(e.place + grip.offset))
    window.redraw()
  }

  /// A photo's middle stays on the board.
  func kept(_ p: Point) -> Point {
    Point(x: max(20, min(window.width - 20, p.x)), y: max(20, min(window.height - 20, p.y)))
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("z") { return goBack(history.undo(&board), "undone") }
    if e.isShortcut("y") || e.isShortcut("z", .shift) { return goBack(history.redo(&board), "redone") }
    if e.isShortcut("c"), let photo = board.selection.flatMap({ photos[$0] }) { return surface?.copy(photo) ?? () }
    if e.isShortcut("v") { return surface?.paste() ?? () }
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    let step = e.modifiers.contains(.shift) ? 1.0 : 10
    switch e.key {
    case .tab:
      board.selectNext(backwards: e.modifiers.contains(.shift))
      say("selected")
      window.redraw()
    case .left: nudge(-step, 0)
    case .right: nudge(step, 0)
    case .up: nudge(0, -step)
    case .down: nudge(0, step)
    case .delete, .backspace:
      guard let id = board.selection else { return }
      change("removed") { $0.remove(id) }
    case .escape:
      board.selection = nil
      window.redraw()
    default: break
    }
  }

  private func nudge(_ dx: Double, _ dy: Double) {
    guard let id = board.selection, let pin = board[id] else { return }
    change("moved") { $0.move(id, to: kept(pin.center + Point(x: dx, y: dy))) }
  }

  private func goBack(_ isDone: Bool, _ event: String) {
    if isDone { changed(event) }
  }

  func resized() { surface?.follow() }
  func closed() { app.stop() }
}
