import Carry
import DemoKit

/// The notes' drag and drop, as long as there is an engine: text and links go out paragraph by paragraph, text comes in
/// at the caret, links on the "+", and tabs and the "+" spring open.
final class Surface: DragInteractionDelegate {
  /// What is dragged; our own drops see it.
  enum Piece {
    case text(note: Int, range: Range<Int>, String)
    case link(Link)
  }

  /// What can be lifted: the link, the paragraphs, the pictures above them, and the selection above all.
  private enum Part: Equatable {
    case link
    case paragraph(Range<Int>)
    case picture(UnicodeScalar, Range<Int>)
    case selection(Range<Int>)

    /// Whether a region may go from one to the other.
    func isLike(_ other: Part) -> Bool {
      switch (self, other) {
      case (.link, .link), (.paragraph, .paragraph), (.picture, .picture), (.selection, .selection): true
      default: false
      }
    }
  }

  unowned let notes: Notes
  private let client: Client
  let plus, page: Region
  lazy var plusDrop = DropInteraction(delegate: self)
  lazy var pageDrop = DropInteraction(delegate: self)
  private var tabs: [Region] = []
  private var parts: [(part: Part, region: Region, drag: DragInteraction)] = []
  /// Drags from here that are under way.
  private var running: Set<UInt32> = []
  /// The note that hovering over the "+" has made: what is dropped there next is for it.
  var sprung: Int?
  /// Where what was dropped last goes down, in units of the window.
  var landing: [(item: DragItem, place: Point)] = []

  var app: App { notes.app }

  init(_ notes: Notes, _ client: Client) {
    self.notes = notes
    self.client = client
    func region() -> Region {
      Region(client: client, window: notes.window.number, frame: Rect(x: 0, y: 0, width: 0, height: 0))
    }
    (plus, page) = (region(), region())
    // Two hands may bring something at the same time.
    pageDrop.allowsSimultaneousDropSessions = true
    page.addInteraction(pageDrop)
    plus.addInteraction(plusDrop)
    plus.addInteraction(
      SpringLoadedInteraction(
        effect: { [unowned notes] _, context in
          notes.plusState = context.state
          let isLit = context.state == .possible || context.state == .activating
          notes.plusGlow.go(to: isLit ? 1 : 0, at: notes.app.now, over: 0.15)
          notes.window.redraw()
        },
        activationHandler: { [weak self, unowned notes] _, _ in self?.sprung = notes.open("spring-opened") }))
    follow()
  }

  // MARK: Regions

  /// Brings the regions in line with what is shown.
  func follow() {
    let l = notes.layout
    page.frame = Box(0, Layout.bar, l.all.width, l.all.height - Layout.bar).pixels(app.scale)
    plus.frame = l.plus.inset(-4).pixels(app.scale)
    followTabs(l)
    followParts(l)
  }

  private func followTabs(_ l: Layout) {
    while tabs.count > l.tabs.count { tabs.removeLast().invalidate() }
    while tabs.count < l.tabs.count {
      let i = tabs.count
      let region = Region(client: client, window: notes.window.number, frame: l.tabs[i].pixels(app.scale))
      region.addInteraction(
        SpringLoadedInteraction(
          effect: { [unowned notes] _, context in
            notes.litTab = context.state == .possible || context.state == .activating ? i : nil
            notes.window.redraw()
          },
          activationHandler: { [unowned notes] _, _ in notes.show(i) }))
      tabs.append(region)
    }
    for (i, tab) in l.tabs.enumerated() { tabs[i].frame = tab.pixels(app.scale) }
  }

  private func followParts(_ l: Layout) {
    var wanted: [(Part, Box)] = []
    if let box = l.link { wanted.append((.link, box)) }
    for range in notes.note.paragraphs where !Note.harmless(notes.note.slice(range)).isEmpty {
      if let box = l.frame(of: range) { wanted.append((.paragraph(range), box)) }
    }
    for p in l.pictures where p.box.y < l.page.maxY && p.box.maxY > l.page.y {
      wanted.append((.picture(p.mark, p.range), p.box))
    }
    if !notes.note.selection.isEmpty, let box = l.frame(of: notes.note.selection) {
      wanted.append((.selection(notes.note.selection), box))
    }
    // Newer regions lie above older ones: where the kinds change, all from there on are made anew. Not while something
    // of ours is carried, which began in one of them.
    var same = 0
    while same < min(parts.count, wanted.count), parts[same].part.isLike(wanted[same].0) { same += 1 }
    if running.isEmpty {
      for old in parts[same...] { old.region.invalidate() }
      parts.removeSubrange(same...)
      while parts.count < wanted.count {
        let region = Region(
          client: client, window: notes.window.number, frame: wanted[parts.count].1.pixels(app.scale))
        region.onTouchCancelled = { [unowned notes] in notes.window.touchCancelled($0) }
        let drag = DragInteraction(delegate: self)
        region.addInteraction(drag)
        parts.append((wanted[parts.count].0, region, drag))
      }
    } else {
      // What is not shown any more cannot be reached.
      for i in parts.indices.dropFirst(same) { parts[i].region.frame = Rect(x: 0, y: 0, width: 0, height: 0) }
    }
    for i in 0..<min(same, parts.count) {
      parts[i].part = wanted[i].0
      parts[i].region.frame = wanted[i].1.pixels(app.scale)
    }
  }

  // MARK: Dragging

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(of: interaction)
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    items(of: interaction)
  }

  private func items(of interaction: DragInteraction) -> [DragItem] {
    guard let part = parts.first(where: { $0.drag === interaction })?.part else { return [] }
    let piece: Piece
    var picture: Attachment?
    switch part {
    case .link:
      guard let link = notes.note.link else { return [] }
      piece = .link(link)
    case .picture(let mark, let range):
      guard let found = notes.pictures[mark] else { return [] }
      picture = found
      piece = .text(note: notes.note.id, range: range, String(mark))
    case .paragraph(let range), .selection(let range):
      let text = notes.note.slice(range)
      guard !text.isEmpty else { return [] }
      piece = .text(note: notes.note.id, range: range, text)
    }
    let item = DragItem(itemProvider: picture?.provider() ?? Self.provider(of: piece))
    item.localObject = piece
    return [item]
  }

  private static func provider(of piece: Piece) -> ItemProvider {
    switch piece {
    case .link(let link): return provider(of: link)
    case .text(_, _, let all):
      let text = Note.harmless(all)
      // Text that is an address is carried as one.
      if let link = Link(text) { return provider(of: link) }
      let provider = ItemProvider(text: text)
      provider.suggestedName = "Note.txt"
      return provider
    }
  }

  private static func provider(of link: Link) -> ItemProvider {
    let provider = ItemProvider()
    let representations = [
      ("text/uri-list", Array((link.address + "\r\n").utf8)), ("text/x-moz-url", link.mozilla),
      ("text/plain;charset=utf-8", Array(link.address.utf8)), ("text/plain", Array(link.address.utf8)),
    ]
    for (type, bytes) in representations {
      provider.registerDataRepresentation(forType: type) { $0(.success(bytes)) }
    }
    provider.suggestedName = link.host
    return provider
  }

  /// Text lifts line by line, a link as its card.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let one = parts.first(where: { $0.drag === interaction }) else {
      return interaction.region.map { TargetedDragPreview(region: $0) }
    }
    let frame = one.region.frame
    var parameters = DragPreviewParameters()
    switch one.part {
    case .link, .picture:
      let radius = one.part == .link ? 12.0 : 8
      parameters = DragPreviewParameters(
        width: frame.width, height: frame.height, cornerRadius: radius * app.scale)
    case .paragraph(let range), .selection(let range):
      let l = notes.layout
      let lines = l.boxes(range).filter { $0.maxY > l.page.y && $0.y < l.page.maxY }.map { box -> Rect in
        var r = box.pixels(app.scale)
        (r.x, r.y) = (r.x - frame.x, r.y - frame.y)
        return r
      }
      parameters = DragPreviewParameters(textLineRects: lines)
    }
    let paper = Notes.paper
    parameters.backgroundColor = PreviewColor(red: paper.red, green: paper.green, blue: paper.blue)
    return TargetedDragPreview(window: notes.window.number, rect: frame, parameters: parameters)
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {
    running.insert(session.identifier)
    notes.say("lifted")
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {
    if position == .start { ended(session, "lift-reversed") }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    let word =
      switch operation {
      case .copy: "copied-out"
      case .move: "moved-by-drag"
      case .cancel, .forbidden: "drag-cancelled"
      }
    ended(session, word)
  }

  private func ended(_ session: DragSession, _ event: String) {
    running.remove(session.identifier)
    notes.changed(event)
  }
}
