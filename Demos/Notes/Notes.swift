import Carry
import DemoKit

/// The app: notes in tabs, and a "+" that makes one, from a link too.
final class Notes: WindowContent {
  let app: App
  let window: Window
  private let report: Report
  private(set) var notes: [Note] = []
  private(set) var current = 0
  private var newest = 0
  private var scroll = 0.0
  private var histories: [Int: [Note]] = [:]
  /// Letters typed one after another are taken back together.
  private var isTyping = false

  var surface: Surface?
  /// Where a drag would put its text.
  var dropCaret: Int?
  var plusGlow = Animation(0)
  var plusState = SpringLoadedInteraction.State.inactive
  var litTab: Int?
  private var hovered: Point?
  private var blinkStart = 0.0

  private enum Grip {
    case selecting
    case panning(from: Point, scroll: Double, moved: Bool)
    case pressing(Target)
  }
  private enum Target: Equatable { case tab(Int), close, plus }
  private var grips: [PointerEvent.Source: Grip] = [:]

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app, title: "Notes", program: "carry-notes", width: 700, height: 500, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Icon.notes(on: $0) })
    window.content = self
    for path in options.operands {
      guard let bytes = Program.read(path, limit: Note.longest) else {
        Program.write("\(path): cannot be read, or is no note of at most 1 MiB\n", to: 2)
        continue
      }
      append(text: String(decoding: bytes, as: UTF8.self))
    }
    if notes.isEmpty { append() }
    current = 0
    app.engine.onConnected = { [unowned self] client in
      surface = Surface(self, client)
      say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
      surface = nil
      dropCaret = nil
      (plusState, litTab) = (.inactive, nil)
      plusGlow.go(to: 0, at: app.now, over: 0.15)
      say("disconnected")
      window.redraw()
    }
    window.show()
    say("ready")
  }

  // MARK: Notes

  var note: Note { notes[current] }

  @discardableResult
  private func append(text: String = "", link: Link? = nil) -> Int {
    newest += 1
    notes.append(Note(id: newest, text: text, link: link))
    return newest
  }

  /// A new tab at the end, which is shown. Returns the note's number.
  @discardableResult
  func open(_ event: String, text: String = "", link: Link? = nil) -> Int {
    let id = append(text: text, link: link)
    show(notes.count - 1)
    changed(event)
    return id
  }

  /// Makes a note that is still empty one of a link, or of text.
  func fill(_ id: Int, text: String, link: Link?) -> Bool {
    guard let i = notes.firstIndex(where: { $0.id == id }), notes[i].isEmpty else { return false }
    notes[i] = Note(id: id, text: text, link: link)
    show(i)
    changed(link == nil ? "opened" : "link-opened")
    return true
  }

  func show(_ i: Int) {
    guard notes.indices.contains(i) else { return }
    (current, scroll, isTyping) = (i, 0, false)
    window.setTitle("\(note.title) – Notes")
    changed("shown")
  }

  private func close(_ i: Int) {
    guard notes.indices.contains(i) else { return }
    histories[notes[i].id] = nil
    notes.remove(at: i)
    if notes.isEmpty { append() }
    show(min(current > i ? current - 1 : current, notes.count - 1))
    changed("closed")
  }

  /// Changes a note so that it can be undone.
  func edit(_ id: Int, _ event: String, typing: Bool = false, _ body: (inout Note) -> Void) {
    guard let i = notes.firstIndex(where: { $0.id == id }) else { return }
    let before = notes[i]
    body(&notes[i])
    guard notes[i].text != before.text || notes[i].link != before.link else { return moved() }
    if !(typing && isTyping) {
      histories[id, default: []].append(before)
      if (histories[id]?.count ?? 0) > 200 { histories[id]?.removeFirst() }
    }
    isTyping = typing
    showCaret()
    changed(event)
  }

  private func undo() {
    guard let before = histories[note.id]?.popLast() else { return }
    notes[current] = before
    isTyping = false
    changed("undone")
  }

  /// Only the caret moved.
  private func moved() {
    isTyping = false
    showCaret()
    surface?.follow()
    window.redraw()
  }

  func changed(_ event: String) {
    blinkStart = app.now
    surface?.follow()
    say(event)
    window.redraw()
  }

  func say(_ event: String) {
    report.say(
      event, ("tabs", .list(notes.map(\.title))), ("current", .number(Double(current))), ("text", .text(note.text)),
      ("link", .text(note.link?.address ?? "")), ("caret", .number(Double(note.caret))))
  }

  // MARK: Layout

  var layout: Layout {
    Layout(width: window.width, height: window.height, count: notes.count, note: note, scroll: scroll)
  }

  private func scroll(to y: Double) {
    let new = max(0, min(layout.most, y))
    guard new != scroll else { return }
    scroll = new
    surface?.follow()
    window.redraw()
  }

  private func showCaret() {
    let l = layout
    let box = l.caret(at: note.caret)
    if box.y < l.page.y { scroll(to: scroll - (l.page.y - box.y)) }
    if box.maxY > l.page.maxY { scroll(to: scroll + box.maxY - l.page.maxY) }
  }

  // MARK: Drawing

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let l = layout
    c.fill(l.all, Color(0xFCFBF7))
    drawBar(on: c, l)
    if let link = note.link, let box = l.link { drawLink(link, on: c, in: box) }
    c.saved {
      c.clip(Box(0, l.page.y - 8, size.width, l.page.height + 8))
      for b in l.boxes(note.selection) { c.fill(b.inset(-1), radius: 3, Color(0xF6C65B, 0.45)) }
      if note.text.isEmpty { drawHint(on: c, l) }
      c.draw(l.lines, at: l.origin)
      drawCarets(on: c, l)
    }
    if app.engine.client == nil { c.drawAbsence(in: l.all) }
    if !plusGlow.isOver(at: app.now) || plusState == .activating { window.animate() }
  }

  private func drawBar(on c: Canvas, _ l: Layout) {
    c.fill(Box(0, 0, l.all.width, Layout.bar), from: Color(0xECE8DE), to: Color(0xE3DED2))
    c.fill(Box(0, Layout.bar - 1, l.all.width, 1), Color(0xCFC8B8))
    for (i, tab) in l.tabs.enumerated() {
      let isCurrent = i == current
      let box = Box(tab.x, tab.y, tab.width, tab.height + (isCurrent ? 8 : 0))
      if isCurrent {
        c.saved {
          c.clip(Box(0, 0, l.all.width, Layout.bar))
          c.fill(box.inset(-1), radius: 9, Color(0xCFC8B8))
          c.fill(box, radius: 8, Color(0xFCFBF7))
          c.fill(Box(tab.x + 12, tab.y, tab.width - 24, 2.5), radius: 1, Color(0xEBAF36))
        }
      } else if litTab == i || hovered.map(tab.contains) == true {
        c.fill(Box(tab.x, tab.y + 3, tab.width, tab.height - 7), radius: 7, Color.white.faded(litTab == i ? 0.85 : 0.45))
      }
      let style = TextStyle(13, isCurrent ? .semibold : .regular, color: Color(isCurrent ? 0x33302B : 0x6D675B))
      let room = isCurrent && tab.width > 80 ? 44.0 : 20
      c.draw(notes[i].title, style, centeredIn: Box(tab.x + 10, tab.y, tab.width - room, tab.height))
      if isCurrent, tab.width > 80 { drawCross(on: c, Self.cross(of: tab)) }
    }
    drawPlus(on: c, l.plus)
  }

  private static func cross(of tab: Box) -> Box { Box(tab.maxX - 30, tab.y + 7, 24, 24) }

  private func drawCross(on c: Canvas, _ box: Box) {
    if hovered.map(box.contains) == true { c.fill(box.inset(3), radius: 5, Color.black.faded(0.07)) }
    let m = box.center
    for k in [-1.0, 1] {
      c.move(m.x - 3.5, m.y - 3.5 * k)
      c.line(m.x + 3.5, m.y + 3.5 * k)
      c.strokePath(Color(0x8C8575), width: 1.6)
    }
  }

  private func drawPlus(on c: Canvas, _ box: Box) {
    let glow = plusGlow.value(at: app.now)
    // Three flashes a second while it is about to open.
    let flash = plusState == .activating && Int(app.now * 8) % 2 == 0
    let amber = Color(0xEBAF36)
    if glow > 0 {
      c.fill(box.inset(-3 * glow), radius: 10, (flash ? Color(0xFFE3A3) : amber).faded(glow))
    } else if hovered.map(box.contains) == true {
      c.fill(box, radius: 8, Color.white.faded(0.6))
    }
    let m = box.center
    let ink = Color(0x6D675B).mixed(with: flash ? Color(0x7A5410) : .white, glow)
    for (dx, dy) in [(6.5, 0.0), (0, 6.5)] {
      c.move(m.x - dx, m.y - dy)
      c.line(m.x + dx, m.y + dy)
      c.strokePath(ink, width: 2.2)
    }
  }

  private func drawLink(_ link: Link, on c: Canvas, in box: Box) {
    c.shadow(box, radius: 12, blur: 12, drop: 2, 0.14)
    c.fill(box, radius: 12, .white)
    c.stroke(box.inset(0.5), radius: 12, Color(0xE4DFD3))
    let badge = Box(box.x + 13, box.y + 13, 40, 40)
    let hues: [UInt32] = [0x3E7CC4, 0x4F9D69, 0xC9654F, 0x8467B5, 0x2F8F9B]
    let hue = Color(hues[link.host.unicodeScalars.reduce(0) { ($0 + Int($1.value)) % hues.count }])
    c.fill(badge, radius: 10, from: hue.mixed(with: .white, 0.2), to: hue)
    c.draw(link.host.prefix(1).uppercased(), TextStyle(20, .semibold, color: .white), centeredIn: badge)
    let room = box.width - 82
    let name = TextLayout(link.title ?? link.host, TextStyle(15, .semibold), width: room, isOneLine: true)
    let address = TextLayout(link.address, TextStyle(12, color: Color(0x7C7568)), width: room, isOneLine: true)
    c.draw(name, at: Point(x: box.x + 66, y: box.y + 13))
    c.draw(address, at: Point(x: box.x + 66, y: box.y + 36))
  }

  private func drawHint(on c: Canvas, _ l: Layout) {
    let words =
      note.link == nil
      ? "Write, or drop text here.\nA link dropped on + opens in a tab of its own." : "Write about it here."
    c.draw(
      TextLayout(words, TextStyle(16, color: Color(0xB7B0A1)), width: l.page.width, spacing: 1.35), at: l.origin)
  }

  private func drawCarets(on c: Canvas, _ l: Layout) {
    if let dropCaret {
      let b = l.caret(at: dropCaret)
      c.fill(Box(b.x - 1.5, b.y - 2, 3, b.height + 4), radius: 1.5, .accent)
      c.circle(Point(x: b.x, y: b.y - 3), radius: 4)
      c.fillPath(.accent)
      return
    }
    guard window.isFocused else { return }
    // A caret blinks, and stands while one types.
    let phase = (app.now - blinkStart).truncatingRemainder(dividingBy: 1.1)
    if phase < 0.6 {
      let b = l.caret(at: note.caret)
      c.fill(Box(b.x - 0.75, b.y - 1, 1.6, b.height + 2), Color(0xC8871A))
    }
    blinkAgain(in: phase < 0.6 ? 0.6 - phase : 1.1 - phase)
  }

  private var blinks = false
  private func blinkAgain(in seconds: Double) {
    guard !blinks else { return }
    blinks = true
    app.after(seconds + 0.01) { [weak self] in
      self?.blinks = false
      self?.window.redraw()
    }
  }

  // MARK: Mouse, fingers and keys

  private func target(at p: Point, _ l: Layout) -> Target? {
    if l.plus.inset(-4).contains(p) { return .plus }
    guard let i = l.tabs.firstIndex(where: { $0.inset(-2).contains(p) }) else { return nil }
    return i == current && l.tabs[i].width > 80 && Self.cross(of: l.tabs[i]).contains(p) ? .close : .tab(i)
  }

  func pointer(_ e: PointerEvent) {
    let l = layout
    switch e.phase {
    case .began: began(e, l)
    case .moved: dragged(e, l)
    case .ended: ended(e, l)
    case .cancelled: grips[e.source] = nil
    case .scrolled(let lines): scroll(to: scroll + lines * 22)
    case .hovered:
      hovered = e.place.y < Layout.bar ? e.place : nil
      window.redraw()
    case .left:
      hovered = nil
      window.redraw()
    }
  }

  private func began(_ e: PointerEvent, _ l: Layout) {
    if let target = target(at: e.place, l) {
      grips[e.source] = .pressing(target)
    } else if e.place.y >= Layout.bar {
      // A finger scrolls, and places the caret when it only tapped; a mouse selects.
      if e.isTouch {
        grips[e.source] = .panning(from: e.place, scroll: scroll, moved: false)
      } else {
        grips[e.source] = .selecting
        let offset = l.offset(at: e.place)
        if e.clicks == 3, let p = note.paragraphs.first(where: { $0.lowerBound <= offset && offset <= $0.upperBound }) {
          notes[current].select(p)
        } else {
          notes[current].place(at: offset, selecting: e.modifiers.contains(.shift))
        }
        moved()
      }
    }
  }

  private func dragged(_ e: PointerEvent, _ l: Layout) {
    switch grips[e.source] {
    case .selecting:
      notes[current].place(at: l.offset(at: e.place), selecting: true)
      showCaret()
      window.redraw()
    case .panning(let from, let start, let moved):
      guard moved || abs(e.place.y - from.y) > 10 else { return }
      grips[e.source] = .panning(from: from, scroll: start, moved: true)
      scroll(to: start + from.y - e.place.y)
    default: break
    }
  }

  private func ended(_ e: PointerEvent, _ l: Layout) {
    switch grips.removeValue(forKey: e.source) {
    case .pressing(let target):
      guard self.target(at: e.place, l) == target else { return }
      switch target {
      case .plus: open("opened")
      case .tab(let i): show(i)
      case .close: close(current)
      }
    case .panning(_, _, moved: false):
      notes[current].place(at: l.offset(at: e.place))
      moved()
    case .selecting: moved()
    default: break
    }
  }

  func key(_ e: KeyEvent) {
    let selecting = e.modifiers.contains(.shift)
    let id = note.id
    if e.isShortcut("t") { open("opened") } else if e.isShortcut("w") { close(current) } else if e.isShortcut("z") {
      undo()
    } else if e.isShortcut("q") {
      closed()
    } else if e.isShortcut("a") {
      notes[current].select(0..<note.text.utf8.count)
      moved()
    } else if e.key == .tab, e.modifiers.contains(.control) {
      show((current + (selecting ? notes.count - 1 : 1)) % notes.count)
    } else {
      switch e.key {
      case .text(let text):
        guard e.modifiers.isDisjoint(with: [.control, .alt]) else { return }
        edit(id, "typed", typing: true) { $0.insert(text) }
      case .enter: edit(id, "typed", typing: true) { $0.insert("\n") }
      case .tab: edit(id, "typed", typing: true) { $0.insert("\t") }
      case .backspace: edit(id, "typed", typing: true) { $0.deleteBackward() }
      case .delete: edit(id, "typed", typing: true) { $0.deleteForward() }
      case .left: go { $0.moveLeft(selecting: selecting) }
      case .right: go { $0.moveRight(selecting: selecting) }
      case .up: goLine(-1, selecting)
      case .down: goLine(1, selecting)
      case .home: goEdge(layout.page.x, selecting)
      case .end: goEdge(1e5, selecting)
      case .pageUp: scroll(to: scroll - layout.page.height * 0.9)
      case .pageDown: scroll(to: scroll + layout.page.height * 0.9)
      case .escape: go { $0.place(at: $0.caret) }
      }
    }
  }

  private func go(_ body: (inout Note) -> Void) {
    body(&notes[current])
    moved()
  }

  private func goLine(_ direction: Double, _ selecting: Bool) {
    let l = layout
    let b = l.caret(at: note.caret)
    let target = l.offset(at: Point(x: b.x, y: b.center.y + direction * max(12, b.height * 1.2)))
    go { $0.place(at: target, selecting: selecting) }
  }

  private func goEdge(_ x: Double, _ selecting: Bool) {
    let l = layout
    let target = l.offset(at: Point(x: x, y: l.caret(at: note.caret).center.y))
    go { $0.place(at: target, selecting: selecting) }
  }

  func resized() {
    scroll = min(scroll, layout.most)
    surface?.follow()
  }

  func focusChanged() {
    blinkStart = app.now
    window.redraw()
  }

  func closed() { app.stop() }
}
