import CX11
import CarryModel
import CarryStage

/// Blends previews with the windows beneath when no compositing manager runs.
extension PreviewWindows {
  /// Redraws everything with the next list, because a compositing manager started or ended.
  func switchMode() {
    if isComposited { beneath?.end() }
    for i in previews.indices {
      previews[i].content = 0
      previews[i].beneath?.free(server)
      previews[i].beneath = nil
      previews[i].front?.free(server)
      previews[i].front = nil
      // The pixels beneath can only be read, or kept, while the preview does not cover them.
      if !isComposited, previews[i].isMapped {
        XUnmapWindow(server.display, previews[i].window)
        previews[i].isMapped = false
      }
    }
  }

  func blend(_ i: Int, _ surface: Surface, redraws: Bool) {
    let canvas = previews[i].canvas
    if let front = previews[i].front, front.width != canvas.width || front.height != canvas.height {
      front.free(server)
      previews[i].front = nil
    }
    let isNew = previews[i].front == nil
    let front = previews[i].front ?? Canvas(server, width: canvas.width, height: canvas.height)
    if isNew { previews[i].content = 0 }
    if redraws { _ = paint(i, surface, on: front) }
    previews[i].front = front
    if let beneath = previews[i].beneath { painter.blend(front, over: beneath, on: canvas) }
  }

  /// With a manager, a window has its whole rectangle. Without a manager it has only the cards' outline, because
  /// shadows and rounded corners would hide changes beneath them.
  func shape(_ i: Int, _ surface: Surface) {
    if isComposited {
      // Only when it changes, because managers do much work for each change of a shape.
      if previews[i].isShaped {
        XShapeCombineMask(server.display, previews[i].window, ShapeBounding, 0, 0, 0, ShapeSet)
      }
      previews[i].isShaped = false
      return
    }
    previews[i].isShaped = true
    let mask = painter.outline(of: surface, width: Int(surface.width), height: Int(surface.height))
    XShapeCombineMask(server.display, previews[i].window, ShapeBounding, 0, 0, mask, ShapeSet)
    XFreePixmap(server.display, mask)
  }

  // MARK: What lies beneath

  /// Reads the pixels beneath the window's next place: of windows, and of other previews above them.
  func look(beneath i: Int, _ surface: Surface) {
    guard let beneath else { return lookAtScreen(beneath: i, surface) }
    let place = Rect(
      x: Double(surface.x), y: Double(surface.y), width: Double(surface.width), height: Double(surface.height))
    if let old = previews[i].beneath, old.width != Int(surface.width) || old.height != Int(surface.height) {
      old.free(server)
      previews[i].beneath = nil
    }
    let canvas = previews[i].beneath ?? Canvas(server, width: Int(surface.width), height: Int(surface.height))
    previews[i].beneath = canvas
    previews[i].isStale = false
    beneath.keepAndPaint(place, on: canvas)
    for k in 0..<i where previews[k].isMapped {
      let lower = previews[k].frame
      let common = lower.intersection(place)
      guard !common.isEmpty, let front = previews[k].front else { continue }
      XRenderComposite(
        server.display, PictOpOver, front.picture, 0, canvas.picture, CInt(common.x - lower.x),
        CInt(common.y - lower.y), 0, 0, CInt(common.x - place.x), CInt(common.y - place.y),
        UInt32(common.width), UInt32(common.height))
    }
  }

  /// Whether a part of the screen shows through one of the previews.
  func lie(over part: Rect) -> Bool {
    // A preview has many parts to copy, and this is called for each report of the server.
    previews.indices.contains { !previews[$0].frame.intersection(part).isEmpty }
  }

  /// Marks the previews above windows that have drawn something, so that they are blended again.
  func noteWhatWasDrawn() {
    guard let drawn = beneath?.takeDrawn(), !drawn.isEmpty else { return }
    for i in previews.indices where !previews[i].frame.intersection(drawn).isEmpty { previews[i].isStale = true }
  }

  /// Handles windows that were created, destroyed or moved.
  ///
  /// - Returns: whether a frame is due.
  func windowsChanged() -> Bool {
    guard !isComposited, beneath != nil, !previews.isEmpty else { return false }
    for i in previews.indices { previews[i].isStale = true }
    return true
  }

  /// Marks the previews above a preview that changes or moves, because it shows through them.
  func noteChange(of i: Int, _ surface: Surface) {
    guard beneath != nil, i + 1 < previews.count else { return }
    let old = previews[i].frame
    let new = Rect(
      x: Double(surface.x), y: Double(surface.y), width: Double(surface.width), height: Double(surface.height))
    guard old != new || previews[i].content != surface.content else { return }
    for k in (i + 1)..<previews.count {
      let upper = previews[k].frame
      if !upper.intersection(old).isEmpty || !upper.intersection(new).isEmpty { previews[k].isStale = true }
    }
  }

  /// For a server that keeps no windows: reads from the screen the pixels that the window will newly cover. The
  /// pixels that it already covers were read when it came there.
  private func lookAtScreen(beneath i: Int, _ surface: Surface) {
    let (width, height) = (Int32(surface.width), Int32(surface.height))
    let dx = surface.x - previews[i].x
    let dy = surface.y - previews[i].y
    guard let old = previews[i].beneath, old.width == Int(width), old.height == Int(height) else {
      let canvas = Canvas(server, width: Int(width), height: Int(height))
      capture(canvas, surface, x: 0, y: 0, width, height)
      if let old = previews[i].beneath {
        // The window itself is on this picture, so replace it with the known pixels beneath.
        XCopyArea(
          server.display, old.pixmap, canvas.pixmap, gc, 0, 0, UInt32(old.width), UInt32(old.height), -dx, -dy)
        old.free(server)
      }
      previews[i].beneath = canvas
      return
    }
    guard dx != 0 || dy != 0 else { return }
    guard abs(dx) < width, abs(dy) < height else { return capture(old, surface, x: 0, y: 0, width, height) }
    XCopyArea(
      server.display, old.pixmap, old.pixmap, gc, max(0, dx), max(0, dy), UInt32(width - abs(dx)),
      UInt32(height - abs(dy)), max(0, -dx), max(0, -dy))
    if dx != 0 { capture(old, surface, x: dx > 0 ? width - dx : 0, y: 0, abs(dx), height) }
    if dy != 0 { capture(old, surface, x: 0, y: dy > 0 ? height - dy : 0, width, abs(dy)) }
  }

  private func capture(
    _ canvas: Canvas, _ surface: Surface, x: Int32, y: Int32, _ width: Int32, _ height: Int32
  ) {
    // Through XRender, because the root has another depth.
    guard let format = XRenderFindVisualFormat(server.display, XDefaultVisual(server.display, server.screen)) else {
      return
    }
    let root = server.makePicture(server.root, format, includesInferiors: true)
    XRenderComposite(
      server.display, PictOpSrc, root, 0, canvas.picture, surface.x + x, surface.y + y, 0, 0, x, y, UInt32(width),
      UInt32(height))
    XRenderFreePicture(server.display, root)
  }
}
