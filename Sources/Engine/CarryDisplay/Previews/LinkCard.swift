import CX11
import CarryModel

/// A card for a link: its title in bold, if it has one, and its address below; both cut where the card ends.
enum LinkCard {
  private static let margin = 14.0

  /// Draws the card of a link in the size `pixels`, with `scale` of these pixels per pixel at 96 dpi.
  static func draw(_ server: XServer, url: String, title: String, size pixels: Size, scale: Double) -> Canvas? {
    let size = Size(width: pixels.width / scale, height: pixels.height / scale)
    guard pixels.width >= 1, pixels.height >= 1,
      let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(pixels.width), CInt(pixels.height)),
      let cr = cairo_create(surface)
    else { return nil }
    cairo_scale(cr, scale, scale)
    cairo_set_source_rgba(cr, 1, 1, 1, 1)
    cairo_paint(cr)
    // A bar at the left, in the usual colour of links, marks this as a link.
    cairo_set_source_rgba(cr, 0.16, 0.45, 0.86, 1)
    cairo_rectangle(cr, 0, 0, 4, size.height)
    cairo_fill(cr)
    let address = shortened(url)
    if title.isEmpty {
      line(cr, address, at: size.height / 2 + 5, points: 14, isBold: true, (0.16, 0.45, 0.86), size)
    } else {
      line(cr, title, at: 26, points: 14, isBold: true, (0.12, 0.13, 0.16), size)
      line(cr, address, at: 46, points: 12, isBold: false, (0.16, 0.45, 0.86), size)
    }
    cairo_destroy(cr)
    defer { cairo_surface_destroy(surface) }
    return Canvas(server, uploading: surface)
  }

  /// The address without the parts that are obvious: the scheme, "www." and a slash at the end.
  static func shortened(_ url: String) -> String {
    var text = Substring(url)
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
    if text.hasPrefix("www.") { text = text.dropFirst(4) }
    if text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }

  private static func line(
    _ cr: OpaquePointer, _ text: String, at y: Double, points: Double, isBold: Bool,
    _ color: (Double, Double, Double), _ size: Size
  ) {
    cairo_set_source_rgba(cr, color.0, color.1, color.2, 1)
    cairo_move_to(cr, margin, y)
    _ = cx11_text(cr, String(text.prefix(120)), points, isBold ? 1 : 0, size.width - 2 * margin, 1)
  }
}
