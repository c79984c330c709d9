import CarryX
import CX11
import CarryModel

/// A frame with round corners and a hint of its colour inside.
///
/// Only the corners are drawn here. One row and one column of pixels lie between them, and the server stretches
/// those. A frame round a whole screen costs as little as a frame round a button.
enum HighlightFrame {
  /// The side of a corner in pixels, which is more than the curve needs.
  private static let corner = 16

  /// Draws a frame; nil if the size is too small for corners, or larger than a screen.
  static func draw(_ server: XServer, width: Int, height: Int) -> Canvas? {
    guard width > 8, height > 8, width <= 4096, height <= 4096 else { return nil }
    let least = 2 * corner + 1
    guard let tile = drawTile(server, min(width, least), min(height, least)) else { return nil }
    guard width > least || height > least else { return tile }
    defer { tile.free(server) }
    let whole = Canvas(server, width: width, height: height)
    XRenderSetPictureFilter(server.display, tile.picture, FilterNearest, nil, 0)
    for row in pieces(height) {
      for column in pieces(width) {
        let (sx, sy) = (
          Double(column.from.count) / Double(column.to.count), Double(row.from.count) / Double(row.to.count)
        )
        var transform = XTransform.scaling(
          x: sx, y: sy, thenMovedBy: (Double(column.from.lowerBound), Double(row.from.lowerBound)))
        XRenderSetPictureTransform(server.display, tile.picture, &transform)
        XRenderComposite(
          server.display, PictOpSrc, tile.picture, 0, whole.picture, 0, 0, 0, 0, CInt(column.to.lowerBound),
          CInt(row.to.lowerBound), UInt32(column.to.count), UInt32(row.to.count))
      }
    }
    return whole
  }

  /// The pixels of the tile and the corresponding pixels of the frame, along one side.
  private static func pieces(_ length: Int) -> [(from: Range<Int>, to: Range<Int>)] {
    guard length > 2 * corner + 1 else { return [(0..<length, 0..<length)] }
    return [
      (0..<corner, 0..<corner), (corner..<corner + 1, corner..<length - corner),
      (corner + 1..<2 * corner + 1, length - corner..<length),
    ]
  }

  private static func drawTile(_ server: XServer, _ width: Int, _ height: Int) -> Canvas? {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(width), CInt(height)),
      let cr = cairo_create(surface)
    else { return nil }
    let (r, line) = (min(12, Double(min(width, height)) / 3), 3.0)
    let (w, h) = (Double(width) - line, Double(height) - line)
    cairo_translate(cr, line / 2, line / 2)
    cairo_arc(cr, w - r, r, r, -Double.pi / 2, 0)
    cairo_arc(cr, w - r, h - r, r, 0, Double.pi / 2)
    cairo_arc(cr, r, h - r, r, Double.pi / 2, Double.pi)
    cairo_arc(cr, r, r, r, Double.pi, Double.pi * 1.5)
    cairo_close_path(cr)
    cairo_set_source_rgba(cr, 0.16, 0.50, 0.95, 0.10)
    cairo_fill_preserve(cr)
    cairo_set_source_rgba(cr, 0.16, 0.50, 0.95, 0.85)
    cairo_set_line_width(cr, line)
    cairo_stroke(cr)
    cairo_destroy(cr)
    defer { cairo_surface_destroy(surface) }
    return Canvas(server, uploading: surface)
  }
}
