import Carry
import CarryModel
import CarrySystem

/// The destination behind `carry drop`: one drop interaction that fills a window.
final class DropTarget: DropInteractionDelegate {
  private let accepted: [String]
  /// Where to save; nil to show.
  private let folder: String?
  private let once: Bool
  private let json: Bool
  private let printer: Printer
  private(set) var window: ToolWindow!
  private var region: Region!
  private var isLit = false
  private var message = "Drop here"
  private(set) var hasReceived = false
  /// Whether any dropped item was refused, or could not be loaded or saved.
  private(set) var hasFailed = false
  /// The number of loads under way.
  private var open = 0

  init(
    client: Client, geometry: Geometry, accepted: [String], folder: String?, once: Bool, json: Bool,
    _ printer: Printer
  ) throws(Problem) {
    self.accepted = accepted
    self.folder = folder
    self.once = once
    self.json = json
    self.printer = printer
    let detail = accepted.isEmpty ? "anything" : accepted.joined(separator: ", ")
    window = try ToolWindow(title: "carry drop", geometry: geometry) { [unowned self] c, w, h in
      Paint.dropZone(c, width: w, height: h, isLit: self.isLit, title: self.message, detail: detail)
    }
    region = Region(
      client: client, window: window.window,
      frame: Carry.Rect(x: 0, y: 0, width: window.width, height: window.height))
    region.onRefused = { [unowned self] why in
      self.printer.error("the engine refused the window: \(why)")
      ToolLoop.stop()
    }
    region.addInteraction(DropInteraction(delegate: self))
    window.onClosed = { ToolLoop.stop() }
    window.onResized = { [unowned self] in
      self.region.frame = Carry.Rect(x: 0, y: 0, width: self.window.width, height: self.window.height)
    }
  }

  private func light(_ on: Bool) {
    guard on != isLit else { return }
    isLit = on
    window.redraw()
  }

  /// The representation to load: the first accepted one, or the best there is.
  private func type(of item: DragItem) -> String? {
    accepted.isEmpty
      ? item.itemProvider.registeredTypes.first : item.itemProvider.bestType(conformingTo: accepted)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    say("entered", session)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    // "Forbidden" is for a target that takes drops, but not these items.
    let takes = session.items.contains { type(of: $0) != nil }
    light(takes)
    return DropProposal(operation: takes ? .copy : .forbidden)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    light(false)
    say("exited", session)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    light(false)
    say("dropped", session, .copy)
    for item in session.items {
      guard let type = type(of: item) else { continue }
      if let folder {
        save(item, type, session.identifier, to: folder)
      } else {
        show(item, type, session.identifier)
      }
    }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {
    light(false)
    say("ended", session, session.operation)
    if session.operation == .cancel || session.operation == .forbidden { return }
    if once, open == 0 { ToolLoop.stop() }
  }

  // MARK: Loading

  private func show(_ item: DragItem, _ type: String, _ number: UInt32) {
    open += 1
    item.itemProvider.loadDataRepresentation(forType: type) { [unowned self] result in
      switch result {
      case .success(let bytes): self.received(type, bytes.count, item, number, path: nil, bytes: bytes)
      case .failure(let error): self.failed(type, item, number, error.description)
      }
      self.loadEnded()
    }
  }

  private func save(_ item: DragItem, _ type: String, _ number: UInt32, to folder: String) {
    open += 1
    item.itemProvider.saveRepresentation(forType: type, in: folder) { [unowned self] result in
      switch result {
      case .success(let file):
        for path in file.leftOut {
          self.printer.error("\(file.path)/\(path): left out, as it is no file, folder or link to one of them")
        }
        self.received(type, file.byteCount, item, number, path: file.path, bytes: nil)
      case .failure(let error):
        self.failed(type, item, number, error.description)
      }
      self.loadEnded()
    }
  }

  private func loadEnded() {
    open -= 1
    if once, open == 0 { ToolLoop.stop() }
  }

  private func received(
    _ type: String, _ count: Int, _ item: DragItem, _ session: UInt32, path: String?, bytes: [UInt8]?
  ) {
    hasReceived = true
    var line = EventLine("received")
    line.add(session: session)
    line.add("type", type)
    line.add("bytes", count, unit: count == 1 ? "byte" : "bytes")
    if let name = item.itemProvider.suggestedName { line.add("name", name, label: "named") }
    if let path { line.add("path", path, label: "saved as") }
    if let bytes, type.hasPrefix("text/"), count <= 65_536, let text = String(validating: bytes, as: UTF8.self) {
      // A person's terminal gets the text without its control characters; a script gets all of it, escaped by JSON.
      line.add("text", json ? text : SafeText.displayable(text, limit: 65_536))
    }
    line.print(asJSON: json, printer)
    message = "Received"
    window.redraw()
  }

  private func failed(_ type: String, _ item: DragItem, _ session: UInt32, _ why: String) {
    hasFailed = true
    let name = item.itemProvider.suggestedName ?? item.itemProvider.refusedName
    printer.error("\(name ?? type): \(why)")
    // A person has just read it on standard error.
    guard json else { return }
    var line = EventLine("failed")
    line.add(session: session)
    line.add("type", type)
    if let name { line.add("name", name) }
    line.add("message", why)
    line.print(asJSON: true, printer)
  }

  private func say(_ event: String, _ session: DropSession, _ operation: Carry.DropOperation? = nil) {
    var line = EventLine(event)
    line.add(session: session.identifier)
    line.add(session.items)
    if event != "ended" { line.add(session.location(in: region)) }
    if let operation { line.add(operation) }
    line.print(asJSON: json, printer)
  }
}
