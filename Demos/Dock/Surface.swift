import Carry
import DemoKit

/// The icons' spring loading and dragging, as long as there is an engine.
final class Surface: DragInteractionDelegate {
  private unowned let dock: Dock
  private var icons: [(region: Region, drag: DragInteraction)] = []
  private let halves: [Half]

  init(_ dock: Dock, _ client: Client) {
    self.dock = dock
    halves = Half.Side.allCases.map { Half($0, dock, client) }
    icons = dock.icons.indices.map { i in
      let region = Region(client: client, window: dock.window.number, frame: Rect(x: 0, y: 0, width: 0, height: 0))
      region.onTouchCancelled = { [unowned dock] in dock.window.touchCancelled($0) }
      region.addInteraction(
        SpringLoadedInteraction(
          effect: { [unowned dock] _, context in dock.spring(i, context.state) },
          activationHandler: { [unowned dock] _, _ in dock.open(i, "spring") }))
      let drag = DragInteraction(delegate: self)
      region.addInteraction(drag)
      return (region, drag)
    }
    follow()
  }

  /// Icons that are not seen are not touched.
  func follow() {
    for (i, icon) in icons.enumerated() {
      let box = dock.isUp ? dock.box(of: i).inset(-9) : Box(0, 0, 0, 0)
      icon.region.frame = box.pixels(dock.app.scale)
    }
  }

  // MARK: Dragging an icon

  private func index(of interaction: DragInteraction) -> Int? { icons.firstIndex { $0.drag === interaction } }

  /// The item has no data: its drop on a half of the screen is all that it is for.
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    guard let i = index(of: interaction) else { return [] }
    let item = DragItem(itemProvider: ItemProvider())
    item.localObject = i
    return [item]
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool { true }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    guard let i = index(of: interaction) else { return nil }
    let scale = dock.app.scale
    let rect = dock.box(of: i).inset(4).pixels(scale)
    let parameters = DragPreviewParameters(width: rect.width, height: rect.height, cornerRadius: 12 * scale)
    return TargetedDragPreview(window: dock.window.number, rect: rect, parameters: parameters)
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    for half in halves { half.show() }
    dock.show(false)
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) {
    for half in halves { half.hide() }
  }
}
