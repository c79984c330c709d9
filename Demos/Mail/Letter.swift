import Carry
import DemoKit

/// The message that is being written.
final class Letter {
  unowned let mail: Mail
  private(set) var draft = Draft(
    "Hello Ada,\n\nSaturday is perfect. Here is what I found for the trip:\n\nSee you at the jetty!")
  var attachments: [Int: Attachment] = [:]
  var surface: LetterSurface?
  private var past: [Draft] = []
  private var newest = 0
  private var scroll = 0.0
  private var grip: (source: PointerEvent.Source, start: Point, scroll: Double)?
  private var layouts: [(text: String, width: Double, layout: TextLayout)?] = []

  var box = Box(0, 0, 0, 0) {
    didSet {
      scroll(to: scroll)
      surface?.follow()
    }
  }

  init(_ mail: Mail) { self.mail = mail }

  private static let margin = 30.0
  private static let style = TextStyle(15, color: Color(0x2E2B27))
  static let fields: [(String, String)] = [("To", "Ada Lindqvist"), ("Subject", "Saturday")]

  /// Where the text is seen.
  var body: Box { Box(box.x, box.y + 118, box.width, max(20, box.height - 118)) }
  /// How wide text and images are.
  var width: Double { max(60, box.width - 2 * Self.margin) }

  // MARK: Places

  /// The blocks' boxes in the window, the scrolling included.
  var places: [Box] {
    var y = body.y + 16 - scroll
    let now = mail.app.now
    return draft.blocks.indices.map { i in
      let height: Double
      var gap = 6.0
      switch draft.blocks[i] {
      case .text: height = max(22, layout(i).size.height)
      case .image(let id):
        height = (attachments[id]?.ratio.value(at: now) ?? 0.5) * width
        gap = 10
      }
      defer { y += height + gap }
      return Box(body.x + Self.margin, y, width, height)
    }
  }

  private func layout(_ block: Int) -> TextLayout {
    let text = draft.text(block) ?? ""
    while layouts.count <= block { layouts.append(nil) }
    if let known = layouts[block], known.text == text, known.width == width { return known.layout }
    let new = TextLayout(text, Self.style, width: width, spacing: 1.3)
    layouts[block] = (text, width, new)
    return new
  }

  /// The place in the text that is nearest to a point of the window.
  func caret(at p: Point) -> Draft.Caret {
    let places = places
    let i = places.firstIndex { p.y < $0.maxY + 5 } ?? places.count - 1
    guard case .image = draft.blocks[i] else {
      return Draft.Caret(block: i, offset: layout(i).offset(at: p - Point(x: places[i].x, y: places[i].y)))
    }
    // Before the image or behind it, whatever is nearer.
    guard p.y > places[i].center.y else { return Draft.Caret(block: i - 1, offset: draft.text(i - 1)?.utf8.count ?? 0) }
    return Draft.Caret(block: i + 1, offset: 0)
  }

  /// Where a caret stands, in units of the window.
  func box(of caret: Draft.Caret) -> Box {
    let places = places
    guard places.indices.contains(caret.block) else { return Box(body.x, body.y, 0, 18) }
    return layout(caret.block).caret(at: caret.offset).moved(places[caret.block].x, places[caret.block].y)
  }

  func box(ofImage id: Int) -> Box? { draft.blocks.firstIndex(of: .image(id)).map { places[$0] } }

  // MARK: Changing

  func change(_ event: String, _ body: (inout Draft) -> Void) {
    let before = draft
    body(&draft)
    if draft.blocks != before.blocks {
      past.append(before)
      if past.count > 100 { past.removeFirst() }
      say(event)
    }
    scroll(to: scroll)
    mail.window.redraw()
  }

  func say(_ event: String) { mail.report.say(event, ("letter", .list(draft.summary))) }

  func makeAttachment(_ name: String?) -> Attachment {
    newest += 1
    let attachment = Attachment(id: newest, name: name, .coming(nil))
    attachments[newest] = attachment
    return attachment
  }

  private func scroll(to y: Double) {
    let end = (places.last?.maxY ?? 0) + scroll
    scroll = max(0, min(end + 20 - body.maxY, y))
  }

  func reveal(_ box: Box) {
    if box.maxY > body.maxY - 12 { scroll(to: scroll + box.maxY - body.maxY + 24) }
    if box.y < body.y + 8 { scroll(to: scroll - (body.y + 16 - box.y)) }
    mail.window.redraw()
  }

  // MARK: Looks

  func isMoving(at now: Double) -> Bool {
    draft.blocks.contains { if case .image(let id) = $0 { attachments[id]?.isMoving(at: now) == true } else { false } }
  }

  func draw(on c: Canvas, now: Double) {
    c.fill(box, .white)
    c.saved {
      c.clip(body)
      for (i, place) in places.enumerated() where place.maxY > body.y && place.y < body.maxY {
        switch draft.blocks[i] {
        case .text: c.draw(layout(i), at: Point(x: place.x, y: place.y))
        case .image(let id): attachments[id]?.draw(on: c, in: place, now: now)
        }
      }
      drawCaret(on: c)
    }
    drawHead(on: c)
  }

  private func drawCaret(on c: Canvas) {
    if let dropCaret = surface?.dropCaret {
      let b = box(of: dropCaret)
      c.fill(Box(b.x - 1.25, b.y - 2, 2.5, b.height + 4), radius: 1.25, .accent)
      c.circle(Point(x: b.x, y: b.y - 3), radius: 4)
      c.fillPath(.accent)
    } else if mail.window.isFocused {
      let b = box(of: draft.caret)
      c.fill(Box(b.x - 0.75, b.y, 1.5, b.height), Color(0x3A3733))
    }
  }

  private func drawHead(on c: Canvas) {
    c.draw(
      TextLayout("New message", TextStyle(20, .semibold)), at: Point(x: box.x + Self.margin, y: box.y + 17))
    var y = box.y + 56.0
    for (name, value) in Self.fields {
      let label = TextLayout(name + ":", TextStyle(13, color: Color(0x8B857B)))
      c.draw(label, at: Point(x: box.x + Self.margin, y: y + 5))
      let text = TextLayout(value, TextStyle(13, .medium), width: width - 70, isOneLine: true)
      c.draw(text, at: Point(x: box.x + Self.margin + label.size.width + 8, y: y + 5))
      y += 30
      c.fill(Box(box.x + Self.margin, y, width, 1), Color(0xE8E4DC))
    }
  }

  // MARK: Mouse, fingers and keys

  func pointer(_ e: PointerEvent) {
    switch e.phase {
    case .began:
      guard body.contains(e.place) else { return }
      grip = (e.source, e.place, scroll)
    case .moved:
      if let grip, grip.source == e.source, e.isTouch { scroll(to: grip.scroll - (e.place.y - grip.start.y)) }
    case .ended:
      guard let grip, grip.source == e.source else { return }
      self.grip = nil
      if (e.place - grip.start).length < 10 { draft.place(at: caret(at: e.place)) }
    case .cancelled: grip = nil
    case .scrolled(let lines): if body.contains(e.place) { scroll(to: scroll + lines * 24) }
    default: break
    }
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("z") {
      guard let earlier = past.popLast() else { return }
      draft = earlier
      say("undone")
      return mail.window.redraw()
    }
    guard e.modifiers.isDisjoint(with: [.control, .alt]) else { return }
    switch e.key {
    case .text(let text): change("typed") { $0.insert(text) }
    case .enter: change("typed") { $0.insert("\n") }
    case .backspace: change("typed") { $0.deleteBackward() }
    case .left: draft.step(-1)
    case .right: draft.step(1)
    case .up, .down:
      let b = box(of: draft.caret)
      draft.place(at: caret(at: Point(x: b.x, y: e.key == .up ? b.y - 8 : b.maxY + 12)))
    case .pageUp: scroll(to: scroll - body.height * 0.9)
    case .pageDown: scroll(to: scroll + body.height * 0.9)
    default: return
    }
    switch e.key {
    case .pageUp, .pageDown: mail.window.redraw()
    default: reveal(box(of: draft.caret))
    }
  }

  // MARK: Engine

  func connect(_ client: Client) { surface = LetterSurface(self, client) }
}
