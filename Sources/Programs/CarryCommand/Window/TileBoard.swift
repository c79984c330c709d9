import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// The tiles of a tool's window: one for each thing, and each a drag interaction. More things may come while it is shown.
final class TileBoard: DragInteractionDelegate {
  /// How drags go.
  struct Handling {
    /// Whether to end after the first drag.
    var once = false
    var json = false
    /// Whether each drag takes all things.
    var isOneStack = false
  }

  private struct Tile {
    var thing: DragThing
    var picture: Picture?
    var interaction: DragInteraction
    var region: Region
  }

  private let client: Client
  private let window: Window
  private let handling: Handling
  private let printer: Printer
  private let thumbnails = ThumbnailMaker()
  private var tiles: [Tile] = []
  private(set) var hasTransferred = false
  /// Whether something was dropped and none of it arrived.
  private(set) var hasFailed = false
  /// The operations of dropped drags whose data is still on its way, by session number.
  private var operations: [UInt32: Carry.DropOperation] = [:]
  /// Whether nothing is printed.
  var isSilent = false
  /// Makes what each tile has besides its drag interaction.
  var otherInteraction: () -> (any Interaction)? = { nil }

  init(client: Client, window: Window, _ handling: Handling, _ printer: Printer) {
    self.client = client
    self.window = window
    self.handling = handling
    self.printer = printer
  }

  var isEmpty: Bool { tiles.isEmpty }
  /// How many more things there is room for.
  var room: Int { DragThing.most - tiles.count }

  /// Shows more things; those for which there is no room are left out.
  func add(_ things: [DragThing]) {
    let first = tiles.count
    for thing in things.prefix(room) {
      let region = Region(client: client, window: window.number, frame: Carry.Rect(x: 0, y: 0, width: 1, height: 1))
      region.label = thing.label
      region.onRefused = { [unowned self] why in
        self.printer.error("the engine refused the window: \(why)")
        ToolLoop.stop()
      }
      tiles.append(Tile(thing: thing, interaction: DragInteraction(delegate: self), region: region))
    }
    layOut()
    window.redraw()
    for i in tiles.indices[first...] {
      tiles[i].region.addInteraction(tiles[i].interaction)
      if let other = otherInteraction() { tiles[i].region.addInteraction(other) }
      guard let (path, type) = tiles[i].thing.pictured else { continue }
      thumbnails.order(path, type: type) { [unowned self] in
        self.tiles[i].picture = $0
        self.window.redraw()
      }
    }
  }

  /// Gives each tile its place in the window.
  func layOut() {
    for (i, tile) in tiles.enumerated() {
      tile.region.frame = Self.frame(i, of: tiles.count, window.pixels.width, window.pixels.height)
    }
  }

  /// Draws the tiles into a window of this size, in points.
  func draw(on canvas: Canvas, _ size: (width: Double, height: Double)) {
    for (i, tile) in tiles.enumerated() {
      let r = Self.frame(i, of: tiles.count, Int(size.width), Int(size.height))
      let box = Box(Double(r.x), Double(r.y), Double(r.width), Double(r.height))
      let thing = tile.thing
      if let picture = tile.picture {
        Paint.photo(picture, on: canvas, in: box, title: thing.title)
      } else {
        Paint.card(
          on: canvas, in: box, hue: Paint.hues[i % Paint.hues.count], icon: thing.icon, title: thing.title,
          detail: thing.detail)
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

  /// Puts all things on the clipboard.
  func copyAll() {
    guard !isEmpty else { return }
    do {
      try client.pasteboard.setItemProviders(tiles.map { $0.thing.provider() })
      printer.error("copied \(tiles.count == 1 ? tiles[0].thing.title : "\(tiles.count) things")")
    } catch { printer.error(error.description) }
  }

  private func item(_ i: Int) -> DragItem {
    let item = DragItem(itemProvider: tiles[i].thing.provider())
    item.localObject = i
    item.region = tiles[i].region
    return item
  }

  // MARK: Drags

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    guard let pressed = index(of: interaction) else { return [] }
    // Programs open the first, and play all in this order.
    return (handling.isOneStack ? Array(tiles.indices) : [pressed]).map(item)
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Carry.Point
  ) -> [DragItem] {
    guard let i = index(of: interaction) else { return [] }
    // Of several tiles, each is added once; a single tile may be added again and again.
    if tiles.count > 1, session.items.contains(where: { $0.localObject as? Int == i }) { return [] }
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
    if operation == .cancel || operation == .forbidden, handling.once { ToolLoop.stop() }
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool {
    session.items.allSatisfy { ($0.localObject as? Int).map { tiles[$0].thing.letGo != nil } ?? false }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    for item in session.movedItems {
      guard let i = item.localObject as? Int else { continue }
      do throws(Problem) { try tiles[i].thing.letGo?() } catch { printer.error(error.sentence) }
    }
    if session.deliveredRepresentations > 0 { hasTransferred = true } else { hasFailed = true }
    say("ended", session, operations.removeValue(forKey: session.identifier))
    if handling.once { ToolLoop.stop() }
  }

  private func say(_ event: String, _ session: DragSession, _ operation: Carry.DropOperation? = nil) {
    if isSilent { return }
    var line = EventLine(event)
    line.add(session: session.identifier)
    line.add(session.items)
    if let operation { line.add(operation) }
    line.print(asJSON: handling.json, printer)
  }
}
