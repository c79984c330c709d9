import CWindow

/// Pixels: a photo that was decoded, or a drawing made in code. It is painted only before anything else has it, so any
/// thread may read it.
package final class Picture: @unchecked Sendable {
  package let surface: OpaquePointer
  /// Pixels.
  package let width, height: Int

  /// Owns the surface; nil for one in an error state, which is destroyed.
  package init?(_ surface: OpaquePointer?) {
    guard let surface else { return nil }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      return nil
    }
    self.surface = surface
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
  }

  deinit { cairo_surface_destroy(surface) }

  /// A drawing of this many pixels, drawn in units of one pixel.
  package convenience init?(width: Int, height: Int, _ draw: (Canvas) -> Void) {
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(clamping: width), CInt(clamping: height)))
    guard let context = cairo_create(surface) else { return nil }
    draw(Canvas(context, scale: 1))
    cairo_destroy(context)
    cairo_surface_flush(surface)
  }

  /// A picture whose rows are written one by one, from the top.
  ///
  /// - Parameter write: is called with each row's number and its pixels: 0xAARRGGBB, premultiplied.
  package convenience init?(width: Int, height: Int, rows write: (Int, UnsafeMutableBufferPointer<UInt32>) -> Void) {
    self.init(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(clamping: width), CInt(clamping: height)))
    for y in 0..<height {
      guard let row = row(y) else { return nil }
      write(y, row)
    }
    cairo_surface_mark_dirty(surface)
  }

  private func row(_ y: Int) -> UnsafeMutableBufferPointer<UInt32>? {
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    let start = UnsafeMutableRawPointer(data + y * Int(cairo_image_surface_get_stride(surface)))
    return UnsafeMutableBufferPointer(start: start.assumingMemoryBound(to: UInt32.self), count: width)
  }

  /// 0xAARRGGBB, premultiplied; rows from the top, without gaps.
  package var pixels: [UInt32] { (0..<height).flatMap { row($0).map(Array.init) ?? [] } }

  /// Width, height and pixels as `_NET_WM_ICON` has them.
  var icon: [UInt] { [UInt(width), UInt(height)] + pixels.map(UInt.init) }
}
