import Carry
import CarryCompanion
import CarryModel
import CarrySystem
import CarryX

/// The shelf: appears during a drag, keeps items dropped on it, and offers them to later drags.
final class Shelf {
  private let engine: ShelfClient
  private var client: Client { engine.client }
  private let window: ShelfWindow
  var model = ShelfModel()
  var layout: ShelfLayout?
  /// The engine's object for each item on the shelf, and for removed items that can still be restored.
  var kept: [Int: KeptItem] = [:]
  /// Dropped items that the engine has not confirmed yet.
  private var arriving: [ObjectIdentifier: KeptItem] = [:]
  var types: [Int: [String]] = [:]
  var pictures: [Int: Picture] = [:]
  /// The card's location in the window.
  var corner = CarryModel.Point.zero
  private var target: Region?
  private lazy var drop = DropInteraction(delegate: self)
  private lazy var bin = ShelfBin(self)
  /// The regions of cells, by item; 0 is the handle for all items.
  var sources: [Int: (region: Region, drag: DragInteraction)] = [:]
  static let all = 0
  /// The drags over the shelf.
  private var hovering: Set<ObjectIdentifier> = []
  private var pressed: CarryModel.Point?
  /// The mouse pointer's location in the card; nil if it is elsewhere.
  private var pointer: CarryModel.Point?
  /// The item whose button is shown under the pointer.
  private var pointed: Int? { model.canRemoveOne ? pointer.flatMap { layout?.item(at: $0) } : nil }
  private var drawnPointed: Int?
  /// The button, handle or tab under the pointer; empty for none.
  private var hovered: CarryModel.Rect {
    guard let pointer, let layout else { return .zero }
    return layout.button(at: pointer, removerOf: pointed)
  }
  private var drawnHovered = CarryModel.Rect.zero
  private var needsDrawing = false

  init(_ engine: ShelfClient, _ window: ShelfWindow) {
    (self.engine, self.window) = (engine, window)
    drop.allowsSimultaneousDropSessions = true
    engine.onPlace = { [unowned self] place in
      model.dragChanged(place, at: MonotonicClock.now())
      // The end of a drag takes effect later.
      guard place != nil else { return }
      // Other windows may have been raised above it meanwhile.
      window.raise()
      needsDrawing = true
    }
  }

  /// Whether the shelf is empty and nothing is dragged.
  var isIdle: Bool { model.isIdle }

  var deadline: Instant? { model.deadline }

  func advance(to now: Instant) {
    guard let deadline, deadline <= now else { return }
    forget(model.advance(to: now))
    needsDrawing = true
  }

  /// Discards removed items that can no longer be restored.
  func forget(_ ids: [Int]) {
    for id in ids { kept[id] = nil; types[id] = nil; pictures[id] = nil }
  }

  // MARK: The window

  /// The window is no longer on the screen, or is covered by another one.
  func windowChanged(isHidden: Bool) {
    if isHidden {
      needsDrawing = true
    } else if model.look == .tab {
      // During a drag previews are above it.
      window.raise(atMostOnceIn: .seconds(1))
    }
  }

  /// The mouse pointer moves over the window, or leaves it.
  func pointed(_ pointing: ShelfWindow.Pointing) {
    if case .over(let point) = pointing { pointer = point - corner } else { pointer = nil }
    model.pointerChanged(isOver: pointer != nil, at: MonotonicClock.now())
    if pointed != drawnPointed || hovered != drawnHovered { needsDrawing = true }
  }

  /// A press or a release in the window.
  func clicked(isDown: Bool, at point: CarryModel.Point) {
    let place = point - corner
    guard !isDown else { return pressed = place }
    guard let pressed, let layout else { return }
    self.pressed = nil
    let now = MonotonicClock.now()
    if model.look == .tab { return change { $0.toggle(at: now) } }
    func isClick(on rect: CarryModel.Rect) -> Bool { rect.contains(pressed) && rect.contains(place) }
    // The shelf may have changed since it was drawn.
    if isClick(on: layout.undo) { return change { $0.undo(at: now) } }
    if isClick(on: layout.clear) { return model.canClear ? remove(model.entries.map(\.id)) : () }
    if let (id, cell) = zip(layout.items, layout.cells).first(where: { isClick(on: $0.1) }), let entry = model[id],
      entry.isGone || id == drawnPointed && isClick(on: layout.remover(in: cell))
    {
      return remove([id])
    }
    if isClick(on: layout.header) { change { $0.toggle(at: now) } }
  }

  /// Removes items from the shelf. They can be restored while it is open, and for some seconds more.
  func remove(_ ids: [Int]) { change { $0.remove(ids, at: MonotonicClock.now()) } }

  func change(_ body: (inout ShelfModel) -> Void) {
    body(&model)
    needsDrawing = true
  }

  /// Draws the shelf's current state. Called at the end of each turn.
  func draw() {
    guard needsDrawing else { return }
    needsDrawing = false
    layout = ShelfLayout(model)
    guard let layout else {
      window.hide()
      pointed(.away)
      needsDrawing = false
      return removeRegions()
    }
    (drawnPointed, drawnHovered) = (pointed, model.isDragging ? .zero : hovered)
    let hints = ShelfDrawing.Hints(
      isTarget: !hovering.isEmpty, isBinTarget: bin.isTarget, pointed: drawnPointed, hovered: drawnHovered)
    corner = window.show(layout.frame, scale: layout.scale) { margin in
      ShelfDrawing.draw(model, layout, pictures, hints, margin: margin)
    }
    placeRegions(layout)
  }

  // MARK: Regions

  private func pixels(_ rect: CarryModel.Rect) -> Carry.Rect {
    Carry.Rect(
      x: Int(rect.x + corner.x), y: Int(rect.y + corner.y), width: Int(rect.width), height: Int(rect.height))
  }

  private func placeRegions(_ layout: ShelfLayout) {
    let card = CarryModel.Rect(origin: .zero, size: layout.frame.size)
    let whole = pixels(card)
    if let target {
      target.frame = whole
    } else {
      let region = Region(client: client, window: window.window, frame: whole)
      region.label = "the shelf"
      region.addInteraction(drop)
      target = region
    }
    var wanted: [(id: Int, frame: CarryModel.Rect, label: String)] = []
    switch model.look {
    case .hidden: break
    case .tab:
      // A lift from the tab opens the shelf and lifts all items.
      let present = model.present
      if present.count > 1 {
        wanted.append((Self.all, card, "everything on the shelf"))
      } else if let only = present.first {
        wanted.append((only.id, card, "\(only.name) on the shelf"))
      }
    case .open:
      for entry in model.entries where !entry.isGone {
        if let cell = layout.cell(ofItem: entry.id) { wanted.append((entry.id, cell, "\(entry.name) on the shelf")) }
      }
      if model.present.count > 1 { wanted.append((Self.all, layout.header, "everything on the shelf")) }
    }
    bin.place(model.isLending ? pixels(layout.footer) : nil, in: window.window, client)
    for (id, source) in sources where !wanted.contains(where: { $0.id == id }) {
      source.region.removeInteraction(source.drag)
      sources[id] = nil
    }
    for (id, frame, label) in wanted {
      let frame = pixels(frame)
      if let known = sources[id] {
        known.region.frame = frame
        continue
      }
      let region = Region(client: client, window: window.window, frame: frame)
      region.label = label
      let drag = DragInteraction(delegate: self)
      region.addInteraction(drag)
      sources[id] = (region, drag)
    }
  }

  private func removeRegions() {
    target?.removeInteraction(drop)
    target = nil
    bin.place(nil, in: window.window, client)
    for source in sources.values { source.region.removeInteraction(source.drag) }
    sources = [:]
  }
}

// MARK: Drops

extension Shelf: DropInteractionDelegate {
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    // Items from the shelf return to their place.
    !session.isLocal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    hovering.insert(ObjectIdentifier(session))
    needsDrawing = true
  }

  func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession
  ) -> Carry.DropProposal {
    guard !model.hasRoom(for: session.items.count) else { return Carry.DropProposal(operation: .copy) }
    var proposal = Carry.DropProposal(operation: .forbidden)
    proposal.reason = "The shelf is full"
    return proposal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { left(session) }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { left(session) }

  private func left(_ session: DropSession) {
    if hovering.remove(ObjectIdentifier(session)) != nil { needsDrawing = true }
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    left(session)
    for item in session.items { keep(item, of: session) }
  }

  private func keep(_ item: DragItem, of session: DropSession) {
    let types = item.itemProvider.registeredTypes
    guard !types.isEmpty, let promise = engine.keep(item, of: session) else { return }
    let name = item.itemProvider.suggestedName.map { SafeText.displayable($0) } ?? ItemKind.name(of: types)
    // It appears on the shelf once the engine confirms it.
    let number = ObjectIdentifier(promise)
    arriving[number] = promise
    var id: Int?
    promise.onKept = { [unowned self] pixmap, size in
      guard let promise = arriving.removeValue(forKey: number) else { return }
      // The engine has no pictures of other programs' own drags.
      let new = model.add(name, isForeign: pixmap == nil, at: MonotonicClock.now())
      id = new
      (kept[new], self.types[new]) = (promise, types)
      pictures[new] =
        pixmap.flatMap { Picture(window.display, pixmap: $0, size) }
        ?? Picture(of: name, types: types, scale: layout?.scale ?? 1)
      needsDrawing = true
    }
    promise.onGone = { [unowned self] in
      arriving[number] = nil
      guard let id else { return showMissing(name, types) }
      // The engine need not keep it any longer; the user sees that it is gone.
      kept[id] = nil
      change { forget([$0.gone(id)].compactMap { $0 }) }
    }
  }

  /// Shows an item that could not be kept, since the user expects it here.
  private func showMissing(_ name: String, _ types: [String]) {
    change { model in
      let missing = model.addMissing(name, at: MonotonicClock.now())
      pictures[missing.id] = Picture(of: name, types: types, scale: layout?.scale ?? 1)
      forget([missing.forgotten].compactMap { $0 })
    }
  }
}
