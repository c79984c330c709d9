import Carry
import CarryModel
import CarrySystem

/// The source behind `carry drag`: tiles that fill a window, each a drag interaction.
final class DragSource: DragInteractionDelegate {
  /// Something to drag. Each drag of it makes a new promise.
  struct Thing {
    let title: String
    let detail: String
    /// A PNG file that shows it, or nil.
    let picture: String?
    let provider: () -> ItemProvider
    /// Lets go of the thing once another application has it; nil for a thing that stays.
    var letGo: (() throws(Problem) -> Void)?

    init(title: String, detail: String, picture: String? = nil, provider: @escaping () -> ItemProvider) {
      self.title = title
      self.detail = detail
      self.picture = picture
      self.provider = provider
    }
  }

  private let things: [Thing]
  private let pictures: [Picture?]
  private let client: Client
  private let once: Bool
  private let json: Bool
  private let printer: Printer
  private(set) var window: ToolWindow!
  private var tiles: [(interaction: DragInteraction, region: Region)] = []
  private(set) var hasTransferred = false
  /// Whether something was dropped and none of it arrived.
  private(set) var hasFailed = false
  /// The operations of dropped drags whose data is still on its way, by session number.
  private var operations: [UInt32: Carry.DropOperation] = [:]

  init(
    _ things: [Thing], client: Client, geometry: Geometry, once: Bool, json: Bool, _ printer: Printer
  ) throws(Problem) {
    self.things = things
    pictures = things.map { $0.picture.flatMap { Picture(png: $0) } }
    self.client = client
    self.once = once
    self.json = json
    self.printer = printer
    window = try ToolWindow(title: "carry drag", geometry: geometry) { [unowned self] c, w, h in
      for (i, thing) in self.things.enumerated() {
        let r = Self.frame(i, of: self.things.count, Int(w), Int(h))
        let (x, y, width, height) = (Double(r.x), Double(r.y), Double(r.width), Double(r.height))
        if let image = self.pictures[i] {
          Paint.photo(c, image, x: x, y: y, width: width, height: height, title: thing.title)
        } else {
          Paint.card(
            c, x: x, y: y, width: width, height: height, hue: Paint.hues[i % Paint.hues.count], title: thing.title,
            detail: thing.detail)
        }
      }
    }
    for i in things.indices {
      let region = Region(
        client: client, window: window.window, frame: Self.frame(i, of: things.count, window.width, window.height))
      region.onRefused = { [unowned self] why in
        self.printer.error("the engine refused the window: \(why)")
        ToolLoop.stop()
      }
      let interaction = DragInteraction(delegate: self)
      region.addInteraction(interaction)
      tiles.append((interaction, region))
    }
    window.onClosed = { ToolLoop.stop() }
    window.onResized = { [unowned self] in
      for (i, tile) in self.tiles.enumerated() {
        tile.region.frame = Self.frame(i, of: self.tiles.count, self.window.width, self.window.height)
      }
    }
  }

  /// The place of a tile. There are about as many rows as columns; the tiles of the last row share its whole width.
  static func frame(_ i: Int, of n: Int, _ width: Int, _ height: Int) -> Carry.Rect {
    var across = 1
    while across * across < n { across += 1 }
    let rows = (n + across - 1) / across
    let (column, row) = (i % across, i / across)
    let columns = row == rows - 1 ? n - row * across : across
    let x = width * column / columns
    let y = height * row / rows
    return Carry.Rect(
      x: x, y: y, width: width * (column + 1) / columns - x, height: height * (row + 1) / rows - y)
  }

  private func index(of interaction: DragInteraction) -> Int? {
    tiles.firstIndex { $0.interaction === interaction }
  }

  private func item(_ i: Int) -> DragItem {
    let item = DragItem(itemProvider: things[i].provider())
    item.localObject = i
    return item
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    guard let i = index(of: interaction) else { return [] }
    return [item(i)]
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Carry.Point
  ) -> [DragItem] {
    guard let i = index(of: interaction) else { return [] }
    // Of several tiles, each is added once; a single tile may be added again and again.
    if things.count > 1, session.items.contains(where: { $0.localObject as? Int == i }) { return [] }
    return [item(i)]
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {
    say("lift-began", session)
  }

  func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession) { say("lifted", session) }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    // This is called for every tile that has contributed; only the adding tile's call is printed.
    if interaction === addingInteraction { say("items-added", session) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {
    if position == .start { say("lift-reversed", session) }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    say("began", session)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: Carry.DropOperation
  ) {
    say(operation == .copy || operation == .move ? "dropped" : "cancelled", session, operation)
    if operation == .copy || operation == .move { operations[session.identifier] = operation }
    if operation == .cancel || operation == .forbidden, once { ToolLoop.stop() }
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool {
    session.items.allSatisfy { ($0.localObject as? Int).map { things[$0].letGo != nil } ?? false }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    for item in session.movedItems {
      guard let i = item.localObject as? Int else { continue }
      do throws(Problem) { try things[i].letGo?() } catch { printer.error(error.sentence) }
    }
    if session.deliveredRepresentations > 0 { hasTransferred = true } else { hasFailed = true }
    say("ended", session, operations.removeValue(forKey: session.identifier))
    if once { ToolLoop.stop() }
  }

  private func say(_ event: String, _ session: DragSession, _ operation: Carry.DropOperation? = nil) {
    var line = EventLine(event)
    line.add(session: session.identifier)
    line.add(session.items)
    if let operation { line.add(operation) }
    line.print(asJSON: json, printer)
  }
}
