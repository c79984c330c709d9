import Carry
import DemoKit

/// The app: a folder's files, in a grid. It takes drops where it can write.
final class FolderWindow: WindowContent, CellDragDelegate, DropInteractionDelegate {
  private let app: App
  private let window: Window
  private let report: Report
  private let path: String
  private let neverWrites: Bool
  private(set) var cells: CellRegions?
  private var surface: Region?
  private var files: [File] = []
  private lazy var hover = Hover(window)
  private var isReadOnly: Bool
  private var isSaving = 0

  private static let head = 70.0
  private static let cell = (width: 116.0, height: 118.0)

  init(_ app: App, _ path: String, _ options: Program.Options) {
    self.app = app
    self.path = path
    neverWrites = options.flags.contains("--read-only")
    isReadOnly = neverWrites || !Program.canWrite(inFolder: path)
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Folder", program: "carry-folder", width: 420, height: 380, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { File.drawFolder(on: $0, in: Box(6, 10, 52, 44)) })
    window.content = self
    app.engine.onReady = { [unowned self] in connect($0) }
    app.engine.onConnected = { [unowned self] in changed("connected") }
    app.engine.onLost = { [unowned self] in changed("disconnected") }
    read()
    window.show()
    report.say("ready", ("read-only", .number(isReadOnly ? 1 : 0)))
  }

  private func changed(_ event: String) {
    report.say(event)
    window.redraw()
  }

  private func read() {
    let known = files
    files = Program.list(path).prefix(200).map { name in
      known.first { $0.name == name && $0.isCurrent } ?? File(name, in: path)
    }
    cells?.frames = frames
    window.redraw()
  }

  // MARK: Places

  private func place(_ i: Int) -> Box {
    let columns = max(1, Int((window.width - 24) / Self.cell.width))
    let each = (window.width - 24) / Double(columns)
    return Box(
      12 + Double(i % columns) * each, Self.head + Double(i / columns) * Self.cell.height, each, Self.cell.height)
  }

  private var frames: [Rect] {
    files.indices.map { i in
      place(i).maxY <= window.height ? place(i).inset(6).pixels(app.scale) : Rect(x: 0, y: 0, width: 0, height: 0)
    }
  }

  private var all: Box { Box(0, 0, window.width, window.height) }

  // MARK: Looks

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    c.clear(Color(0xFDFDFC))
    c.fill(Box(0, 0, size.width, 54), Color(0xF1F2F4))
    c.fill(Box(0, 53.5, size.width, 1), Color(0xDDE0E4))
    File.drawFolder(on: c, in: Box(16, 15, 30, 25))
    let name = path.split(separator: "/").last.map(String.init) ?? "/"
    c.draw(
      TextLayout(name, TextStyle(16, .semibold), width: max(40, size.width - 180), isOneLine: true),
      at: Point(x: 56, y: 16))
    if isReadOnly {
      let text = TextLayout("Read-only", TextStyle(12, .medium, color: Color(0x7A6A50)))
      let pill = Box(size.width - text.size.width - 56, 14, text.size.width + 40, 26)
      c.fill(pill, radius: 13, Color(0xF3E7CF))
      Self.drawLock(on: c, at: Point(x: pill.x + 17, y: pill.center.y + 1))
      c.draw(text, at: Point(x: pill.x + 29, y: pill.center.y - text.size.height / 2))
    } else if isSaving > 0 {
      c.spinner(at: Point(x: size.width - 28, y: 27), radius: 9, now: app.now)
      window.animate()
    }
    for (i, file) in files.enumerated() where place(i).maxY <= size.height { file.draw(on: c, in: place(i)) }
    if files.isEmpty { c.draw("Empty", TextStyle(15, color: Color(0xA0A5AC)), centeredIn: all) }
    if hover.isAbove { c.stroke(Box(3, 57, size.width - 6, size.height - 60), radius: 8, .accent, width: 3) }
    if !app.engine.isConnected { c.drawAbsence(in: all) }
  }

  private static func drawLock(on c: Canvas, at p: Point) {
    c.stroke(Box(p.x - 3, p.y - 8, 6, 9), radius: 3, Color(0x7A6A50), width: 1.6)
    c.fill(Box(p.x - 5, p.y - 3, 10, 8), radius: 1.5, Color(0x7A6A50))
  }

  func key(_ e: KeyEvent) { if e.isShortcut("q") || e.isShortcut("w") { closed() } }

  func resized() {
    surface?.frame = all.pixels(app.scale)
    cells?.frames = frames
  }

  func focusChanged() { read() }
  func closed() { app.stop() }

  // MARK: Engine

  private func connect(_ client: Client) {
    let surface = Region(client: client, window: window.number, frame: all.pixels(app.scale))
    surface.label = "Folder"
    surface.addInteraction(DropInteraction(delegate: self))
    self.surface = surface
    cells = CellRegions(client: client, window: window.number, delegate: self) { [unowned self] region, _ in
      region.onTouchCancelled = { [unowned self] in window.touchCancelled($0) }
    }
    cells?.frames = frames
  }

  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem] {
    guard files.indices.contains(index) else { return [] }
    let options: ItemProvider.FileOptions = isReadOnly ? [] : .openInPlace
    return [DragItem(itemProvider: ItemProvider(contentsOf: "\(path)/\(files[index].name)", fileOptions: options))]
  }

  // MARK: What is dropped

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    isReadOnly = neverWrites || !Program.canWrite(inFolder: path)
    window.redraw()
  }

  /// It takes drops, but not now: that is "forbidden", and the words say why.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard !session.isLocal else { return DropProposal(operation: .cancel) }
    guard !isReadOnly else {
      var proposal = DropProposal(operation: .forbidden)
      proposal.reason = "This folder is read-only"
      return proposal
    }
    hover.show(above: true)
    return DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { hover.show(above: false) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { hover.show(above: false) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    hover.show(above: false)
    for item in session.items {
      let provider = item.itemProvider
      // What has a suffix of its own can be opened again: rather that than what only its own app knows.
      guard let type = provider.bestType(conformingTo: File.suffixes.map(\.type)) ?? provider.registeredTypes.first
      else { continue }
      isSaving += 1
      provider.saveRepresentation(forType: type, in: path, as: File.name(provider.suggestedName, type)) { [weak self] in
        self?.saved($0)
      }
    }
  }

  private func saved(_ result: Result<LoadedFile, LoadError>) {
    isSaving -= 1
    switch result {
    case .success(let file): report.say("saved", ("path", .text(file.path)))
    case .failure(let error): report.say("failed", ("why", .text(error.description)))
    }
    read()
  }
}
