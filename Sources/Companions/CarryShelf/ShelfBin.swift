import Carry

/// The drop target that removes items from the shelf with a finger or the keyboard. It replaces the button at the
/// bottom while an item of the shelf is dragged.
final class ShelfBin: DropInteractionDelegate {
  private unowned let shelf: Shelf
  private lazy var drop = DropInteraction(delegate: self)
  private var region: Region?
  private var hovering: Set<ObjectIdentifier> = []

  init(_ shelf: Shelf) {
    self.shelf = shelf
    drop.allowsSimultaneousDropSessions = true
  }

  /// Whether a drag is over it.
  var isTarget: Bool { !hovering.isEmpty }

  /// Places it in the shelf's window, in pixels; removes it with nil.
  func place(_ frame: Rect?, in window: UInt32, _ client: Client) {
    guard let frame else {
      region?.removeInteraction(drop)
      (region, hovering) = (nil, [])
      return
    }
    if let region { return region.frame = frame }
    let new = Region(client: client, window: window, frame: frame)
    new.label = "Remove"
    new.addInteraction(drop)
    region = new
  }

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool { session.isLocal }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    hovering.insert(ObjectIdentifier(session))
    shelf.binChanged()
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .move)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { left(session) }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { left(session) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    left(session)
    shelf.binned(session.localDragSession?.items ?? [])
  }

  private func left(_ session: DropSession) {
    if hovering.remove(ObjectIdentifier(session)) != nil { shelf.binChanged() }
  }
}
