import CX11
import CarryModel
import CarryStage
import Glibc

/// Draws surfaces with XRender: layers over each other, the group's opacity, then the badge.
final class Painter {
  private let server: XServer
  private let cards: Cards
  private var shadows: Shadows
  private var badges: Badges
  /// Where a surface's layers are combined before they become translucent. All surfaces share this canvas, which is
  /// as large as the largest of them.
  private var group: Canvas?
  /// One pixel that repeats: opacity as a mask, or a colour.
  private let solid: Canvas

  init(_ server: XServer, _ images: ImageStore) {
    self.server = server
    cards = Cards(server, images)
    shadows = Shadows(server)
    badges = Badges(server)
    let canvas = Canvas(server, width: 1, height: 1)
    var attributes = XRenderPictureAttributes()
    attributes.repeat = RepeatNormal
    XRenderChangePicture(server.display, canvas.picture, UInt(CPRepeat), &attributes)
    solid = canvas
  }

  /// Frees all caches.
  func trim() {
    cards.removeAll()
    shadows.removeAll()
    badges.removeAll()
    group?.free(server)
    group = nil
  }

  /// Draws a surface's cards on a canvas of its size, without the badge.
  func paintCards(_ surface: Surface, on canvas: Canvas) {
    let (width, height) = (canvas.width, canvas.height)
    let target = surface.opacity < 1 ? scratch(width, height) : canvas
    clear(target.picture, width, height)
    for layer in surface.layers { paint(layer, on: target) }
    if surface.opacity < 1 {
      setSolid(alpha: surface.opacity)
      XRenderComposite(
        server.display, PictOpSrc, target.picture, solid.picture, canvas.picture, 0, 0, 0, 0, 0, 0, UInt32(width),
        UInt32(height))
    }
  }

  /// A box that certainly contains a badge, in pixels of a canvas; empty if there is no badge.
  func box(of mark: BadgeMark) -> Rect {
    guard mark.badge != .none else { return .zero }
    let scale = max(1, mark.scale)
    let reach = if case .label = mark.badge { 13.4 } else { 3.2 }
    let (rx, ry) = ((mark.radius * reach + 1) * scale + 4, (mark.radius * 1.4 + 1) * scale + 4)
    return Rect(x: mark.center.x - rx, y: mark.center.y - ry, width: 2 * rx, height: 2 * ry)
  }

  /// Blends a drawn surface over the pixels beneath it.
  func blend(_ front: Canvas, over beneath: Canvas, on canvas: Canvas) {
    let (width, height) = (UInt32(canvas.width), UInt32(canvas.height))
    XRenderComposite(
      server.display, PictOpSrc, beneath.picture, 0, canvas.picture, 0, 0, 0, 0, 0, 0, width, height)
    XRenderComposite(
      server.display, PictOpOver, front.picture, 0, canvas.picture, 0, 0, 0, 0, 0, 0, width, height)
  }

  /// The outline of a surface's cards and badge as a bitmap, for a window that cannot be translucent.
  func outline(of surface: Surface, width: Int, height: Int) -> Pixmap {
    let target = scratch(width, height)
    clear(target.picture, width, height)
    for var layer in surface.layers {
      layer.shadow.opacity = 0
      paint(layer, on: target)
    }
    paint(surface.badge, on: target)
    let mask = server.makePixmap(width, height, depth: 1)
    let picture = server.makePicture(mask, server.bitmap)
    XRenderComposite(
      server.display, PictOpSrc, target.picture, 0, picture, 0, 0, 0, 0, 0, 0, UInt32(width), UInt32(height))
    XRenderFreePicture(server.display, picture)
    return mask
  }

  private func scratch(_ width: Int, _ height: Int) -> Canvas {
    if let group, group.width >= width, group.height >= height { return group }
    let new = Canvas(server, width: max(width, group?.width ?? 0), height: max(height, group?.height ?? 0))
    group?.free(server)
    group = new
    return new
  }

  private func clear(_ picture: XID, _ width: Int, _ height: Int) {
    var none = XRenderColor()
    XRenderFillRectangle(server.display, PictOpSrc, picture, &none, 0, 0, UInt32(width), UInt32(height))
  }

  /// Makes `solid` black with this alpha. In a mask only the alpha counts.
  private func setSolid(alpha: Double) {
    var color = XRenderColor(red: 0, green: 0, blue: 0, alpha: UInt16(max(0, min(1, alpha)) * 65535))
    XRenderFillRectangle(server.display, PictOpSrc, solid.picture, &color, 0, 0, 1, 1)
  }

  private func paint(_ layer: Layer, on target: Canvas) {
    let (c, s) = layer.rotation == 0 ? (1, 0) : (cos(layer.rotation), sin(layer.rotation))
    if layer.shadow.opacity * layer.opacity > 0.003 {
      let mask =
        if let silhouette = cards.silhouette(of: layer) {
          shadows.mask(for: layer.image, silhouette, size: layer.size, blur: layer.shadow.blur)
        } else {
          shadows.mask(for: layer.size, blur: layer.shadow.blur)
        }
      var center = layer.center
      center.y += layer.shadow.offsetY * layer.scale
      let placement = Placement(
        center: center, middle: mask.middle, scale: layer.scale * mask.scale, rotation: layer.rotation)
      setSolid(alpha: layer.shadow.opacity * layer.opacity)
      composite(mask.canvas, alpha: layer.shadow.opacity * layer.opacity, placement, cos: c, sin: s, on: target)
    }
    let card = cards.card(for: layer)
    let placement = Placement(
      center: layer.center, middle: card.middle, scale: layer.scale * card.scale, rotation: layer.rotation)
    if layer.opacity < 1 { setSolid(alpha: layer.opacity) }
    composite(card.canvas, alpha: layer.opacity, placement, cos: c, sin: s, on: target)
  }

  /// Draws a badge over the target's content.
  func paint(_ mark: BadgeMark, on target: Canvas) {
    guard mark.badge != .none, mark.opacity > 0.003, mark.scale > 0.02 else { return }
    let picture = badges.picture(for: mark)
    let middle = Point(x: Double(picture.canvas.width) / 2, y: Double(picture.canvas.height) / 2)
    let rests = mark.scale == 1
    let center = rests ? Point(x: mark.center.x.rounded(), y: mark.center.y.rounded()) : mark.center
    let placement = Placement(center: center, middle: middle, scale: mark.scale / picture.density, rotation: 0)
    if mark.opacity < 1 { setSolid(alpha: mark.opacity) }
    composite(picture.canvas, alpha: mark.opacity, placement, cos: 1, sin: 0, on: target)
  }

  /// The box on the target that a placed picture covers, clipped to the target.
  private func box(_ source: Canvas, _ p: Placement, _ c: Double, _ s: Double, _ target: Canvas) -> (
    x: CInt, y: CInt, width: UInt32, height: UInt32
  )? {
    let (w, h) = (Double(source.width) * p.scale / 2, Double(source.height) * p.scale / 2)
    // The picture's centre may be off its placed centre by a pixel: one more on each side.
    let (rx, ry) = (abs(c) * w + abs(s) * h + 2, abs(s) * w + abs(c) * h + 2)
    let left = max(0, (p.center.x - rx).rounded(.down))
    let top = max(0, (p.center.y - ry).rounded(.down))
    let right = min(Double(target.width), (p.center.x + rx).rounded(.up))
    let bottom = min(Double(target.height), (p.center.y + ry).rounded(.up))
    guard right > left, bottom > top else { return nil }
    return (CInt(left), CInt(top), UInt32(right - left), UInt32(bottom - top))
  }

  private func composite(
    _ source: Canvas, alpha: Double, _ p: Placement, cos c: Double, sin s: Double, on target: Canvas
  ) {
    guard let b = box(source, p, c, s, target) else { return }
    var transform = p.transform(cos: c, sin: s)
    XRenderSetPictureTransform(server.display, source.picture, &transform)
    XRenderComposite(
      server.display, PictOpOver, source.picture, alpha < 1 ? solid.picture : 0, target.picture, b.x, b.y, 0, 0, b.x,
      b.y, b.width, b.height)
  }
}
