import CX11
import CarryModel

/// The pixels of a screen at one moment.
package struct Screenshot: Equatable {
  /// One pixel, 0…255 each.
  package struct Color: Equatable {
    package var red, green, blue: Int

    package init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The largest difference of the three channels.
    package func distance(to other: Color) -> Int {
      max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
    }
  }

  package let width: Int
  package let height: Int
  /// 0x00RRGGBB, row by row.
  private(set) package var pixels: [UInt32]

  /// - Parameter side: The side of a square in the upper left corner, in pixels; nil for the whole screen.
  init?(_ connection: OpaquePointer, _ root: WindowID, side: Int? = nil) {
    let screen = XDefaultScreen(connection)
    width = side ?? Int(XDisplayWidth(connection, screen))
    height = side ?? Int(XDisplayHeight(connection, screen))
    guard
      let image = XGetImage(
        connection, UInt(root.raw), 0, 0, UInt32(width), UInt32(height), UInt.max, ZPixmap)
    else { return nil }
    defer { cx11_destroy_image(image) }
    pixels = [UInt32](repeating: 0, count: width * height)
    pixels.withUnsafeMutableBufferPointer { cx11_get_pixels(image, $0.baseAddress) }
  }

  /// Reads a PNG file; nil if there is none.
  package init?(png path: String) {
    guard let surface = cairo_image_surface_create_from_png(path) else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface) else {
      return nil
    }
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    pixels = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        pixels.append(UnsafeRawPointer(data).load(fromByteOffset: y * stride + x * 4, as: UInt32.self) & 0xFF_FFFF)
      }
    }
  }

  /// Reduces each square of `side` pixels to its mean, so that the result does not depend on fonts.
  package func reduced(by side: Int) -> Screenshot {
    let (w, h) = (width / side, height / side)
    var out = [UInt32](repeating: 0, count: w * h)
    pixels.withUnsafeBufferPointer { all in
      for i in 0..<(w * h) {
        var (r, g, b): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for dy in 0..<side {
          let row = (i / w * side + dy) * width + i % w * side
          for p in row..<(row + side) {
            r &+= all[p] >> 16 & 255
            g &+= all[p] >> 8 & 255
            b &+= all[p] & 255
          }
        }
        let n = UInt32(side * side)
        out[i] = r / n << 16 | g / n << 8 | b / n
      }
    }
    return Screenshot(width: w, height: h, pixels: out)
  }

  private init(width: Int, height: Int, pixels: [UInt32]) {
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// The fraction of pixels, 0…1, that differ from another picture of the same size by more than `tolerance` levels.
  package func share(differingFrom other: Screenshot, byMoreThan tolerance: Int) -> Double {
    guard width == other.width, height == other.height else { return 1 }
    var n = 0
    for i in pixels.indices where pixels[i] != other.pixels[i] {
      let (a, b) = (Int(pixels[i]), Int(other.pixels[i]))
      func differ(_ shift: Int) -> Bool { abs((a >> shift & 255) - (b >> shift & 255)) > tolerance }
      if differ(16) || differ(8) || differ(0) { n += 1 }
    }
    return Double(n) / Double(max(1, pixels.count))
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

  /// Saves it as a PNG file; returns whether that worked.
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
