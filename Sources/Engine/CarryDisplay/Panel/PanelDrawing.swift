import CX11
import CarryModel
import CarryStage
import CarryX

/// Draws the window for slow transfers with cairo: a white card like those of links, with a line for each drop.
struct PanelDrawing {
  private let card: CardPainter
  private let panel: PanelPicture
  private var cr: OpaquePointer { card.cr }
  private var scale: Double { card.scale }

  /// Draws the card on a surface that is larger than it by the margin on each side.
  ///
  /// - Parameter margin: whole pixels round the card, for the shadow; 0 for a card without one.
  /// - Returns: the surface, which the caller destroys; nil if out of memory.
  static func draw(_ panel: PanelPicture, margin: Double) -> OpaquePointer? {
    let size = panel.layout.frame.size
    return CardPainter.surface(
      Size(width: size.width + 2 * margin, height: size.height + 2 * margin), scale: panel.layout.scale
    ) { card in
      cairo_translate(card.cr, margin, margin)
      PanelDrawing(card: card, panel: panel).draw(hasShadow: margin > 0)
    }
  }

  private func draw(hasShadow: Bool) {
    card.card(Rect(origin: .zero, size: panel.layout.frame.size), hasShadow: hasShadow)
    for (i, row) in panel.content.rows.enumerated() {
      if i > 0 { drawLine(at: panel.layout.rows[i].y) }
      draw(row, in: panel.layout.rows[i], button: panel.layout.buttons[i])
    }
    guard let footer = panel.layout.footer else { return }
    drawLine(at: footer.y)
    card.text(
      "and \(panel.content.hidden) more", x: PanelLayout.margin * scale, base: footer.y + 17 * scale, points: 11,
      CardPainter.faint, most: footer.width - 2 * PanelLayout.margin * scale)
  }

  private func drawLine(at y: Double) {
    let line = max(1, scale.rounded())
    let margin = (PanelLayout.margin * scale).rounded()
    cairo_rectangle(cr, margin, y, panel.layout.frame.width - 2 * margin, line)
    card.fill(CardPainter.track)
  }

  private func draw(_ row: PanelContent.Row, in place: Rect, button: Rect?) {
    let x = place.x + (PanelLayout.margin * scale).rounded()
    let end = (button?.x ?? place.maxX) - (PanelLayout.margin * scale).rounded()
    let width = end - x
    // A row without a bar and without text below has a centred title.
    let isSingle = row.bar == .none && row.detail.isEmpty
    let titleBase = place.y + (isSingle ? 38 : row.bar == .none ? 29 : 23) * scale
    // The target gets the width it needs, up to nearly half; a long name is cut instead.
    let wish = row.target.isEmpty ? 0 : card.measure(row.target, points: 12)
    let targetWidth = min(wish, width * 0.45)
    let gap = row.target.isEmpty ? 0 : 6 * scale
    let used = card.text(
      row.title, x: x, base: titleBase, points: 13, isBold: true, CardPainter.ink, most: width - targetWidth - gap)
    if !row.target.isEmpty {
      card.text(
        row.target, x: x + used + gap, base: titleBase, points: 12, CardPainter.faint,
        most: max(targetWidth, width - used - gap))
    }
    let bar = Rect(
      x: x, y: (place.y + 33 * scale).rounded(), width: width.rounded(), height: max(2, (5 * scale).rounded()))
    draw(row.bar, in: bar)
    if !row.detail.isEmpty {
      card.text(
        row.detail, x: x, base: place.y + (row.bar == .none ? 48 : 53) * scale, points: 11,
        row.isFailed ? CardPainter.failure : CardPainter.faint, most: width)
    }
    if let button, let kind = row.button { draw(kind, in: button, isPressed: row.isPressed) }
  }

  private func draw(_ bar: PanelContent.Bar, in place: Rect) {
    guard bar != .none else { return }
    cairo_save(cr)
    card.outline(place, place.height / 2)
    cairo_clip(cr)
    cairo_rectangle(cr, place.x, place.y, place.width, place.height)
    card.fill(CardPainter.track)
    switch bar {
    case .none: break
    case .filled(let fraction):
      let width = place.width * max(0, min(1, fraction))
      card.outline(
        Rect(x: place.x, y: place.y, width: max(place.height, width), height: place.height), place.height / 2)
      if fraction > 0 { card.fill(CardPainter.accent) } else { cairo_new_path(cr) }
    case .unknown:
      // Static stripes: the bar is redrawn too seldom for an animation.
      let step = place.height * 2
      cairo_set_source_rgba(cr, CardPainter.accent.red, CardPainter.accent.green, CardPainter.accent.blue, 0.45)
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
    card.outline(place, place.height / 2)
    card.fill(isPressed ? CardPainter.pressedKey : CardPainter.key)
    let width = card.measure(button.title, points: 12, isBold: true)
    card.text(
      button.title, x: place.x + (place.width - width) / 2, base: place.y + place.height / 2 + 4.3 * scale, points: 12,
      isBold: true, button == .undo ? CardPainter.accent : CardPainter.ink, most: place.width)
  }

}
