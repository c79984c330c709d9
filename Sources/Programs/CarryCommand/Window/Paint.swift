import CX11
import CarryX

/// A small picture in memory.
final class Picture {
  fileprivate let surface: OpaquePointer

  /// A picture as `ThumbnailProcess` writes it; nil when the bytes are none, or one that is too large.
  init?(pixels bytes: [UInt8]) {
    guard bytes.count > 8 else { return nil }
    let (width, height) = bytes.withUnsafeBytes {
      (Int($0.loadUnaligned(as: UInt32.self)), Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
    let sides = 1...ThumbnailProcess.side
    guard sides.contains(width), sides.contains(height), bytes.count == 8 + width * height * 4,
      let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(width), CInt(height))
    else { return nil }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface) else {
      cairo_surface_destroy(surface)
      return nil
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    bytes.withUnsafeBytes { from in
      for y in 0..<height {
        UnsafeMutableRawPointer(data + y * stride)
          .copyMemory(from: from.baseAddress! + 8 + y * width * 4, byteCount: width * 4)
      }
    }
    cairo_surface_mark_dirty(surface)
    self.surface = surface
  }

  deinit { cairo_surface_destroy(surface) }
}

/// The looks of the tools' windows, drawn with cairo.
enum Paint {
  struct Color {
    var r, g, b: Double

    init(_ r: Double, _ g: Double, _ b: Double) {
      self.r = r
      self.g = g
      self.b = b
    }

    func mixed(with other: Color, _ amount: Double) -> Color {
      Color(r + (other.r - r) * amount, g + (other.g - g) * amount, b + (other.b - b) * amount)
    }
  }

  static let ink = Color(0.13, 0.15, 0.19)
  static let white = Color(1, 1, 1)
  /// Tiles side by side must be told apart: each takes the next hue.
  static let hues = [
    Color(0.22, 0.47, 0.87), Color(0.90, 0.42, 0.33), Color(0.26, 0.62, 0.46), Color(0.60, 0.40, 0.78),
    Color(0.86, 0.60, 0.20), Color(0.20, 0.60, 0.68),
  ]

  /// A card that fills the rectangle: a soft gradient, an icon if there is room for it, a title and a detail, such as
  /// the type.
  static func card(
    _ c: OpaquePointer, x: Double, y: Double, width: Double, height: Double, hue: Color, icon: TypeIcon?, title: String,
    detail: String
  ) {
    let gradient = cairo_pattern_create_linear(x, y, x + width * 0.3, y + height)
    let light = hue.mixed(with: white, 0.30)
    cairo_pattern_add_color_stop_rgb(gradient, 0, light.r, light.g, light.b)
    cairo_pattern_add_color_stop_rgb(gradient, 1, hue.r, hue.g, hue.b)
    cairo_set_source(c, gradient)
    cairo_rectangle(c, x, y, width, height)
    cairo_fill(c)
    cairo_pattern_destroy(gradient)
    let size = max(11, min(28, min(width / 9, height / 6)))
    let side = icon == nil ? 0 : min(96, width * 0.6, height - size * 4.4)
    let isShown = side >= 16
    let middle = y + height / 2 + (isShown ? side / 2 : 0)
    if isShown { icon?.draw(c, x: x + (width - side) / 2, y: middle - side - size * 1.1, side: side) }
    text(c, title, centre: x + width / 2, baseline: middle + size * 0.1, size: size, bold: true, width * 0.86)
    text(
      c, detail, centre: x + width / 2, baseline: middle + size * 1.5, size: size * 0.56, bold: false,
      width * 0.86, opacity: 0.85)
  }

  /// A picture that fills the rectangle, cropped where it does not fit, with its name on a soft band below.
  static func photo(
    _ c: OpaquePointer, _ picture: Picture, x: Double, y: Double, width: Double, height: Double, title: String
  ) {
    let image = picture.surface
    let (w, h) = (Double(cairo_image_surface_get_width(image)), Double(cairo_image_surface_get_height(image)))
    guard w > 0, h > 0 else { return }
    let scale = max(width / w, height / h)
    cairo_save(c)
    cairo_rectangle(c, x, y, width, height)
    cairo_clip(c)
    cairo_translate(c, x + (width - w * scale) / 2, y + (height - h * scale) / 2)
    cairo_scale(c, scale, scale)
    cairo_set_source_surface(c, image, 0, 0)
    cairo_paint(c)
    cairo_restore(c)
    let band = min(44, height * 0.3)
    let shade = cairo_pattern_create_linear(0, y + height - band, 0, y + height)
    cairo_pattern_add_color_stop_rgba(shade, 0, 0, 0, 0, 0)
    cairo_pattern_add_color_stop_rgba(shade, 1, 0, 0, 0, 0.55)
    cairo_set_source(c, shade)
    cairo_rectangle(c, x, y + height - band, width, band)
    cairo_fill(c)
    cairo_pattern_destroy(shade)
    let size = max(10, min(14, band / 2.6))
    text(c, title, centre: x + width / 2, baseline: y + height - size * 0.7, size: size, bold: false, width * 0.9)
  }

  /// The place for a drop: calm when idle, lit while a drag that would be taken is over it.
  static func dropZone(
    _ c: OpaquePointer, width: Double, height: Double, isLit: Bool, title: String, detail: String
  ) {
    let back = isLit ? Color(0.86, 0.93, 1.0) : Color(0.96, 0.965, 0.975)
    cairo_set_source_rgb(c, back.r, back.g, back.b)
    cairo_paint(c)
    let inset = min(width, height) * 0.06
    rounded(c, inset, inset, width - 2 * inset, height - 2 * inset, radius: 14)
    let line = isLit ? hues[0] : Color(0.70, 0.73, 0.78)
    cairo_set_source_rgb(c, line.r, line.g, line.b)
    cairo_set_line_width(c, isLit ? 3 : 2)
    var dashes = [8.0, 6.0]
    cairo_set_dash(c, &dashes, isLit ? 0 : 2, 0)
    cairo_stroke(c)
    // A translucent preview over words would make both unreadable.
    if isLit { return }
    let size = max(11, min(24, min(width / 11, height / 7)))
    text(
      c, title, centre: width / 2, baseline: height / 2, size: size, bold: true, width * 0.8, color: ink)
    text(
      c, detail, centre: width / 2, baseline: height / 2 + size * 1.5, size: size * 0.6, bold: false, width * 0.8,
      color: ink, opacity: 0.6)
  }

  /// A title, and a text in as many lines as it needs.
  static func message(_ c: OpaquePointer, width: Double, height: Double, title: String, text words: String) {
    cairo_set_source_rgb(c, 0.96, 0.965, 0.975)
    cairo_paint(c)
    let size = 14.0
    var lines = [""]
    for word in words.split(separator: " ") {
      let longer = lines[lines.count - 1].isEmpty ? String(word) : lines[lines.count - 1] + " " + word
      // About two characters of a proportional font are as wide as one is high.
      if Double(longer.count) * size * 0.55 > width - 48 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = longer
      }
    }
    let top = max(40, (height - Double(lines.count) * size * 1.5) / 2)
    text(c, title, centre: width / 2, baseline: top, size: 18, bold: true, width - 32, color: ink)
    for (i, line) in lines.enumerated() {
      text(
        c, line, centre: width / 2, baseline: top + 20 + Double(i + 1) * size * 1.5, size: size, bold: false,
        width - 32,
        color: ink, opacity: 0.8)
    }
  }

  static func rounded(_ c: OpaquePointer, _ x: Double, _ y: Double, _ w: Double, _ h: Double, radius: Double) {
    let r = min(radius, w / 2, h / 2)
    cairo_new_sub_path(c)
    cairo_arc(c, x + w - r, y + r, r, -.pi / 2, 0)
    cairo_arc(c, x + w - r, y + h - r, r, 0, .pi / 2)
    cairo_arc(c, x + r, y + h - r, r, .pi / 2, .pi)
    cairo_arc(c, x + r, y + r, r, .pi, .pi * 1.5)
    cairo_close_path(c)
  }

  /// One line, centred, cut with an ellipsis where it is too wide.
  private static func text(
    _ c: OpaquePointer, _ text: String, centre: Double, baseline: Double, size: Double, bold: Bool, _ room: Double,
    color: Color = white, opacity: Double = 1
  ) {
    cairo_select_font_face(
      c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(c, size)
    cairo_set_source_rgba(c, color.r, color.g, color.b, opacity)
    var shown = text
    var extents = cairo_text_extents_t()
    cairo_text_extents(c, shown, &extents)
    var kept = text
    while extents.width > room, !kept.isEmpty {
      kept.removeLast()
      shown = kept + "…"
      cairo_text_extents(c, shown, &extents)
    }
    cairo_move_to(c, centre - extents.width / 2 - extents.x_bearing, baseline)
    cairo_show_text(c, shown)
  }
}
