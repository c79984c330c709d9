import CX11
import CarryModel

/// The pixels of a screen at one moment.
package struct Screenshot: Equatable {
  /// One pixel, 0…255 each.
  package struct Color: Equatable {
    package var red, green, blue: Int

    package init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The largest difference in one of the three.
    package func distance(to other: Color) -> Int {
      max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
  }

  package let width: Int
  package let height: Int
  /// 0x00RRGGBB, row by row.
  private(set) package var pixels: [UInt32]

  init?(_ connection: OpaquePointer, _ root: WindowID) {
    let screen = XDefaultScreen(connection)
    width = Int(XDisplayWidth(connection, screen))
    height = Int(XDisplayHeight(connection, screen))
    guard
      let image = XGetImage(
        connection, UInt(root.raw), 0, 0, UInt32(width), UInt32(height), UInt.max, ZPixmap)
    else { return nil }
    defer { cx11_destroy_image(image) }
    pixels = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        pixels.append(UInt32(truncatingIfNeeded: cx11_get_pixel(image, CInt(x), CInt(y))) & 0xFF_FFFF)
      }
    }
  }

  package subscript(x: Int, y: Int) -> Color {
    guard x >= 0, y >= 0, x < width, y < height else { return Color(0, 0, 0) }
    let p = Int(pixels[y * width + x])
    return Color(p >> 16 & 255, p >> 8 & 255, p & 255)
  }

  /// How many pixels differ from another picture of the same size by more than `tolerance`.
  package func differences(from other: Screenshot, tolerance: Int = 2) -> Int {
    guard width == other.width, height == other.height else { return max(pixels.count, other.pixels.count) }
    var n = 0
    for y in 0..<height {
      for x in 0..<width where self[x, y].distance(to: other[x, y]) > tolerance { n += 1 }
    }
    return n
  }

  /// Keeps it as a PNG file; says whether that worked.
  @discardableResult
  package func write(to path: String) -> Bool {
    var pixels = self.pixels
    return pixels.withUnsafeMutableBytes { bytes in
      let surface = cairo_image_surface_create_for_data(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, CInt(width), CInt(height),
        CInt(width * 4))
      defer { cairo_surface_destroy(surface) }
      return cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS
    }
  }
}
