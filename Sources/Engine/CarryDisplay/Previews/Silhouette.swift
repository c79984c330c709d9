import CX11
import CarryModel

/// The shape that casts a picture's shadow: how much of each pixel it covers, at a quarter of the picture's size or
/// less.
struct Silhouette {
  /// Minimum number of picture pixels per pixel of the silhouette.
  private static let step = 4.0
  /// Maximum side in pixels: a blur has no detail that more pixels would show, and each pixel costs time.
  private static let maxAlongASide = 256.0
  let width, height: Int
  let coverage: [UInt8]

  /// The part of `box` that a path fills; all of `box` without a path. Fails if out of memory.
  init?(_ path: PreviewPath?, box: Rect) {
    let step = max(Self.step, max(box.width, box.height) / Self.maxAlongASide)
    width = max(1, Int((box.width / step).rounded(.up)))
    height = max(1, Int((box.height / step).rounded(.up)))
    guard let path else {
      coverage = [UInt8](repeating: 255, count: width * height)
      return
    }
    guard let surface = path.filled(box: box, width: width, height: height) else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    var bytes = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height { for x in 0..<width { bytes[y * width + x] = data[y * stride + x] } }
    coverage = bytes
  }
}

extension PreviewPath {
  /// An 8-bit mask of the part of `box` that the path fills, stretched to `width` × `height` pixels. The caller
  /// destroys the surface.
  func filled(box: Rect, width: Int, height: Int) -> OpaquePointer? {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, CInt(width), CInt(height)),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cr = cairo_create(surface)
    else { return nil }
    cairo_scale(cr, Double(width) / max(box.width, 1), Double(height) / max(box.height, 1))
    cairo_translate(cr, -box.x, -box.y)
    for step in steps {
      switch step {
      case .move(let p): cairo_move_to(cr, p.x, p.y)
      case .line(let p): cairo_line_to(cr, p.x, p.y)
      case .curve(let a, let b, let p): cairo_curve_to(cr, a.x, a.y, b.x, b.y, p.x, p.y)
      case .close: cairo_close_path(cr)
      }
    }
    cairo_fill(cr)
    cairo_destroy(cr)
    cairo_surface_flush(surface)
    return surface
  }
}
