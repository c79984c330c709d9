import CDemoKit
package import Carry
package import CarryWindow

/// How text looks.
package struct TextStyle: Equatable, Sendable {
  package enum Weight: UInt32, Sendable { case regular = 400, medium = 500, semibold = 600, bold = 700 }

  /// The height of the em square, in units of the kit.
  package var size: Double
  package var weight: Weight
  package var isItalic: Bool
  package var color: Color
  /// A font family, or a list of families.
  package var family: String

  package init(
    _ size: Double, _ weight: Weight = .regular, isItalic: Bool = false, color: Color = .ink,
    family: String = "Inter, Cantarell, Noto Sans, sans-serif"
  ) {
    (self.size, self.weight, self.isItalic, self.color, self.family) = (size, weight, isItalic, color, family)
  }
}

/// Text in any script, laid out by Pango. It can be drawn and measured, and finds the character at a point.
package final class TextLayout {
  let layout: OpaquePointer
  package let style: TextStyle
  private let count: Int

  nonisolated(unsafe) private static let context: OpaquePointer? = {
    let context = pango_font_map_create_context(pango_cairo_font_map_get_default())
    // The kit's units are pixels of a screen with 96 dots an inch.
    pango_cairo_context_set_resolution(context, 96)
    return context
  }()

  /// - Parameters:
  ///   - width: where lines are broken, or where a single line is cut; nil for no limit.
  ///   - spacing: the distance of lines, as a factor of the line's own height.
  ///   - heading: how many bytes of UTF-8 at the start are larger and bolder than the rest.
  ///   - holes: characters that are replaced by room for something else.
  package init(
    _ text: String, _ style: TextStyle, width: Double? = nil, isOneLine: Bool = false, isCentered: Bool = false,
    spacing: Double = 0, heading: Int = 0, holes: [Hole] = []
  ) {
    layout = pango_layout_new(Self.context)
    self.style = style
    let font = pango_font_description_from_string(style.family)
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    pango_font_description_set_weight(font, PangoWeight(rawValue: style.weight.rawValue))
    pango_font_description_set_style(font, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    if let width {
      pango_layout_set_width(layout, CInt(max(0, min(100_000, width)) * Double(PANGO_SCALE)))
      if isOneLine {
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_single_paragraph_mode(layout, 1)
      } else {
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      }
    }
    if isCentered { pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER) }
    if spacing > 0, holes.isEmpty {
      pango_layout_set_line_spacing(layout, Float(spacing))
    } else if spacing > 1 {
      // Pango applies a factor to the font's height alone, so lines would run into higher holes.
      pango_layout_set_spacing(layout, CInt((spacing - 1) * 1.2 * style.size * Double(PANGO_SCALE)))
    }
    count = text.utf8.count
    setAttributes(heading, holes)
    pango_layout_set_text(layout, text, CInt(clamping: count))
  }

  deinit { demo_unref(UnsafeMutableRawPointer(layout)) }

  /// Room in a text for something that is no text. It stands on the baseline.
  package struct Hole: Equatable, Sendable {
    /// The one character that the hole replaces, in bytes of UTF-8.
    package var range: Range<Int>
    package var width, height: Double

    package init(_ range: Range<Int>, width: Double, height: Double) {
      (self.range, self.width, self.height) = (range, width, height)
    }
  }

  private func setAttributes(_ heading: Int, _ holes: [Hole]) {
    guard heading > 0 || !holes.isEmpty, let list = pango_attr_list_new() else { return }
    func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?, _ range: Range<Int>) {
      attribute?.pointee.start_index = UInt32(clamping: range.lowerBound)
      attribute?.pointee.end_index = UInt32(clamping: range.upperBound)
      pango_attr_list_insert(list, attribute)
    }
    func units(_ v: Double) -> CInt { CInt(max(0, min(1e5, v)) * Double(PANGO_SCALE)) }
    if heading > 0 {
      add(pango_attr_weight_new(PANGO_WEIGHT_SEMIBOLD), 0..<heading)
      add(pango_attr_size_new_absolute(units(style.size * 1.35)), 0..<heading)
    }
    for hole in holes {
      var room = PangoRectangle(x: 0, y: -units(hole.height), width: units(hole.width), height: units(hole.height))
      add(pango_attr_shape_new(&room, &room), hole.range)
    }
    pango_layout_set_attributes(layout, list)
    pango_attr_list_unref(list)
  }

  /// Where the character at an offset is.
  package func place(of offset: Int) -> Box {
    var r = PangoRectangle()
    pango_layout_index_to_pos(layout, CInt(clamping: min(count, max(0, offset))), &r)
    let k = Double(PANGO_SCALE)
    return Box(Double(r.x) / k, Double(r.y) / k, Double(r.width) / k, Double(r.height) / k)
  }

  package var size: (width: Double, height: Double) {
    var r = PangoRectangle()
    pango_layout_get_extents(layout, nil, &r)
    return (Double(r.width) / Double(PANGO_SCALE), Double(r.height) / Double(PANGO_SCALE))
  }

  /// The place between two characters that is nearest to a point, in bytes of UTF-8 from the start.
  package func offset(at p: Point) -> Int {
    var (index, trailing): (CInt, CInt) = (0, 0)
    func units(_ v: Double) -> CInt { CInt(max(-1e6, min(1e6, v)) * Double(PANGO_SCALE)) }
    pango_layout_xy_to_index(layout, units(p.x), units(p.y), &index, &trailing)
    var offset = Int(index)
    guard let text = pango_layout_get_text(layout) else { return 0 }
    // Steps over the characters of the cluster that was hit.
    for _ in 0..<trailing where offset < count {
      offset += 1
      while offset < count, UInt8(bitPattern: text[offset]) & 0xC0 == 0x80 { offset += 1 }
    }
    return min(count, max(0, offset))
  }

  /// Where a caret stands before the byte at an offset.
  package func caret(at offset: Int) -> Box {
    var r = PangoRectangle()
    pango_layout_get_cursor_pos(layout, CInt(clamping: min(count, max(0, offset))), &r, nil)
    let k = Double(PANGO_SCALE)
    return Box(Double(r.x) / k, Double(r.y) / k, 0, Double(r.height) / k)
  }

  /// The boxes that cover a range of bytes, one box for each line.
  package func boxes(from start: Int, to end: Int) -> [Box] {
    guard start < end else { return [] }
    var boxes: [Box] = []
    guard let lines = pango_layout_get_iter(layout) else { return [] }
    defer { pango_layout_iter_free(lines) }
    let k = Double(PANGO_SCALE)
    repeat {
      guard let line = pango_layout_iter_get_line_readonly(lines) else { continue }
      let (first, length) = (Int(line.pointee.start_index), Int(line.pointee.length))
      guard start <= first + length, end > first else { continue }
      var r = PangoRectangle()
      pango_layout_iter_get_line_extents(lines, nil, &r)
      var (from, to): (CInt, CInt) = (0, 0)
      pango_layout_line_index_to_x(line, CInt(max(start, first)), 0, &from)
      pango_layout_line_index_to_x(line, CInt(min(end, first + length)), 0, &to)
      let (left, right) = (Double(min(from, to)) / k, Double(max(from, to)) / k)
      boxes.append(Box(Double(r.x) / k + left, Double(r.y) / k, max(2, right - left), Double(r.height) / k))
    } while pango_layout_iter_next_line(lines) != 0
    return boxes
  }
}

extension Canvas {
  /// Draws text with its top left corner at a point.
  package func draw(_ text: TextLayout, at p: Point) {
    use(text.style.color)
    cairo_move_to(context, p.x, p.y)
    pango_cairo_update_layout(context, text.layout)
    pango_cairo_show_layout(context, text.layout)
  }

  /// Draws one line in the middle of a box, cut with an ellipsis where it is too long.
  package func draw(_ text: String, _ style: TextStyle, centeredIn box: Box) {
    let layout = TextLayout(text, style, width: box.width, isOneLine: true)
    let size = layout.size
    draw(layout, at: Point(x: box.center.x - size.width / 2, y: box.center.y - size.height / 2))
  }
}
