import Carry
import DemoKit

/// A half of the screen, which is seen while an icon is dragged: dropped here, the icon opens its window here.
final class Half: WindowContent, DropInteractionDelegate {
  enum Side: String, CaseIterable { case left, right }

  private let side: Side
  private unowned let dock: Dock
  private let window: Window
  private let region: Region
  private lazy var hover = Hover(window)

  init(_ side: Side, _ dock: Dock, _ client: Client) {
    (self.side, self.dock) = (side, dock)
    let box = dock.frame(of: side)
    let frame = box.pixels(dock.app.scale)
    window = Window(
      dock.app.display, title: "Half", program: "carry-dock", width: box.width, height: box.height,
      geometry: WindowGeometry("\(frame.width)x\(frame.height)+\(frame.x)+\(frame.y)"), kind: .overlay)
    region = Region(
      client: client, window: window.number, frame: Rect(x: 0, y: 0, width: frame.width, height: frame.height))
    region.addInteraction(DropInteraction(delegate: self))
    window.content = self
  }

  func show() {
    window.show()
    window.raise()
  }

  func hide() {
    hover.show(above: false)
    window.hide()
  }

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let all = Box(0, 0, size.width, size.height)
    c.clear(window.isTranslucent ? Color(0, 0, 0, 0) : Color(0xC9CED6))
    let isAbove = hover.isAbove
    c.fill(all, radius: 18, isAbove ? Color.accent.faded(0.30) : Color(0x1B2230, 0.16))
    c.stroke(
      all.inset(3), radius: 16, isAbove ? Color.white.faded(0.95) : Color.white.faded(0.55),
      width: isAbove ? 3.5 : 2)
  }

  func closed() { hide() }

  // MARK: Dropping an icon

  private func icon(of session: DropSession) -> Int? {
    session.localDragSession?.items.first?.localObject as? Int
  }

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    icon(of: session) != nil
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    hover.show(above: true)
    return DropProposal(operation: .move)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    hover.show(above: false)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    if let i = icon(of: session) { dock.split(i, side) }
  }

  /// The window opens all over the half: the icon shrinks where it is.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? { nil }
}
