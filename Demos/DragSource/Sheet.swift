import Carry
import DemoKit

/// What the window shows a part of, and what can be carried away from there.
protocol Exhibit: AnyObject {
  /// Draws it; its place is known from `arrange`.
  func draw(on c: Canvas, now: Double)
  /// Where its regions are to be made.
  func connect(_ client: Client)
  /// Whether it wants to be drawn again soon.
  func isMoving(at now: Double) -> Bool
}

/// The app: a window of things to carry away.
final class Sheet: WindowContent {
  let app: App
  let window: Window
  let report: Report
  /// Whether a stack that is in a session already gives its images again.
  var allowsDoubles: Bool

  private(set) var stacks: [Stack] = []
  private var codes: CodePicture?
  private var located: LocatedPhoto?
  private var far: [FarPhoto] = []
  private var layout: Layout
  private var knob = Animation(0)
  private var pressed: PointerEvent.Source?

  private var exhibits: [any Exhibit] {
    stacks + [codes as (any Exhibit)?, located].compactMap { $0 } + (far as [any Exhibit])
  }

  init(_ app: App, _ options: Program.Options, delay: Double) {
    self.app = app
    report = Report(isOn: options.json)
    allowsDoubles = options.flags.contains("--doubles")
    window = Window(
      app.display, title: "Drag Source", program: "carry-drag-source", width: 600, height: 720,
      geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Icon.dragSource(on: $0) })
    layout = Layout(window.width, window.height)
    window.content = self
    fill(delay)
    resized()
    knob = Animation(allowsDoubles ? 1 : 0)
    app.engine.onReady = { [unowned self] client in for exhibit in exhibits { exhibit.connect(client) } }
    app.engine.onConnected = { [unowned self] in
      report.say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
      waiting = [:]
      report.say("disconnected")
      window.redraw()
    }
    window.show()
    report.say("ready")
  }

  private func fill(_ delay: Double) {
    var photos = (Samples.all + Samples.more).compactMap { sample in sample.picture().map { ($0, sample.name) } }[...]
    // Ten images in all.
    for (number, count) in [3, 2, 3, 2].enumerated() {
      stacks.append(Stack(self, number: number, photos: Array(photos.prefix(count))))
      photos = photos.dropFirst(count)
    }
    codes = CodePicture(self)
    located = LocatedPhoto(self)
    let samples = [Samples.all[0], Samples.more[1], Samples.all[5]]
    let ways: [FarPhoto.Way] = [.arrives(delay), .arrives(delay * 2.5), .breaksOff(delay)]
    far = zip(samples, ways).compactMap { sample, way in FarPhoto(self, sample, way) }
  }

  // MARK: Sessions

  /// Who has added to a session hears nothing of its end: only the one does where it began.
  private var waiting: [UInt32: [() -> Void]] = [:]

  /// Calls `body` when the session has ended.
  func returning(_ session: DragSession, _ body: @escaping () -> Void) {
    waiting[session.identifier, default: []].append(body)
  }

  func ended(_ session: DragSession, _ operation: DropOperation) {
    for body in waiting.removeValue(forKey: session.identifier) ?? [] { body() }
    report.say(
      "ended", ("operation", .text(operation.word)), ("items", .number(Double(session.items.count))))
  }

  // MARK: Drawing

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    let now = app.now
    c.fill(all, from: Color(0xF8F7F4), to: Color(0xECE9E3))
    title("Stacks", "Press one until it lifts, and tap others to add them", at: layout.stacksTitle, on: c)
    title("Codes", "Both lift, each from its place", at: layout.codesTitle, on: c)
    title("A place", "A photo and where it was taken", at: layout.placeTitle, on: c)
    title("Far away", "These take their time", at: layout.farTitle, on: c)
    drawSwitch(on: c, now: now)
    for exhibit in exhibits { exhibit.draw(on: c, now: now) }
    if !app.engine.isConnected { c.drawAbsence(in: all) }
    if !knob.isOver(at: now) || exhibits.contains(where: { $0.isMoving(at: now) }) { window.animate() }
  }

  private func title(_ text: String, _ hint: String, at p: Point, on c: Canvas) {
    let title = TextLayout(text, TextStyle(16, .semibold))
    c.draw(title, at: p)
    c.draw(TextLayout(hint, TextStyle(12, color: Color(0x8B857B))), at: p + Point(x: 0, y: 22))
  }

  private func drawSwitch(on c: Canvas, now: Double) {
    let t = knob.value(at: now)
    let box = layout.doubles
    let label = TextLayout("Allow doubles", TextStyle(12, color: Color(0x5C574E)))
    c.draw(label, at: Point(x: box.x - label.size.width - 9, y: box.center.y - label.size.height / 2))
    c.fill(box, radius: box.height / 2, Color(0xC9C4BA).mixed(with: .accent, t))
    let x = box.x + box.height / 2 + t * (box.width - box.height)
    c.circle(Point(x: x, y: box.center.y + 0.8), radius: box.height / 2 - 1.6)
    c.fillPath(Color.black.faded(0.15))
    c.circle(Point(x: x, y: box.center.y), radius: box.height / 2 - 2)
    c.fillPath(.white)
  }

  // MARK: Mouse, fingers and keys

  func pointer(_ e: PointerEvent) {
    switch e.phase {
    case .began: pressed = layout.doubles.inset(-10).contains(e.place) ? e.source : pressed
    case .ended:
      guard pressed == e.source else { return }
      pressed = nil
      if layout.doubles.inset(-10).contains(e.place) { toggle() }
    case .cancelled: if pressed == e.source { pressed = nil }
    default: break
    }
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    if e.key == .text("d") { toggle() }
  }

  private func toggle() {
    allowsDoubles.toggle()
    knob.go(to: allowsDoubles ? 1 : 0, at: app.now, over: 0.18)
    report.say("doubles", ("allowed", .text(allowsDoubles ? "yes" : "no")))
    window.redraw()
  }

  func resized() {
    layout = Layout(window.width, window.height)
    for (stack, box) in zip(stacks, layout.stacks) { stack.box = box }
    codes?.box = layout.codes
    located?.box = layout.place
    for (photo, box) in zip(far, layout.far) { photo.box = box }
  }

  func closed() { app.stop() }
}
