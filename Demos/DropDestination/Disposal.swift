import Carry
import DemoKit

/// What falls into the bin: images of the gallery shrink into it, and it grows to take them.
final class Disposal: DropInteractionDelegate {
  private unowned let gallery: Gallery
  private let zone: Region

  init(_ gallery: Gallery, _ client: Client) {
    self.gallery = gallery
    zone = Region(client: client, window: gallery.window.number, frame: gallery.grid.zone.pixels(gallery.app.scale))
    zone.addInteraction(DropInteraction(delegate: self))
  }

  func follow() { zone.frame = gallery.grid.zone.pixels(gallery.app.scale) }

  /// The gallery's own images, where the session has nothing else.
  private func own(_ session: DropSession) -> [Int]? {
    guard session.localDragSession != nil else { return nil }
    let ids = session.items.compactMap { $0.localObject as? Int }
    return ids.count == session.items.count ? ids : nil
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard own(session) != nil, session.allowsMoveOperation else {
      var proposal = DropProposal(operation: .forbidden)
      proposal.reason = "Only images of this gallery"
      return proposal
    }
    glow(true)
    return DropProposal(operation: .move)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { glow(false) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { glow(false) }

  private func glow(_ isOn: Bool) {
    gallery.bin.glow.go(to: isOn ? 1 : 0, at: gallery.app.now, over: 0.18)
    gallery.window.redraw()
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    gallery.delete(own(session) ?? [])
  }

  /// The picture as it is carried, into the bin, and next to nothing there.
  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    let zone = gallery.grid.zone
    let center = Bin.center(in: zone)
    let scale = gallery.app.scale
    return defaultPreview.retargetedPreview(
      with: DragPreviewTarget(
        container: self.zone, center: Point(x: (center.x - zone.x) * scale, y: (center.y - zone.y) * scale),
        transform: PreviewTransform(scale: 0.1)))
  }

  /// Several items each say this, in step: the bin grows once.
  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {
    animator.addAnimations { [weak gallery] fraction in
      gallery?.bin.scale = Animation(1 + 0.25 * fraction)
      gallery?.window.redraw()
    }
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {
    gallery.report.say("swallowed", ("bin", .number(gallery.bin.scale.value(at: gallery.app.now))))
    gallery.bin.scale.go(to: 1, at: gallery.app.now, over: 0.25)
    gallery.emphasizeBin(gallery.isCarrying)
    gallery.window.redraw()
  }
}
