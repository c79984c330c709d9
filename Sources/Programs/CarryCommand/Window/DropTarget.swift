import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// The destination behind `carry drop`: one drop interaction that fills a window.
final class DropTarget: DropInteractionDelegate, WindowContent {
  /// What to do with drops.
  struct Handling {
    /// Media types, in the order of preference; empty for everything.
    var accepted: [String] = []
    /// Where to save; nil to show.
    var folder: String?
    /// Whether the source is to let go of what was saved, where it allows that.
    var moves = false
    /// Whether what is saved keeps its time and permissions.
    var keepsAttributes = false
    /// Whether nothing is printed but what was dropped: paths, or the data itself.
    var printsOnlyDrops = false
    /// Whether the place of each file is printed, as its source names it, and not what is in it.
    var printsPlaces = false
    /// Whether what came stays in the window, to be dragged elsewhere.
    var keeps = false
    /// What to run with the path of each thing that was saved.
    var program: String?
    /// Whether to end after the first drop.
    var once = false
    var json = false
  }

  private let handling: Handling
  private let printer: Printer
  let display: Display
  private let window: Window
  private var region: Region!
  private var isLit = false
  /// Whether nothing can be made in the folder any more.
  private var isFolderClosed = false
  private var message = "Drop here"
  /// What the window accepts, or has received.
  private var detail = ""
  private(set) var hasReceived = false
  /// Whether any dropped item was refused, or could not be loaded or saved.
  private(set) var hasFailed = false
  /// The number of loads under way.
  private var open = 0
  /// What is kept; nil where nothing is.
  private var kept: KeptThings?

  init(
    client: Client, geometry: WindowGeometry?, _ handling: Handling, _ printer: Printer
  ) throws(Problem) {
    self.handling = handling
    self.printer = printer
    if let folder = handling.folder {
      detail = "to save in \(SafeText.displayable(folder))"
    } else {
      detail = handling.accepted.isEmpty ? "anything" : handling.accepted.joined(separator: ", ")
    }
    display = try Display.open()
    window = Window(
      display, title: "carry drop", program: "carry-drop", width: 300, height: 300, geometry: geometry)
    window.content = self
    window.show()
    region = Region(client: client, window: window.number, frame: frame)
    region.onRefused = { [unowned self] why in
      self.printer.error("the engine refused the window: \(why)")
      ToolLoop.stop()
    }
    let interaction = DropInteraction(delegate: self)
    interaction.acceptedTypes = handling.accepted
    region.addInteraction(interaction)
    region.pasteConfiguration = PasteConfiguration(
      acceptableTypes: handling.accepted.isEmpty ? ["*/*"] : handling.accepted)
    region.onPaste = { [unowned self] _, session in
      self.say("pasted", session)
      self.load(session)
    }
    guard handling.keeps else { return }
    let board = TileBoard(client: client, window: window, TileBoard.Handling(json: handling.json), printer)
    board.isSilent = handling.printsOnlyDrops
    board.otherInteraction = { [unowned self] in DropInteraction(delegate: self) }
    kept = KeptThings(board, printer)
  }

  // MARK: The window

  /// The whole window, in pixels.
  private var frame: Carry.Rect { Carry.Rect(x: 0, y: 0, width: window.pixels.width, height: window.pixels.height) }

  func draw(on canvas: Canvas, size: (width: Double, height: Double)) {
    if !isLit, let board = kept?.board, !board.isEmpty { return board.draw(on: canvas, size) }
    Paint.dropZone(on: canvas, size: size, isLit: isLit, title: message, detail: detail)
  }

  func resized() {
    region.frame = frame
    kept?.board.layOut()
  }

  func key(_ event: KeyEvent) {
    if event.isControl("v") { paste() } else if event.isControl("c") { kept?.board.copyAll() }
  }

  func closed() { ToolLoop.stop() }

  // MARK: Drops

  private func light(_ on: Bool) {
    guard on != isLit else { return }
    isLit = on
    window.redraw()
  }

  /// The representation to load: the first accepted one, or the best there is.
  private func type(of item: DragItem) -> String? {
    if handling.printsPlaces, handling.accepted.isEmpty, item.itemProvider.registeredTypes.contains(Self.list) {
      return Self.list
    }
    return typeToTake(item)
  }

  private static let list = "text/uri-list"

  private func typeToTake(_ item: DragItem) -> String? {
    handling.accepted.isEmpty
      ? item.itemProvider.registeredTypes.first : item.itemProvider.bestType(conformingTo: handling.accepted)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    // Its permissions may have changed, or it may be gone.
    if let folder = handling.folder { isFolderClosed = !DropCommand.canSave(in: folder) }
    say("entered", session)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    // "Forbidden" is for a target that takes drops, but not these items, or not now.
    guard !isFolderClosed else {
      var proposal = DropProposal(operation: .forbidden)
      proposal.reason = "Nothing can be saved here"
      return proposal
    }
    // What is dragged out of this window is here already.
    if kept != nil, session.localDragSession != nil { return DropProposal(operation: .cancel) }
    if let kept, kept.board.room == 0 {
      var proposal = DropProposal(operation: .forbidden)
      proposal.reason = "The window is full"
      return proposal
    }
    let takes = session.items.contains { type(of: $0) != nil }
    light(takes)
    return DropProposal(operation: takes ? handling.moves && session.allowsMoveOperation ? .move : .copy : .cancel)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    light(false)
    say("exited", session)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    light(false)
    say("dropped", session, session.operation)
    load(session)
  }

  private func paste() {
    do {
      try region.paste { [unowned self] count in
        if count == 0 { self.printer.error("the clipboard holds nothing that this window takes") }
      }
    } catch { printer.error(error.description) }
  }

  /// Loads one representation of each item that was dropped or pasted.
  private func load(_ session: DropSession) {
    // An item that fails at once does not end the drop before the others are begun.
    open += 1
    defer { loadEnded() }
    for item in session.items {
      guard let type = type(of: item) else {
        let types = item.itemProvider.registeredTypes.joined(separator: ", ")
        let name = item.itemProvider.suggestedName ?? "an item"
        printer.error("\(name): left out, since none of its types is accepted: \(types)")
        continue
      }
      if let folder = handling.folder {
        save(item, type, session.identifier, to: folder)
      } else if handling.printsPlaces, type != Self.list {
        find(item, type, session.identifier)
      } else {
        show(item, type, session.identifier)
      }
    }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {
    light(false)
    say("ended", session, session.operation)
    if session.operation == .cancel || session.operation == .forbidden { return }
    if handling.once, open == 0 { ToolLoop.stop() }
  }

  // MARK: Loading

  private func show(_ item: DragItem, _ type: String, _ number: UInt32) {
    open += 1
    let load = item.itemProvider.loadDataRepresentation(forType: type) { [unowned self] result in
      switch result {
      case .success(let bytes):
        if self.handling.printsPlaces {
          self.listed(bytes, item, number)
        } else {
          if self.kept?.keep(bytes, type: type, name: item.itemProvider.suggestedName) != false {
            self.received(type, bytes.count, item, number, path: nil, bytes: bytes)
          } else {
            self.hasFailed = true
          }
        }
      case .failure(let error): self.failed(type, item, number, error.description)
      }
      self.loadEnded()
    }
    showProgress(of: load, item, type)
  }

  /// Prints the paths of a list of files.
  private func listed(_ bytes: [UInt8], _ item: DragItem, _ number: UInt32) {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
    let paths = lines.compactMap { FileLink(address: $0)?.path }
    guard !paths.isEmpty else { return failed(Self.list, item, number, "names no file of this machine") }
    for path in paths {
      received(Self.list, bytes.count, item, number, path: path, bytes: nil)
      kept?.keep(fileAt: path)
    }
  }

  /// Prints where a file is, if its source lets others open it there.
  private func find(_ item: DragItem, _ type: String, _ number: UInt32) {
    open += 1
    let load = item.itemProvider.loadInPlaceFileRepresentation(forType: type) { [unowned self] result in
      switch result {
      case .success(let file) where file.isOriginal:
        self.received(type, 0, item, number, path: file.path, bytes: nil)
        self.kept?.keep(fileAt: file.path)
      case .success: self.failed(type, item, number, "the source does not say where it is; --to DIR saves it")
      case .failure(let error): self.failed(type, item, number, error.description)
      }
      self.loadEnded()
    }
    showProgress(of: load, item, type)
  }

  /// On a terminal, a line shows how far a load is that takes a while.
  private func showProgress(of load: Carry.Load, _ item: DragItem, _ type: String) {
    guard let line = Progress(SafeText.displayable(item.itemProvider.suggestedName ?? type)) else { return }
    let began = MonotonicClock.now()
    load.onProgress = { load in
      let now = MonotonicClock.now()
      guard !load.isFinished else { return line.clear() }
      guard now - began > Progress.worthwhile else { return }
      line.show(load.fractionCompleted ?? 0, note: Self.amount(load.completedBytes), at: now)
    }
  }

  private static func amount(_ bytes: Int) -> String {
    bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }

  private func save(_ item: DragItem, _ type: String, _ number: UInt32, to folder: String) {
    open += 1
    let load = item.itemProvider.saveRepresentation(
      forType: type, in: folder, keepsAttributes: handling.keepsAttributes
    ) { [unowned self] result in
      switch result {
      case .success(let file):
        for path in file.leftOut {
          self.printer.error("\(file.path)/\(path): left out, as it is no file, folder or link to one of them")
        }
        self.received(type, file.byteCount, item, number, path: file.path, bytes: nil)
        // A folder may have come as an archive.
        let isOfFolder = file.isFolder || type == "inode/directory"
        self.kept?.keep(fileAt: file.path, type: isOfFolder ? nil : type)
        self.follow(file.path, type, item, number)
      case .failure(let error):
        self.failed(type, item, number, error.description)
      }
      self.loadEnded()
    }
    showProgress(of: load, item, type)
  }

  /// Runs the program of `--exec`.
  private func follow(_ path: String, _ type: String, _ item: DragItem, _ number: UInt32) {
    guard let program = handling.program else { return }
    do throws(Problem) {
      let follower = try Follower(program, path)
      open += 1
      ToolLoop.follow(follower) { [unowned self] problem in
        if let problem { self.failed(type, item, number, problem) }
        self.loadEnded()
      }
    } catch {
      failed(type, item, number, error.sentence)
    }
  }

  private func loadEnded() {
    open -= 1
    if handling.once, open == 0 { ToolLoop.stop() }
  }

  private func received(
    _ type: String, _ count: Int, _ item: DragItem, _ session: UInt32, path: String?, bytes: [UInt8]?
  ) {
    hasReceived = true
    message = "Received"
    detail = SafeText.displayable(path ?? item.itemProvider.suggestedName ?? type)
    window.redraw()
    if handling.printsOnlyDrops {
      if let path {
        if !printer.path(path) { failed(type, item, session, "\(path): a name with a newline or a control character") }
      } else if let bytes {
        printer.data(bytes)
      }
      return printer.flush()
    }
    var line = EventLine("received")
    line.add(session: session)
    line.add("type", type)
    line.add("bytes", count, unit: count == 1 ? "byte" : "bytes")
    if let name = item.itemProvider.suggestedName { line.add("name", name, label: "named") }
    if let path { line.add("path", path, label: "saved as") }
    if let bytes, type.hasPrefix("text/"), count <= 65_536, let text = String(validating: bytes, as: UTF8.self) {
      // A person's terminal gets the text without its control characters; a script gets all of it, escaped by JSON.
      line.add("text", handling.json ? text : SafeText.displayable(text, limit: 65_536))
    }
    line.print(asJSON: handling.json, printer)
  }

  private func failed(_ type: String, _ item: DragItem, _ session: UInt32, _ why: String) {
    hasFailed = true
    let name = item.itemProvider.suggestedName ?? item.itemProvider.refusedName
    printer.error("\(name ?? type): \(why)")
    // A person has just read it on standard error.
    guard handling.json else { return }
    var line = EventLine("failed")
    line.add(session: session)
    line.add("type", type)
    if let name { line.add("name", name) }
    line.add("message", why)
    line.print(asJSON: true, printer)
  }

  private func say(_ event: String, _ session: DropSession, _ operation: Carry.DropOperation? = nil) {
    if handling.printsOnlyDrops { return }
    var line = EventLine(event)
    line.add(session: session.identifier)
    line.add(session.items)
    if event != "ended" { line.add(session.location(in: region)) }
    if let operation { line.add(operation) }
    line.print(asJSON: handling.json, printer)
  }
}
