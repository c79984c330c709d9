package import CX11
package import CarryModel

/// Draws Carry's own white cards with cairo: their outline, shadow and text.
package struct CardPainter {
  package typealias Color = (red: Double, green: Double, blue: Double)

  package static let ink: Color = (0.12, 0.13, 0.16)
  package static let faint: Color = (0.40, 0.42, 0.46)
  package static let accent: Color = (0.16, 0.45, 0.86)
  package static let failure: Color = (0.78, 0.16, 0.14)
  package static let track: Color = (0.89, 0.90, 0.92)
  package static let key: Color = (0.93, 0.94, 0.96)
  package static let pressedKey: Color = (0.82, 0.84, 0.88)
  /// Less round than a badge, whose shape would be too much for a card of this size.
  package static let cornerRadius = 12.0
  /// Room for the shadow round the card, at 96 dots per inch.
  package static let shadowRoom = 26.0

  package let cr: OpaquePointer
  /// Screen pixels per pixel at 96 dots per inch.
  package let scale: Double

  package init(_ cr: OpaquePointer, scale: Double) { (self.cr, self.scale) = (cr, scale) }

  /// Draws on a new surface of premultiplied ARGB.
  ///
  /// - Parameter size: pixels.
  /// - Returns: the surface, which the caller destroys; nil if out of memory.
  package static func surface(_ size: Size, scale: Double, _ draw: (CardPainter) -> Void) -> OpaquePointer? {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(size.width), CInt(size.height)),
      let cr = cairo_create(surface)
    else { return nil }
    draw(CardPainter(cr, scale: scale))
    cairo_destroy(cr)
    return surface
  }

  /// Draws an empty card.
  package func card(_ card: Rect, hasShadow: Bool) {
    let radius = Self.cornerRadius * scale
    if hasShadow { shadow(of: card, radius) }
    outline(card, radius)
    fill((1, 1, 1))
    // A thin rim separates the card from a white background.
    let half = max(1, scale.rounded()) / 2
    outline(
      Rect(x: card.x + half, y: card.y + half, width: card.width - 2 * half, height: card.height - 2 * half),
      radius - half)
    cairo_set_source_rgba(cr, 0, 0, 0, hasShadow ? 0.08 : 0.22)
    cairo_set_line_width(cr, 2 * half)
    cairo_stroke(cr)
  }

  /// Rings that grow and fade, moved down a little: light comes from above.
  private func shadow(of card: Rect, _ radius: Double) {
    let rings = 18
    for ring in stride(from: rings, through: 1, by: -1) {
      let grow = Double(ring) * scale
      outline(
        Rect(
          x: card.x - grow, y: card.y - grow + 5 * scale, width: card.width + 2 * grow, height: card.height + 2 * grow),
        radius + grow)
      cairo_set_source_rgba(cr, 0, 0, 0, 0.002 + 0.016 * Double(rings - ring) / Double(rings))
      cairo_fill(cr)
    }
  }

  /// Sets the path to a rectangle with round corners.
  package func outline(_ r: Rect, _ radius: Double) {
    cairo_new_path(cr)
    cairo_arc(cr, r.maxX - radius, r.y + radius, radius, -Double.pi / 2, 0)
    cairo_arc(cr, r.maxX - radius, r.maxY - radius, radius, 0, Double.pi / 2)
    cairo_arc(cr, r.x + radius, r.maxY - radius, radius, Double.pi / 2, Double.pi)
    cairo_arc(cr, r.x + radius, r.y + radius, radius, Double.pi, 1.5 * Double.pi)
    cairo_close_path(cr)
  }

  /// Fills the path.
  package func fill(_ color: Color) {
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_fill(cr)
  }

  package func measure(_ words: String, points: Double, isBold: Bool = false) -> Double {
    cx11_text(cr, String(words.prefix(120)), points * scale, isBold ? 1 : 0, 1e4, 0).width
  }

  /// Draws text.
  ///
  /// - Parameters:
  ///   - base: the y coordinate of the baseline.
  ///   - points: the font size at 96 dots per inch.
  ///   - most: maximum width in pixels; longer text is cut.
  /// - Returns: the width of the drawn text.
  @discardableResult
  package func text(
    _ words: String, x: Double, base: Double, points: Double, isBold: Bool = false, _ color: Color, most: Double
  ) -> Double {
    guard most > 1 else { return 0 }
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_move_to(cr, x.rounded(), base.rounded())
    return cx11_text(cr, String(words.prefix(120)), points * scale, isBold ? 1 : 0, most, 1).width
  }

  /// Draws text centred in a stretch.
  package func centered(
    _ words: String, in place: Rect, base: Double, points: Double, isBold: Bool = false, _ color: Color
  ) {
    let width = min(place.width, measure(words, points: points, isBold: isBold))
    text(
      words, x: place.x + (place.width - width) / 2, base: base, points: points, isBold: isBold, color,
      most: place.width)
  }

  /// Draws a name centred in a stretch. Too long a name is cut in its middle, because the ends of names distinguish
  /// files.
  package func name(
    _ name: String, in place: Rect, base: Double, points: Double, isBold: Bool = false, _ color: Color
  ) {
    let size = points * scale
    let width = cx11_name(cr, name, size, isBold ? 1 : 0, place.width, 0).width
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_move_to(cr, (place.x + (place.width - width) / 2).rounded(), base.rounded())
    _ = cx11_name(cr, name, size, isBold ? 1 : 0, place.width, 1)
  }

  /// The area of a rectangle with round corners, row by row where it is round: for the shape of a window.
  package static func rows(_ width: Int, _ height: Int, radius: Int) -> [XRectangle] {
    func row(_ y: Int, _ inset: Int, _ tall: Int) -> XRectangle {
      XRectangle(
        x: Int16(clamping: inset), y: Int16(clamping: y), width: UInt16(clamping: width - 2 * inset),
        height: UInt16(clamping: tall))
    }
    var rows = [row(radius, 0, max(0, height - 2 * radius))]
    for y in 0..<radius {
      let (r, up) = (Double(radius), Double(radius - y) - 0.5)
      let inset = Int((r - (r * r - up * up).squareRoot()).rounded())
      rows.append(row(y, inset, 1))
      rows.append(row(height - 1 - y, inset, 1))
    }
    return rows
  }
}
