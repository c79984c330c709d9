import CarryModel
import CarrySystem
import CarryWireClient

/// Describes previews to the engine.
extension Client {
  /// Describes a delegate's preview of an item to the engine.
  ///
  /// - Parameters:
  ///   - answer: nil for an item that is not visible. The default preview need not be described.
  ///   - use: receives the described preview; nil for an item that is not visible.
  func describe(_ answer: TargetedDragPreview?, _ use: (WirePreview?) -> Void) {
    guard let answer else { return use(nil) }
    if !answer.isUsual { describe(answer.view, answer.parameters, at: answer.target, use) }
  }

  /// Describes a preview to the engine, and calls `use` to refer to it.
  func describe(
    _ view: PreviewView, _ parameters: DragPreviewParameters, at target: DragPreviewTarget? = nil,
    _ use: (WirePreview) -> Void
  ) {
    guard let preview = wire?.makePreview() else { return }
    switch view {
    case .window(let window, let rect):
      preview.setWindow(
        window, x: Int32(clamping: rect.x), y: Int32(clamping: rect.y), width: Int32(clamping: rect.width),
        height: Int32(clamping: rect.height))
    case .image(let image):
      let bytes = image.pixels.withUnsafeBytes { Array($0) }
      if let memory = try? SealedMemory.make(bytes) {
        let isSent = preview.setImage(
          memory: memory.raw, width: image.width, height: image.height, density: image.density)
        // The connection holds a duplicate of the descriptor once this returns.
        if !isSent {
          refusePreview(
            "too many pictures wait for the engine, or no more descriptors are left: the preview looks as usual")
        }
      } else {
        // The kernel cannot seal memory. The item then has its default look.
        refusePreview("the kernel does not seal memory here: the preview looks as usual")
      }
    case .pixmap(let pixmap, _, _): preview.setPixmap(pixmap)
    case .link(let url, let title):
      preview.setLink(
        url: SafeText.displayable(url, limit: 1000), title: SafeText.displayable(title, limit: 240))
    case .carried: break
    }
    preview.setBackground(parameters.backgroundColor.argb)
    if let path = parameters.visiblePath, !path.isEmpty, !preview.setPath(path.model) {
      refusePreview("a preview's path has more than 960 numbers, or points that are none: all of the view is seen")
    }
    if let path = parameters.shadowPath, !path.isEmpty, !preview.setPath(path.model, isShadow: true) {
      refusePreview("a preview's shadow path has more than 960 numbers, or points that are none")
    }
    if let target {
      let frame = target.container.frame
      let t = target.transform
      preview.setTarget(
        window: target.container.window,
        center: CarryModel.Point(x: target.center.x + Double(frame.x), y: target.center.y + Double(frame.y)),
        scale: t.scale.isFinite ? max(0.02, min(20, t.scale)) : 1,
        turn: t.rotation.isFinite ? max(-3600, min(3600, t.rotation)) : 0)
    }
    preview.onEvent = { [weak self] event in if case .refused(let why) = event { self?.refusePreview(why) } }
    use(preview)
    // Kept until the answer that refers to it has been sent (an answer may refer to one preview for each of few
    // items), and a little longer, so that the engine can report a problem with the preview.
    describedPreviews.append(preview)
    if describedPreviews.count > max(8, fewItems) { describedPreviews.removeFirst().finish() }
  }
}
