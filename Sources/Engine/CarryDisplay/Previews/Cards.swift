import CarryX
import CX11
import CarryModel
import CarryStage

/// Pictures prepared for drawing as cards: fitted to their size, with rounded corners and a clear rim.
///
/// Each card is made once for its picture and size; a frame then only places it. The rim lets the bilinear filter
/// smooth the edges of rotated cards. Cards that are drawn small get halved versions, so that they do not flicker.
final class Cards {
  struct Card {
    var canvas: Canvas
    /// The card's centre in this picture's pixels.
    var middle: Point
    /// Card pixels per pixel of this picture.
    var scale: Double
  }

  private struct Key: Hashable {
    var image: ImageID
    var width, height, radius, level: Int
  }

  private static let most = 256
  /// Maximum side of a card without a picture, in pixels. Choosing a size costs a client nothing, and each size makes
  /// another card.
  private static let placeholderSide = 256.0
  private let server: XServer
  private let images: ImageStore
  private var cards: [Key: Card] = [:]
  private var discs: [Int: Canvas] = [:]

  init(_ server: XServer, _ images: ImageStore) {
    self.server = server
    self.images = images
    images.released = { [unowned self] id in forget(id) }
  }

  /// The card for a layer, with as many pixels as the layer's scale needs.
  func card(for layer: Layer) -> Card {
    guard let image = images[layer.image] else { return placeholder(for: layer) }
    // A picture with far fewer pixels than its card is stretched when it is drawn, not before.
    let part = Double(image.width) < layer.size.width / 1.5 ? Double(image.width) / layer.size.width : 1
    var level = 0
    var scale = layer.scale / part
    while scale <= 0.5, level < 5 {
      scale *= 2
      level += 1
    }
    var card = card(
      Key(
        image: layer.image, width: Int((layer.size.width * part).rounded(.up)),
        height: Int((layer.size.height * part).rounded(.up)), radius: Int((layer.cornerRadius * part).rounded()),
        level: level))
    card.scale /= part
    return card
  }

  /// The card for a layer whose picture is missing. A large placeholder is a small one, stretched.
  private func placeholder(for layer: Layer) -> Card {
    let part = min(1, Self.placeholderSide / max(layer.size.width, layer.size.height))
    var card = card(
      Key(
        image: ImageID(0), width: Int((layer.size.width * part).rounded(.up)),
        height: Int((layer.size.height * part).rounded(.up)), radius: Int((layer.cornerRadius * part).rounded()),
        level: 0))
    card.scale /= part
    return card
  }

  /// The silhouette that casts a layer's shadow; nil if the layer's whole rectangle casts it.
  func silhouette(of layer: Layer) -> Silhouette? { layer.isShaped ? images[layer.image]?.silhouette : nil }

  private func card(_ key: Key) -> Card {
    if let card = cards[key] { return card }
    if cards.count >= Self.most { removeAll() }
    let card: Card
    if key.level == 0 {
      card = makeCard(key)
    } else {
      var larger = key
      larger.level -= 1
      card = halve(self.card(larger))
    }
    cards[key] = card
    return card
  }

  private func makeCard(_ key: Key) -> Card {
    server.work += key.width * key.height * 4
    let canvas = Canvas(server, width: key.width + 2, height: key.height + 2)
    fill(canvas, 0, 0, 0, 0, 0, 0, canvas.width, canvas.height)
    if let image = images[key.image] {
      place(image, on: canvas, width: key.width, height: key.height)
    } else {
      drawPlaceholder(on: canvas, width: key.width, height: key.height)
    }
    round(canvas, width: key.width, height: key.height, radius: key.radius)
    XRenderSetPictureFilter(server.display, canvas.picture, FilterBilinear, nil, 0)
    return Card(
      canvas: canvas, middle: Point(x: Double(key.width) / 2 + 1, y: Double(key.height) / 2 + 1), scale: 1)
  }

  private func place(_ image: ImageStore.Image, on canvas: Canvas, width: Int, height: Int) {
    let exact = image.width == width && image.height == height
    if !exact {
      var transform = XTransform.scaling(
        x: Double(image.width) / Double(width), y: Double(image.height) / Double(height))
      XRenderSetPictureTransform(server.display, image.picture, &transform)
      XRenderSetPictureFilter(server.display, image.picture, FilterBilinear, nil, 0)
      var pad = XRenderPictureAttributes()
      pad.repeat = RepeatPad
      XRenderChangePicture(server.display, image.picture, UInt(CPRepeat), &pad)
    }
    XRenderComposite(
      server.display, PictOpSrc, image.picture, 0, canvas.picture, 0, 0, 0, 0, 1, 1, UInt32(width), UInt32(height))
    if !exact {
      var identity = XTransform.identity
      XRenderSetPictureTransform(server.display, image.picture, &identity)
    }
  }

  /// A sheet of paper with a few lines, for a missing picture.
  private func drawPlaceholder(on canvas: Canvas, width: Int, height: Int) {
    fill(canvas, 0.96, 0.96, 0.97, 1, 1, 1, width, height)
    // Everything is proportional, so that a dense screen shows the same card with more pixels.
    let pad = max(3, min(width, height) / 8)
    let line = max(2, min(width, height) / 12)
    var y = pad
    var n = 0
    while y + line <= height - pad, n < 5 {
      let length = (width - 2 * pad) * (n % 3 == 2 ? 6 : 10) / 10
      if length > 0 { fill(canvas, 0.82, 0.83, 0.86, 1, 1 + pad, 1 + y, length, line) }
      y += line * 5 / 2
      n += 1
    }
  }

  private func fill(
    _ canvas: Canvas, _ r: Double, _ g: Double, _ b: Double, _ a: Double, _ x: Int, _ y: Int, _ width: Int,
    _ height: Int
  ) {
    var color = XRenderColor(
      red: UInt16(r * a * 65535), green: UInt16(g * a * 65535), blue: UInt16(b * a * 65535), alpha: UInt16(a * 65535))
    XRenderFillRectangle(
      server.display, PictOpSrc, canvas.picture, &color, CInt(x), CInt(y), UInt32(max(0, width)),
      UInt32(max(0, height)))
  }

  /// Cuts off the four corners with quarters of a smooth disc.
  private func round(_ canvas: Canvas, width: Int, height: Int, radius: Int) {
    guard radius > 0, width >= 2 * radius, height >= 2 * radius else { return }
    let disc = self.disc(radius).picture
    let r = CInt(radius)
    for (sx, dx) in [(CInt(0), CInt(1)), (r, CInt(1 + width - radius))] {
      for (sy, dy) in [(CInt(0), CInt(1)), (r, CInt(1 + height - radius))] {
        XRenderComposite(
          server.display, PictOpInReverse, disc, 0, canvas.picture, sx, sy, 0, 0, dx, dy, UInt32(radius),
          UInt32(radius))
      }
    }
  }

  private func disc(_ radius: Int) -> Canvas {
    if let disc = discs[radius] { return disc }
    let side = CInt(2 * radius)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, side, side)
    let cr = cairo_create(surface)
    cairo_arc(cr, Double(radius), Double(radius), Double(radius), 0, 2 * Double.pi)
    cairo_fill(cr)
    cairo_destroy(cr)
    cairo_surface_flush(surface)
    let canvas = Canvas(
      server, mask: cairo_image_surface_get_data(surface), stride: Int(cairo_image_surface_get_stride(surface)),
      width: Int(side), height: Int(side))
    cairo_surface_destroy(surface)
    discs[radius] = canvas
    return canvas
  }

  /// Makes a card of half the width and height, in which each pixel is the mean of four.
  private func halve(_ card: Card) -> Card {
    let canvas = Canvas(server, width: (card.canvas.width + 1) / 2, height: (card.canvas.height + 1) / 2)
    var transform = XTransform.scaling(x: 2, y: 2)
    XRenderSetPictureTransform(server.display, card.canvas.picture, &transform)
    XRenderComposite(
      server.display, PictOpSrc, card.canvas.picture, 0, canvas.picture, 0, 0, 0, 0, 0, 0, UInt32(canvas.width),
      UInt32(canvas.height))
    XRenderSetPictureFilter(server.display, canvas.picture, FilterBilinear, nil, 0)
    return Card(
      canvas: canvas, middle: Point(x: card.middle.x / 2, y: card.middle.y / 2), scale: card.scale * 2)
  }

  private func forget(_ image: ImageID) {
    for (key, card) in cards where key.image == image {
      card.canvas.free(server)
      cards[key] = nil
    }
  }

  func removeAll() {
    for card in cards.values { card.canvas.free(server) }
    for disc in discs.values { disc.free(server) }
    cards.removeAll()
    discs.removeAll()
  }
}
