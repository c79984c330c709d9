import CX11
import CarryModel

/// A card for an item without a picture, or with a picture that a fingertip hides: an icon of its type, and its name.
package struct ItemCard {
  package let width: Int
  package let height: Int
  /// Premultiplied ARGB, row by row without padding.
  package let pixels: [UInt32]

  /// A small picture.
  package struct Icon {
    let width: Int
    let height: Int
    let pixels: [UInt32]

    /// - Parameter pixels: premultiplied ARGB, row by row without padding.
    package init?(width: Int, height: Int, pixels: [UInt32]) {
      guard width > 0, height > 0, pixels.count == width * height else { return nil }
      (self.width, self.height, self.pixels) = (width, height, pixels)
    }
  }

  private static let size = Size(width: 128, height: 112)
  private static let icon = 56.0
  private static let white = (red: 1.0, green: 1.0, blue: 1.0)

  /// - Parameters:
  ///   - name: shown up to the width of the card, whatever it contains; nil to show the name of the item's kind.
  ///   - types: the item's media types, the best first.
  ///   - icon: the icon from the item's own program; nil for an icon of its type.
  ///   - scale: 1 for 128×112 pixels.
  /// - Returns: nil if out of memory.
  package init?(of name: String?, types: [String], icon: Icon? = nil, scale: Double = 1) {
    let name = name.map { SafeText.displayable($0, limit: 200) } ?? ""
    let title = name.isEmpty ? ItemKind.name(of: types) : name
    let size = Size(width: (Self.size.width * scale).rounded(), height: (Self.size.height * scale).rounded())
    let surface = CardPainter.surface(size, scale: 1) { card in
      cairo_scale(card.cr, size.width / Self.size.width, size.height / Self.size.height)
      Self.draw(card, title, TypeIcon(type: types.first ?? ""), icon)
    }
    guard let surface else { return nil }
    defer { cairo_surface_destroy(surface) }
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    (width, height) = (Int(size.width), Int(size.height))
    // Rows of four bytes per pixel have no padding.
    let bytes = UnsafeRawBufferPointer(start: data, count: width * height * 4)
    pixels = Array(bytes.bindMemory(to: UInt32.self))
  }

  private static func draw(_ card: CardPainter, _ title: String, _ icon: TypeIcon, _ own: Icon?) {
    let cr = card.cr
    card.outline(Rect(origin: .zero, size: size), 10)
    let hue = hue(of: icon)
    let light = (hue.red + (1 - hue.red) * 0.3, hue.green + (1 - hue.green) * 0.3, hue.blue + (1 - hue.blue) * 0.3)
    let gradient = cairo_pattern_create_linear(0, 0, size.width * 0.3, size.height)
    cairo_pattern_add_color_stop_rgb(gradient, 0, light.0, light.1, light.2)
    cairo_pattern_add_color_stop_rgb(gradient, 1, hue.red, hue.green, hue.blue)
    cairo_set_source(cr, gradient)
    cairo_fill(cr)
    cairo_pattern_destroy(gradient)
    let place = Rect(x: (size.width - Self.icon) / 2, y: 14, width: Self.icon, height: Self.icon)
    if let own { draw(own, in: place, card) } else { icon.draw(cr, x: place.x, y: place.y, side: place.width) }
    let line = Rect(x: 8, y: 0, width: size.width - 16, height: size.height)
    card.name(title, in: line, base: size.height - 16, points: 13, isBold: true, white)
  }

  /// Draws a picture in the middle of a place, scaled down if it does not fit. Without a compositing manager it fills
  /// its rectangle, so its corners are round.
  private static func draw(_ picture: Icon, in place: Rect, _ card: CardPainter) {
    let cr = card.cr
    let (width, height) = (Double(picture.width), Double(picture.height))
    let scale = min(1, place.width / width, place.height / height)
    var pixels = picture.pixels
    pixels.withUnsafeMutableBytes { bytes in
      let data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let rows = CInt(picture.width * 4)
      guard
        let surface = cairo_image_surface_create_for_data(
          data, CAIRO_FORMAT_ARGB32, CInt(picture.width), CInt(picture.height), rows)
      else { return }
      cairo_save(cr)
      cairo_translate(cr, place.center.x - width * scale / 2, place.center.y - height * scale / 2)
      cairo_scale(cr, scale, scale)
      card.outline(Rect(x: 0, y: 0, width: width, height: height), 6)
      cairo_clip(cr)
      cairo_set_source_surface(cr, surface, 0, 0)
      cairo_paint(cr)
      cairo_restore(cr)
      cairo_surface_destroy(surface)
    }
  }

  /// Colours distinguish the items of a stack.
  private static func hue(of icon: TypeIcon) -> CardPainter.Color {
    switch icon {
    case .folder, .other: (0.22, 0.47, 0.87)
    case .text, .list: (0.20, 0.55, 0.66)
    case .picture: (0.26, 0.62, 0.46)
    case .sound: (0.60, 0.40, 0.78)
    case .film: (0.86, 0.42, 0.33)
    case .archive: (0.80, 0.56, 0.20)
    }
  }
}
