import Carry
import DemoKit

/// What leaves the gallery: for another app, or for the bin.
extension Surface: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(of: interaction)
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { items(of: interaction) }

  /// With two hands at work, a tap adds to what was lifted last.
  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? { sessions.last }

  private func entry(of interaction: DragInteraction) -> Entry? {
    cells.first { $0.drag === interaction }.flatMap { gallery.entry($0.entry) }
  }

  /// An image is carried once, however many hands reach for it.
  private func items(of interaction: DragInteraction) -> [DragItem] {
    guard let entry = entry(of: interaction), let provider = entry.provider(),
      !carried.values.contains(where: { $0.contains(entry.id) })
    else { return [] }
    let item = DragItem(itemProvider: provider)
    item.localObject = entry.id
    return [item]
  }

  /// The image with its round corners, live; what of it is scrolled out of sight is not seen here either.
  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let id = item.localObject as? Int, let box = gallery.entry(id).flatMap({ gallery.box(of: $0) }),
      let seen = gallery.grid.seen(box)
    else { return nil }
    let scale = app.scale
    let rect = seen.pixels(scale)
    let parameters = DragPreviewParameters(width: rect.width, height: rect.height, cornerRadius: Entry.radius * scale)
    return TargetedDragPreview(window: gallery.window.number, rect: rect, parameters: parameters)
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {
    hold(session)
    gallery.emphasizeBin(true)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    hold(session)
    pale(session)
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) { if position == .end { pale(session) } else { restore(session) } }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    restore(session, falls: operation == .move)
    gallery.say(operation == .move ? "carried-away" : operation == .copy ? "copied-out" : "drag-cancelled")
  }

  private func hold(_ session: DragSession) {
    carried[session.identifier] = session.items.compactMap { $0.localObject as? Int }
  }

  private func pale(_ session: DragSession) {
    for id in carried[session.identifier] ?? [] { gallery.entry(id)?.opacity.go(to: 0.3, at: app.now, over: 0.18) }
    gallery.window.redraw()
  }

  private func restore(_ session: DragSession, falls: Bool = false) {
    for id in carried.removeValue(forKey: session.identifier) ?? [] {
      gallery.entry(id)?.opacity.go(to: 1, at: app.now, over: 0.18)
    }
    // What falls into the bin still falls: it pales when it has swallowed.
    if !falls { gallery.emphasizeBin(!carried.isEmpty) }
    gallery.window.redraw()
  }
}
