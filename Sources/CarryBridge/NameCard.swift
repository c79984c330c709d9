import CX11
import Carry
import CarryModel

/// A card with a name, for what has no picture.
enum NameCard {
  private static let widest = 240.0
  private static let height = 36.0
  private static let margin = 12.0
  private static let size = 14.0

  /// - Parameter name: shown up to the width of the card, whatever it contains.
  static func picture(of name: String) -> PreviewImage? {
    let name = SafeText.displayable(name, limit: 200)
    let text = name.isEmpty ? "…" : name
    let measured = draw(text, width: 1, draws: false)?.width ?? 0
    let width = Int((min(measured, widest - 2 * margin) + 2 * margin).rounded(.up))
    guard let pixels = draw(text, width: width, draws: true)?.pixels else { return nil }
    return PreviewImage(width: width, height: Int(height), premultipliedARGB: pixels)
  }

  private static func draw(_ text: String, width: Int, draws: Bool) -> (width: Double, pixels: [UInt32])? {
    var pixels = [UInt32](repeating: 0, count: width * Int(height))
    let measured = pixels.withUnsafeMutableBytes { bytes -> Double? in
      guard
        let surface = cairo_image_surface_create_for_data(
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, CInt(width), CInt(height),
          CInt(width * 4))
      else { return nil }
      defer { cairo_surface_destroy(surface) }
      guard let cr = cairo_create(surface) else { return nil }
      defer { cairo_destroy(cr) }
      if draws {
        cairo_set_source_rgb(cr, 1, 1, 1)
        cairo_paint(cr)
        cairo_rectangle(cr, 0.5, 0.5, Double(width) - 1, height - 1)
        cairo_set_line_width(cr, 1)
        cairo_set_source_rgb(cr, 0.7, 0.7, 0.7)
        cairo_stroke(cr)
        cairo_set_source_rgb(cr, 0.1, 0.1, 0.1)
        cairo_move_to(cr, margin, height / 2 + size / 3)
      }
      let extents = cx11_text(cr, text, size, 0, widest - 2 * margin, draws ? 1 : 0)
      cairo_surface_flush(surface)
      return extents.width
    }
    return measured.map { ($0, pixels) }
  }
}
