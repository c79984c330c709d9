import CX11
import CarryModel
import CarryX

/// Draws the shelf with cairo, as a card like Carry's others.
struct ShelfDrawing {
  let card: CardPainter
  let model: ShelfModel
  let layout: ShelfLayout
  /// The pictures of items, by ID.
  let pictures: [Int: Picture]
  let hints: Hints

  /// What is under the fingers and the pointer.
  struct Hints {
    /// Whether a drag is over the shelf that it would keep.
    var isTarget = false
    /// Whether a drag is over the bin.
    var isBinTarget = false
    /// The item that shows its remove button.
    var pointed: Int?
    /// The button under the pointer; empty for none.
    var hovered = Rect.zero
  }

  private var isTarget: Bool { hints.isTarget }

  private var cr: OpaquePointer { card.cr }
  private var scale: Double { layout.scale }

  /// - Parameter margin: The width of the shadow around the card, in whole pixels; 0 for a card without one.
  /// - Returns: The surface, which the caller destroys; nil if there is no memory.
  static func draw(
    _ model: ShelfModel, _ layout: ShelfLayout, _ pictures: [Int: Picture], _ hints: Hints, margin: Double
  ) -> OpaquePointer? {
    let size = layout.frame.size
    return CardPainter.surface(
      Size(width: size.width + 2 * margin, height: size.height + 2 * margin), scale: layout.scale
    ) { card in
      cairo_translate(card.cr, margin, margin)
      ShelfDrawing(card: card, model: model, layout: layout, pictures: pictures, hints: hints)
        .draw(hasShadow: margin > 0)
    }
  }

  private func draw(hasShadow: Bool) {
    let whole = Rect(origin: .zero, size: layout.frame.size)
    card.card(whole, hasShadow: hasShadow)
    if isTarget { glow(whole) }
    switch model.look {
    case .hidden: break
    case .tab: drawTab(whole)
    case .open:
      if layout.footer.isEmpty {
        drawInvitation(whole)
      } else if model.entries.isEmpty {
        drawCleared(whole)
      } else {
        drawHeader()
        for entry in model.entries { layout.cell(ofItem: entry.id).map { draw(entry, in: $0) } }
        drawFooter()
      }
    }
  }

  /// Highlights the card when it accepts a drag.
  private func glow(_ whole: Rect) {
    let width = (3 * scale).rounded()
    card.outline(whole.insetBy(width / 2), CardPainter.cornerRadius * scale - width / 2)
    cairo_set_source_rgba(cr, CardPainter.accent.red, CardPainter.accent.green, CardPainter.accent.blue, 0.08)
    cairo_fill_preserve(cr)
    cairo_set_source_rgba(cr, CardPainter.accent.red, CardPainter.accent.green, CardPainter.accent.blue, 1)
    cairo_set_line_width(cr, width)
    cairo_stroke(cr)
  }

  private func isHovered(_ place: Rect) -> Bool { !place.isEmpty && place == hints.hovered }

  private func drawTab(_ whole: Rect) {
    if isHovered(whole) {
      card.outline(whole.insetBy(3 * scale), (CardPainter.cornerRadius - 3) * scale)
      card.fill(CardPainter.key)
    }
    // A zero would suggest that nothing is shown.
    let isLost = model.count == 0
    let count = String(isLost ? model.goneCount : model.count)
    let isWide = whole.width > whole.height
    let center = whole.center
    let icon = 14 * scale
    let shift = (isLost ? 17 : 11) * scale
    drawTray(
      center: isWide ? Point(x: center.x - shift, y: center.y) : Point(x: center.x, y: center.y - shift), side: icon,
      CardPainter.faint)
    let place =
      isWide
      ? Rect(x: center.x, y: whole.y, width: 2 * shift, height: whole.height)
      : Rect(x: whole.x, y: center.y, width: whole.width, height: 2 * shift)
    if isLost {
      let middle = place.center.y + (isWide ? 0 : -5 * scale)
      card.centered(
        count, in: place, base: middle + (isWide ? -0.5 : 1) * scale, points: 12, isBold: true, CardPainter.failure)
      card.centered("gone", in: place, base: middle + (isWide ? 9.5 : 12) * scale, points: 10, CardPainter.failure)
    } else {
      card.centered(
        count, in: place, base: place.y + place.height / 2 + 5 * scale, points: 13, isBold: true, CardPainter.ink)
    }
  }

  /// Shown on an empty shelf.
  private func drawInvitation(_ whole: Rect) {
    let place = whole.insetBy(10 * scale)
    card.outline(place, 8 * scale)
    var dashes = [5 * scale, 4 * scale]
    cairo_set_dash(cr, &dashes, 2, 0)
    cairo_set_line_width(cr, max(1, (1.5 * scale).rounded()))
    let color = isTarget ? CardPainter.accent : (0.72, 0.74, 0.78)
    cairo_set_source_rgba(cr, color.0, color.1, color.2, 1)
    cairo_stroke(cr)
    cairo_set_dash(cr, nil, 0, 0)
    let middle = place.y + place.height / 2
    drawTray(
      center: Point(x: place.center.x, y: middle - 22 * scale), side: 34 * scale,
      isTarget ? CardPainter.accent : CardPainter.faint)
    card.centered("Shelf", in: place, base: middle + 20 * scale, points: 13, isBold: true, CardPainter.ink)
    card.centered("Keep for later", in: place, base: middle + 38 * scale, points: 11, CardPainter.faint)
  }

  /// A tray with an arrow pointing into it.
  private func drawTray(center: Point, side: Double, _ color: CardPainter.Color) {
    let (x, y, s) = (center.x - side / 2, center.y - side / 2, side)
    cairo_set_source_rgba(cr, color.red, color.green, color.blue, 1)
    cairo_set_line_width(cr, max(1.2, s * 0.08))
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND)
    cairo_new_path(cr)
    cairo_move_to(cr, x, y + s * 0.58)
    cairo_line_to(cr, x, y + s * 0.95)
    cairo_line_to(cr, x + s, y + s * 0.95)
    cairo_line_to(cr, x + s, y + s * 0.58)
    cairo_move_to(cr, x + s * 0.5, y)
    cairo_line_to(cr, x + s * 0.5, y + s * 0.62)
    cairo_move_to(cr, x + s * 0.27, y + s * 0.40)
    cairo_line_to(cr, x + s * 0.5, y + s * 0.63)
    cairo_line_to(cr, x + s * 0.73, y + s * 0.40)
    cairo_stroke(cr)
  }

  /// The handle for all items.
  private func drawHeader() {
    let isHandle = model.present.count > 1
    let place = layout.header
    let pill = Rect(
      x: place.x + 2 * scale, y: place.y + 1 * scale, width: place.width - 4 * scale,
      height: min(place.height, (model.goneCount > 0 ? 30 : 26) * scale))
    if isHandle {
      card.outline(pill, pill.height / 2)
      card.fill(isHovered(place) ? CardPainter.pressedKey : CardPainter.key)
      drawGrip(Point(x: pill.x + 14 * scale, y: pill.center.y))
    }
    let words = Rect(
      x: pill.x + (isHandle ? 22 * scale : 0), y: pill.y, width: pill.width - (isHandle ? 30 * scale : 0),
      height: pill.height)
    // Items in a drag belong to the shelf until they have been delivered.
    let lost = "\(model.goneCount) gone"
    guard model.count > 0 else {
      return card.centered(
        lost, in: words, base: words.center.y + 4.5 * scale, points: 12, isBold: true, CardPainter.failure)
    }
    let isAlone = model.goneCount == 0
    card.centered(
      model.count == 1 ? "1 item" : "\(model.count) items", in: words,
      base: words.center.y + (isAlone ? 4.5 : -1) * scale, points: 12, isBold: true,
      isHandle ? CardPainter.ink : CardPainter.faint)
    if !isAlone {
      card.centered(lost, in: words, base: words.center.y + 10.5 * scale, points: 10, CardPainter.failure)
    }
  }

  /// Six dots.
  private func drawGrip(_ center: Point) {
    cairo_set_source_rgba(cr, CardPainter.faint.red, CardPainter.faint.green, CardPainter.faint.blue, 1)
    for column in [-2.0, 2.0] {
      for row in [-4.0, 0, 4.0] {
        cairo_new_path(cr)
        cairo_arc(cr, center.x + column * scale, center.y + row * scale, 1.2 * scale, 0, 2 * Double.pi)
        cairo_fill(cr)
      }
    }
  }

  private func draw(_ entry: ShelfModel.Entry, in cell: Rect) {
    let opacity = entry.isThere ? 1 : 0.35
    if let picture = pictures[entry.id] {
      let place = layout.picture(picture.size, in: cell)
      draw(picture, in: place, opacity: opacity)
    }
    let words = cell.insetBy(5 * scale)
    card.name(
      entry.name, in: words, base: cell.y + (entry.isGone ? 77 : 82) * scale, points: 11,
      entry.isThere ? CardPainter.ink : CardPainter.faint)
    if entry.isGone {
      let place = cell.insetBy(1 * scale)
      card.centered(entry.whyGone, in: place, base: cell.y + 88.5 * scale, points: 10, CardPainter.failure)
    }
    if entry.id == hints.pointed, entry.isThere { drawRemover(layout.remover(in: cell)) }
  }

  /// A cross in a circle.
  private func drawRemover(_ place: Rect) {
    let (center, radius) = (place.center, 8.5 * scale)
    cairo_new_path(cr)
    cairo_arc(cr, center.x, center.y, radius + max(1, scale), 0, 2 * Double.pi)
    card.fill((1, 1, 1))
    cairo_new_path(cr)
    cairo_arc(cr, center.x, center.y, radius, 0, 2 * Double.pi)
    card.fill(isHovered(place) ? CardPainter.failure : CardPainter.faint)
    let arm = 3 * scale
    cairo_new_path(cr)
    cairo_move_to(cr, center.x - arm, center.y - arm)
    cairo_line_to(cr, center.x + arm, center.y + arm)
    cairo_move_to(cr, center.x + arm, center.y - arm)
    cairo_line_to(cr, center.x - arm, center.y + arm)
    cairo_set_source_rgba(cr, 1, 1, 1, 1)
    cairo_set_line_width(cr, 1.6 * scale)
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
    cairo_stroke(cr)
  }

  private func draw(_ picture: Picture, in place: Rect, opacity: Double) {
    cairo_save(cr)
    card.outline(place, min(4 * scale, place.width / 2, place.height / 2))
    cairo_clip(cr)
    cairo_translate(cr, place.x, place.y)
    cairo_scale(cr, place.width / picture.size.width, place.height / picture.size.height)
    cairo_set_source_surface(cr, picture.surface, 0, 0)
    cairo_paint_with_alpha(cr, opacity)
    cairo_restore(cr)
    // A hairline border for pictures as white as the card.
    let half = max(1, scale.rounded()) / 2
    card.outline(place.insetBy(half), max(0, min(4 * scale, place.width / 2, place.height / 2) - half))
    cairo_set_source_rgba(cr, 0, 0, 0, 0.10 * opacity)
    cairo_set_line_width(cr, 2 * half)
    cairo_stroke(cr)
  }

  private func drawFooter() {
    let place = layout.footer
    if model.isLending { return drawBin(place) }
    if !layout.undo.isEmpty { drawUndo(layout.undo) }
    guard !layout.clear.isEmpty else { return }
    let isWhole = model.entries.count <= layout.cells.count || !layout.undo.isEmpty
    let pill = button(layout.clear)
    let isUnderPointer = isHovered(layout.clear)
    if isUnderPointer {
      card.outline(pill, pill.height / 2)
      card.fill(CardPainter.key)
    }
    card.centered(
      isWhole ? "Clear" : "Clear all", in: pill, base: pill.center.y + 4.5 * scale, points: 12,
      isUnderPointer ? CardPainter.ink : CardPainter.faint)
  }

  /// The bin, which removes dropped items from the shelf.
  private func drawBin(_ place: Rect) {
    let pill = button(place)
    let color = hints.isBinTarget ? (1, 1, 1) : CardPainter.failure
    card.outline(pill, pill.height / 2)
    card.fill(hints.isBinTarget ? CardPainter.failure : CardPainter.key)
    card.centered("Remove", in: pill, base: pill.center.y + 4.5 * scale, points: 12, isBold: true, color)
  }

  private func drawUndo(_ place: Rect) {
    let pill = button(place)
    card.outline(pill, pill.height / 2)
    card.fill(isHovered(place) ? CardPainter.pressedKey : CardPainter.key)
    card.centered("Undo", in: pill, base: pill.center.y + 4.5 * scale, points: 12, isBold: true, CardPainter.accent)
  }

  private func button(_ place: Rect) -> Rect {
    let height = min(place.height, 26 * scale)
    return Rect(
      x: place.x + 2 * scale, y: place.maxY - height - 1 * scale, width: place.width - 4 * scale, height: height)
  }

  /// Shown when all items have been removed.
  private func drawCleared(_ whole: Rect) {
    let count = model.removed.count
    let middle = (whole.height - layout.footer.height) / 2
    drawTray(center: Point(x: whole.center.x, y: middle - 14 * scale), side: 26 * scale, CardPainter.faint)
    let words = Rect(x: whole.x + 8 * scale, y: whole.y, width: whole.width - 16 * scale, height: whole.height)
    card.centered(
      "\(count) removed", in: words, base: middle + 22 * scale, points: 11,
      CardPainter.faint)
    if !layout.undo.isEmpty { drawUndo(layout.undo) }
  }
}
