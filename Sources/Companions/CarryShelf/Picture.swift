import CX11
import Carry
import CarryModel
import CarryX

/// The picture of an item on the shelf.
final class Picture {
  let size: CarryModel.Size
  let surface: OpaquePointer
  /// The same picture for the engine, which shows it during a drag.
  let image: PreviewImage?

  /// - Parameter pixels: Premultiplied ARGB, row by row without padding.
  /// - Returns: Nil if there is no memory.
  init?(_ pixels: [UInt32], width: Int, height: Int) {
    guard pixels.count == width * height,
      let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(width), CInt(height)),
      let data = cairo_image_surface_get_data(surface)
    else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for y in 0..<height {
        (data + y * stride).update(from: base.assumingMemoryBound(to: UInt8.self) + y * width * 4, count: width * 4)
      }
    }
    cairo_surface_mark_dirty(surface)
    self.surface = surface
    size = CarryModel.Size(width: Double(width), height: Double(height))
    image = PreviewImage(width: width, height: height, premultipliedARGB: pixels)
  }

  /// A card for an item without a picture, such as a file dropped by another program's own drag.
  convenience init?(of name: String, types: [String], scale: Double) {
    // As large as the largest picture that the engine copies.
    guard let card = ItemCard(of: name, types: types, scale: 0.75 * scale) else { return nil }
    self.init(card.pixels, width: card.width, height: card.height)
  }

  deinit { cairo_surface_destroy(surface) }

  /// Copies a pixmap of depth 32; nil if it is gone or has another size.
  convenience init?(_ display: OpaquePointer, pixmap: UInt32, _ size: CarryModel.Size) {
    let (width, height) = (Int(size.width), Int(size.height))
    guard (1...PreviewImage.longestSide).contains(width), (1...PreviewImage.longestSide).contains(height),
      let image = XGetImage(display, UInt(pixmap), 0, 0, UInt32(width), UInt32(height), UInt.max, ZPixmap)
    else { return nil }
    defer { cx11_destroy_image(image) }
    guard image.pointee.depth == 32 else { return nil }
    var pixels = [UInt32](repeating: 0, count: width * height)
    cx11_get_argb(image, &pixels)
    self.init(pixels, width: width, height: height)
  }
}
