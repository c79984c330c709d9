import CX11
import CarryModel
import CarryStage

/// Draws the window for slow transfers with cairo: a white card like those of links, with a line for each drop.
struct PanelDrawing {
  typealias Color = (red: Double, green: Double, blue: Double)

  static let ink: Color = (0.12, 0.13, 0.16)
  static let faint: Color = (0.40, 0.42, 0.46)
  static let accent: Color = (0.16, 0.45, 0.86)
  static let failure: Color = (0.78, 0.16, 0.14)
  static let track: Color = (0.89, 0.90, 0.92)
  static let key: Color = (0.93, 0.94, 0.96)
  static let pressedKey: Color = (0.82, 0.84, 0.88)
  /// Half a pill: the badge's roundness would be too much for a card of this size.
  static let cornerRadius = 12.0
  /// Room for the shadow round the card, at 96 dots per inch.
  static let shadowRoom = 26.0

  private let cr: OpaquePointer
  private let panel: PanelPicture
  private var scale: Double { panel.layout.scale }

  /// Draws the card on a surface of its size and twice the margin.
  ///
  /// - Parameter margin: whole pixels round the card, for the shadow; 0 for a card without one.
  /// - Returns: the surface, to be destroyed; nil without memory.
  static func draw(_ panel: PanelPicture, margin: Double) -> OpaquePointer? {
    let size = panel.layout.frame.size
    guard
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, CInt(size.width + 2 * margin), CInt(size.height + 2 * margin)),
      let cr = cairo_create(surface)
    else { return nil }
    cairo_translate(cr, margin, margin)
    PanelDrawing(cr: cr, panel: panel).draw(hasShadow: margin > 0)
    cairo_destroy(cr)
    return surface
  }

  private func draw(hasShadow: Bool) {
    let card = Rect(origin: .zero, size: panel.layout.frame.size)
    let radius = Self.cornerRadius * scale
    if hasShadow { drawShadow(of: card, radius) }
    outline(card, radius)
    fill((1, 1, 1))
    // A thin rim sets the card off from what is white itself.
    let half = max(1, scale.rounded()) / 2
    outline(Rect(x: half, y: half, width: card.width - 2 * half, height: card.height - 2 * half), radius - half)
    cairo_set_source_rgba(cr, 0, 0, 0, hasShadow ? 0.08 : 0.22)
    cairo_set_line_width(cr, 2 * half)
    cairo_stroke(cr)
    for (i, row) in panel.content.rows.enumerated() {
      if i > 0 { drawLine(at: panel.layout.rows[i].y) }
      draw(row, in: panel.layout.rows[i], button: panel.layout.buttons[i])
    }
    guard let footer = panel.layout.footer else { return }
    drawLine(at: footer.y)
    text(
      "and \(panel.content.hidden) more", x: PanelLayout.margin * scale, base: footer.y + 17 * scale, points: 11,
      Self.faint, most: footer.width - 2 * PanelLayout.margin * scale)
  }

  /// Rings that grow and fade, moved down a little: light comes from above.
  private func drawShadow(of card: Rect, _ radius: Double) {
    let rings = 18
    for ring in stride(from: rings, through: 1, by: -1) {
      let grow = Double(ring) * scale
      outline(
        Rect(
          x: card.x - grow, y: card.y - grow + 5 * scale, width: card.width + 2 * grow, height: card.height + 2 * grow),
        radius + grow)
      cairo_set_source_rgba(cr, 0, 0, 0, 0.002 + 0.016 * Double(rings - ring) / Double(rings))
      cairo_fill(cr)
    }
  }

  private func drawLine(at y: Double) {
    let line = max(1, scale.rounded())
    let margin = (PanelLayout.margin * scale).rounded()
    cairo_rectangle(cr, margin, y, panel.layout.frame.width - 2 * margin, line)
    fill(Self.track)
  }

  private func draw(_ row: PanelContent.Row, in place: Rect, button: Rect?) {
    let x = place.x + (PanelLayout.margin * scale).rounded()
    let end = (button?.x ?? place.maxX) - (PanelLayout.margin * scale).rounded()
    let width = end - x
    // A row without a bar and without words below has its title in the middle.
    let isSingle = row.bar == .none && row.detail.isEmpty
    let titleBase = place.y + (isSingle ? 38 : row.bar == .none ? 29 : 23) * scale
    // The target gets what it needs, up to nearly half; a long name is cut instead.
    let wish = row.target.isEmpty ? 0 : measure(row.target, points: 12)
    let targetWidth = min(wish, width * 0.45)
    let gap = row.target.isEmpty ? 0 : 6 * scale
    let used = text(
      row.title, x: x, base: titleBase, points: 13, isBold: true, Self.ink, most: width - targetWidth - gap)
    if !row.target.isEmpty {
      text(
        row.target, x: x + used + gap, base: titleBase, points: 12, Self.faint,
        most: max(targetWidth, width - used - gap))
    }
    let bar = Rect(
      x: x, y: (place.y + 33 * scale).rounded(), width: width.rounded(), height: max(2, (5 * scale).rounded()))
    draw(row.bar, in: bar)
    if !row.detail.isEmpty {
      text(
        row.detail, x: x, base: place.y + (row.bar == .none ? 48 : 53) * scale, points: 11,
        row.isFailed ? Self.failure : Self.faint, most: width)
    }
    if let button, let kind = row.button { draw(kind, in: button, isPressed: row.isPressed) }
  }

  private func draw(_ bar: PanelContent.Bar, in place: Rect) {
    guard bar != .none else { return }
    cairo_save(cr)
    outline(place, place.height / 2)
    cairo_clip(cr)
    cairo_rectangle(cr, place.x, place.y, place.width, place.height)
    fill(Self.track)
    switch bar {
    case .none: break
    case .filled(let fraction):
      let width = place.width * max(0, min(1, fraction))
      outline(Rect(x: place.x, y: place.y, width: max(place.height, width), height: place.height), place.height / 2)
      if fraction > 0 { fill(Self.accent) } else { cairo_new_path(cr) }
    case .unknown:
      // Stripes that rest: the bar is redrawn too seldom for anything that moves.
      let step = place.height * 2
      cairo_set_source_rgba(cr, Self.accent.red, Self.accent.green, Self.accent.blue, 0.45)
      for x in stride(from: place.x - step, to: place.maxX, by: step) {
        cairo_move_to(cr, x, place.maxY)
        cairo_line_to(cr, x + place.height, place.y)
        cairo_line_to(cr, x + place.height + step / 2, place.y)
        cairo_line_to(cr, x + step / 2, place.maxY)
        cairo_close_path(cr)
      }
      cairo_fill(cr)
    }
    cairo_restore(cr)
  }

  private func draw(_ button: PanelContent.Button, in place: Rect, isPressed: Bool) {
    outline(place, place.height / 2)
    fill(isPressed ? Self.pressedKey : Self.key)
    let width = measure(button.title, points: 12, isBold: true)
    text(
      button.title, x: place.x + (place.width - width) / 2, base: place.y + place.height / 2 + 4.3 * scale, points: 12,
      isBold: true, button == .undo ? Self.accent : Self.ink, most: place.width)
  }

  // MARK: Pieces

  private func outline(_ r: Rect, _ radius: Double) {
    cairo_new_path(cr)
    cairo_arc(cr, r.maxX - radius, r.y + radius, radius, -Double.pi / 2, 0)
    cairo_arc(cr, r.maxX - radius, r.maxY - radius, radius, 0, Double.pi / 2)
    cairo_arc(cr, r.x + radius, r.maxY - radius, radius, Double.pi / 2, Double.pi)
    cairo_arc(cr, r.x + radius, r.y + radius, radius, Double.pi, 1.5 * Double.pi)
    cairo_close_path(cr)
  }

  private func fill(_ color: Color) {
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_fill(cr)
  }

  private func measure(_ words: String, points: Double, isBold: Bool = false) -> Double {
    cx11_text(cr, String(words.prefix(120)), points * scale, isBold ? 1 : 0, 1e4, 0).width
  }

  /// - Returns: the width of what was drawn.
  @discardableResult
  private func text(
    _ words: String, x: Double, base: Double, points: Double, isBold: Bool = false, _ color: Color, most: Double
  ) -> Double {
    guard most > 1 else { return 0 }
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_move_to(cr, x.rounded(), base.rounded())
    return cx11_text(cr, String(words.prefix(120)), points * scale, isBold ? 1 : 0, most, 1).width
  }
}
