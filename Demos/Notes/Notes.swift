import Carry
import DemoKit

/// The app: notes in tabs, and a "+" that makes one, from a link too.
final class Notes: WindowContent {
  let app: App
  let window: Window
  private let report: Report
  var notes: [Note] = []
  private(set) var current = 0
  private var newest = 0
  var scroll = 0.0
  private var histories: [Int: [Note]] = [:]
  /// Letters typed one after another are taken back together.
  var isTyping = false

  var surface: Surface?
  var plusGlow = Animation(0)
  var plusState = SpringLoadedInteraction.State.inactive
  var litTab: Int?
  var hovered: Point?
  var blinkStart = 0.0
  /// Whether the caret will be drawn again by itself.
  var blinks = false

  /// One note, without tabs.
  let isLetter: Bool
  /// Every picture of a note, and of those that going back may bring again.
  private(set) var pictures: [UnicodeScalar: Attachment] = [:]
  private var newestMark = Attachment.marks.lowerBound

  enum Grip {
    case selecting
    case panning(from: Point, scroll: Double, moved: Bool)
    case pressing(Target)
  }
  enum Target: Equatable { case tab(Int), close, plus }
  var grips: [PointerEvent.Source: Grip] = [:]

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    let isLetter = options.flags.contains("--letter")
    self.isLetter = isLetter
    window = Window(
      app.display, title: isLetter ? "Letter" : "Notes",
      program: options.values["--class"] ?? (isLetter ? "carry-letter" : "carry-notes"), width: isLetter ? 560 : 700,
      height: isLetter ? 620 : 500, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { isLetter ? Icon.envelope(on: $0) : Icon.notes(on: $0) })
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
    // One goes on behind what is there.
    if isLetter { notes[0].place(at: notes[0].text.utf8.count) }
    app.engine.onReady = { [unowned self] client in surface = Surface(self, client) }
    app.engine.onConnected = { [unowned self] in
      say("connected")
      window.redraw()
    }
    app.engine.onLost = { [unowned self] in
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
    window.setTitle("\(note.title) – \(isLetter ? "Letter" : "Notes")")
    changed("shown")
  }

  func close(_ i: Int) {
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

  func undo() {
    guard let before = histories[note.id]?.popLast() else { return }
    notes[current] = before
    isTyping = false
    changed("undone")
  }

  /// Only the caret moved.
  func moved() {
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

  /// Says how things stand; a picture in the text is U+FFFC, as everywhere.
  func say(_ event: String) {
    var text = String.UnicodeScalarView()
    for s in note.text.unicodeScalars { text.append(Attachment.isMark(s) ? "\u{FFFC}" : s) }
    report.say(
      event, ("tabs", .list(notes.map(\.title))), ("current", .number(Double(current))), ("text", .text(String(text))),
      ("link", .text(note.link?.address ?? "")), ("caret", .number(Double(note.caret))),
      ("pictures", .list(note.marks.compactMap { pictures[$0.mark]?.summary })))
  }

  /// Makes a picture for a note of what has come; nil when it is none.
  func attach(_ bytes: [UInt8], name: String?) -> UnicodeScalar? {
    guard let (picture, type) = Picture.decode(bytes), newestMark < Attachment.marks.upperBound,
      let mark = UnicodeScalar(newestMark)
    else { return nil }
    newestMark += 1
    let new = Attachment(mark, name: name, bytes, type: type, picture)
    new.arrival.go(to: 1, at: app.now, over: 0.3)
    pictures[mark] = new
    return mark
  }

  // MARK: Layout

  var layout: Layout {
    Layout(
      width: window.width, height: window.height, count: isLetter ? 0 : notes.count, note: note, scroll: scroll
    ) { pictures[$0]?.ratio ?? 0.75 }
  }

  func scroll(to y: Double) {
    let new = max(0, min(layout.most, y))
    guard new != scroll else { return }
    scroll = new
    surface?.follow()
    window.redraw()
  }

  func showCaret() {
    let l = layout
    let box = l.caret(at: note.caret)
    if box.y < l.page.y { scroll(to: scroll - (l.page.y - box.y)) }
    if box.maxY > l.page.maxY { scroll(to: scroll + box.maxY - l.page.maxY) }
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
