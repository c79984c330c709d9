import CWindow
import Carry
import CarryWindow
import CarryX

/// The looks of the tools' windows.
enum Paint {
  private static let ink = Color(0.13, 0.15, 0.19)
  private static let paper = Color(0.96, 0.965, 0.975)
  /// Tiles side by side must be told apart: each takes the next hue.
  static let hues = [
    Color(0.22, 0.47, 0.87), Color(0.90, 0.42, 0.33), Color(0.26, 0.62, 0.46), Color(0.60, 0.40, 0.78),
    Color(0.86, 0.60, 0.20), Color(0.20, 0.60, 0.68),
  ]

  /// A card that fills the box: a soft gradient, an icon if there is room for it, a title and a detail, such as the
  /// type.
  static func card(on c: Canvas, in box: Box, hue: Color, icon: TypeIcon?, title: String, detail: String) {
    c.fill(box, slant: box.width * 0.3, stops: [(0, hue.mixed(with: .white, 0.30)), (1, hue)])
    let size = max(11, min(28, min(box.width / 9, box.height / 6)))
    let side = icon == nil ? 0 : min(96, box.width * 0.6, box.height - size * 4.4)
    let isShown = side >= 16
    let middle = box.center.y + (isShown ? side / 2 : 0)
    if isShown { icon?.draw(c.context, x: box.center.x - side / 2, y: middle - side - size * 1.1, side: side) }
    let room = box.width * 0.86
    c.text(title, centre: box.center.x, baseline: middle + size * 0.1, size: size, isBold: true, room)
    c.text(
      detail, centre: box.center.x, baseline: middle + size * 1.5, size: size * 0.56, room, Color.white.faded(0.85))
  }

  /// A picture that fills the box, cropped where it does not fit, with its name on a soft band below.
  static func photo(_ picture: Picture, on c: Canvas, in box: Box, title: String) {
    c.draw(picture, filling: box)
    let band = min(44, box.height * 0.3)
    c.fill(Box(box.x, box.maxY - band, box.width, band), from: Color.black.faded(0), to: Color.black.faded(0.55))
    let size = max(10, min(14, band / 2.6))
    c.text(title, centre: box.center.x, baseline: box.maxY - size * 0.7, size: size, box.width * 0.9)
  }

  /// The place for a drop: calm when idle, lit while a drag that would be taken is over it.
  static func dropZone(
    on c: Canvas, size: (width: Double, height: Double), isLit: Bool, title: String, detail: String
  ) {
    c.clear(isLit ? Color(0.86, 0.93, 1.0) : paper)
    let box = Box(0, 0, size.width, size.height)
    c.stroke(
      box.inset(min(size.width, size.height) * 0.06), radius: 14, isLit ? hues[0] : Color(0.70, 0.73, 0.78),
      width: isLit ? 3 : 2, dashes: isLit ? [] : [8, 6], isRound: false)
    // A translucent preview over words would make both unreadable.
    if isLit { return }
    let font = max(11, min(24, min(size.width / 11, size.height / 7)))
    let room = size.width * 0.8
    c.text(title, centre: box.center.x, baseline: box.center.y, size: font, isBold: true, room, ink)
    c.text(
      detail, centre: box.center.x, baseline: box.center.y + font * 1.5, size: font * 0.6, room, ink.faded(0.6))
  }

  /// A title, and a text in as many lines as it needs.
  static func message(on c: Canvas, size: (width: Double, height: Double), title: String, text words: String) {
    c.clear(paper)
    let font = 14.0
    var lines = [""]
    for word in words.split(separator: " ") {
      let longer = lines[lines.count - 1].isEmpty ? String(word) : lines[lines.count - 1] + " " + word
      // About two characters of a proportional font are as wide as one is high.
      if Double(longer.count) * font * 0.55 > size.width - 48 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = longer
      }
    }
    let top = max(40, (size.height - Double(lines.count) * font * 1.5) / 2)
    let (middle, room) = (size.width / 2, size.width - 32)
    c.text(title, centre: middle, baseline: top, size: 18, isBold: true, room, ink)
    for (i, line) in lines.enumerated() {
      c.text(line, centre: middle, baseline: top + 20 + Double(i + 1) * font * 1.5, size: font, room, ink.faded(0.8))
    }
  }
}

extension Canvas {
  /// Draws one line, centred, cut with an ellipsis where it is too wide. Pango would do it better, and is no dependency
  /// of `carry`.
  fileprivate func text(
    _ text: String, centre: Double, baseline: Double, size: Double, isBold: Bool = false, _ room: Double,
    _ color: Color = .white
  ) {
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, size)
    use(color)
    var shown = text
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, shown, &extents)
    var kept = text
    while extents.width > room, !kept.isEmpty {
      kept.removeLast()
      shown = kept + "…"
      cairo_text_extents(context, shown, &extents)
    }
    cairo_move_to(context, centre - extents.width / 2 - extents.x_bearing, baseline)
    cairo_show_text(context, shown)
  }
}
