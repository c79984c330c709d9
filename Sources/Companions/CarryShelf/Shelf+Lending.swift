import Carry
import CarryCompanion
import CarryModel
import CarrySystem

/// Lifts from the shelf.
extension Shelf: DragInteractionDelegate {
  private func ids(of interaction: DragInteraction) -> [Int] {
    guard let id = sources.first(where: { $0.value.drag === interaction })?.key else { return [] }
    let entries = id == Self.all ? model.present : model[id].map { $0.isThere ? [$0] : [] } ?? []
    return entries.map(\.id)
  }

  private func items(_ ids: [Int]) -> [DragItem] {
    ids.compactMap { id -> DragItem? in
      guard let kept = kept[id] else { return nil }
      let provider = ItemProvider()
      // The engine uses the kept item's own types and loads from its owner. These only make the item a promise.
      for type in types[id] ?? [] {
        provider.registerFileRepresentation(forType: type) { $0(.failure(Problem("the shelf has no data"))) }
      }
      let item = DragItem(itemProvider: provider)
      item.localObject = id
      item.represent(kept)
      return item
    }
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    let now = MonotonicClock.now()
    if model.look == .tab { change { $0.toggle(at: now) } } else { model.touched(at: now) }
    return items(ids(of: interaction))
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Carry.Point
  ) -> [DragItem] {
    let known = session.items.compactMap { $0.localObject as? Int }
    return items(ids(of: interaction).filter { !known.contains($0) })
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let id = item.localObject as? Int, let region = interaction.region, let picture = pictures[id],
      let image = picture.image, let layout
    else { return interaction.region.map { .usual(of: $0) } }
    var center = Carry.Point(x: Double(region.frame.width) / 2, y: Double(region.frame.height) / 2)
    // From the tab, items rise from its middle.
    if let cell = layout.cell(ofItem: id) {
      let place = layout.picture(picture.size, in: cell).center + corner
      center = Carry.Point(x: place.x - Double(region.frame.x), y: place.y - Double(region.frame.y))
    }
    var parameters = DragPreviewParameters()
    parameters.backgroundColor = .clear
    return TargetedDragPreview(
      view: .image(image), parameters: parameters, target: DragPreviewTarget(container: region, center: center))
  }

  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool {
    // For drops on the bin.
    true
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) { setAway(items, true) }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    setAway(session.items, true)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: Carry.DropOperation
  ) { if operation != .copy && operation != .move { setAway(session.items, false) } }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    // Delivered items leave the shelf. The others stay.
    setAway(session.items, false)
    for id in session.movedItems.compactMap({ $0.localObject as? Int }) {
      model.arrived(id)
      forget([id])
    }
  }

  /// A drag from the shelf was dropped on its bin.
  func binned(_ items: [DragItem]) {
    setAway(items, false)
    remove(items.compactMap { $0.localObject as? Int })
  }

  func binChanged() { change { _ in } }

  private func setAway(_ items: [DragItem], _ isAway: Bool) {
    for id in items.compactMap({ $0.localObject as? Int }) { change { $0.setAway(id, isAway) } }
  }
}
