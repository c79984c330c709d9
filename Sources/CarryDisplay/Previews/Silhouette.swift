import CX11
import CarryModel

/// How much of each quarter-size pixel of a picture is covered by what throws its shadow.
struct Silhouette {
  /// Pixels of the picture for each of these, at the least.
  private static let step = 4.0
  /// A blur has no detail that more of them would show, and takes its time for each.
  private static let mostAlongASide = 256.0
  let width, height: Int
  let coverage: [UInt8]

  /// What a path fills of `box`; nil for all of it.
  init?(_ path: PreviewPath?, box: Rect) {
    let step = max(Self.step, max(box.width, box.height) / Self.mostAlongASide)
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
  /// An 8-bit mask of what the path fills of `box`, stretched to so many pixels.
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
