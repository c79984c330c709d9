import CWindow
package import Carry

/// Draws with cairo, in the kit's units.
package final class Canvas {
  /// The cairo context, scaled to units of the kit.
  package let context: OpaquePointer
  /// Pixels for each unit of the kit.
  package let scale: Double

  package init(_ context: OpaquePointer, scale: Double) {
    self.context = context
    self.scale = scale
  }

  // MARK: State

  /// Runs `body` and restores the drawing state afterwards.
  package func saved(_ body: () -> Void) {
    cairo_save(context)
    body()
    cairo_restore(context)
  }

  package func translate(_ x: Double, _ y: Double) { cairo_translate(context, x, y) }
  package func rotate(_ radians: Double) { cairo_rotate(context, radians) }
  package func scale(_ k: Double) { cairo_scale(context, k, k) }

  package func clip(_ box: Box, radius: Double = 0) {
    path(box, radius: radius)
    cairo_clip(context)
  }

  /// Shows all that `body` draws as one translucent picture.
  package func translucent(_ alpha: Double, _ body: () -> Void) {
    guard alpha < 0.999 else { return body() }
    cairo_push_group(context)
    body()
    cairo_pop_group_to_source(context)
    cairo_paint_with_alpha(context, max(0, alpha))
  }

  // MARK: Paths

  package func move(_ x: Double, _ y: Double) { cairo_move_to(context, x, y) }
  package func line(_ x: Double, _ y: Double) { cairo_line_to(context, x, y) }
  package func curve(_ a: Point, _ b: Point, _ end: Point) {
    cairo_curve_to(context, a.x, a.y, b.x, b.y, end.x, end.y)
  }
  package func circle(_ center: Point, radius: Double) {
    cairo_new_sub_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
  }

  private func path(_ b: Box, radius: Double) {
    let r = max(0, min(radius, b.width / 2, b.height / 2))
    guard r > 0 else { return cairo_rectangle(context, b.x, b.y, b.width, b.height) }
    cairo_new_sub_path(context)
    cairo_arc(context, b.maxX - r, b.y + r, r, -.pi / 2, 0)
    cairo_arc(context, b.maxX - r, b.maxY - r, r, 0, .pi / 2)
    cairo_arc(context, b.x + r, b.maxY - r, r, .pi / 2, .pi)
    cairo_arc(context, b.x + r, b.y + r, r, .pi, .pi * 1.5)
    cairo_close_path(context)
  }

  /// Makes a colour the source of what is drawn next.
  package func use(_ c: Color) { cairo_set_source_rgba(context, c.red, c.green, c.blue, c.alpha) }

  package func fillPath(_ color: Color) {
    use(color)
    cairo_fill(context)
  }

  package func strokePath(_ color: Color, width: Double = 1, isRound: Bool = true) {
    use(color)
    cairo_set_line_width(context, width)
    cairo_set_line_cap(context, isRound ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(context)
  }

  // MARK: Shapes

  /// Replaces the whole picture by a colour, transparency included.
  package func clear(_ color: Color) {
    saved {
      cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
      use(color)
      cairo_paint(context)
    }
  }

  package func fill(_ box: Box, radius: Double = 0, _ color: Color) {
    path(box, radius: radius)
    fillPath(color)
  }

  package func fill(_ box: Box, radius: Double = 0, from top: Color, to bottom: Color) {
    fill(box, radius: radius, stops: [(0, top), (1, bottom)])
  }

  /// A gradient from the top to the bottom.
  ///
  /// - Parameter slant: how far to the right the gradient ends.
  package func fill(_ box: Box, radius: Double = 0, slant: Double = 0, stops: [(at: Double, color: Color)]) {
    let gradient = cairo_pattern_create_linear(box.x, box.y, box.x + slant, box.maxY)
    for s in stops {
      cairo_pattern_add_color_stop_rgba(gradient, s.at, s.color.red, s.color.green, s.color.blue, s.color.alpha)
    }
    cairo_set_source(context, gradient)
    path(box, radius: radius)
    cairo_fill(context)
    cairo_pattern_destroy(gradient)
  }

  /// A gradient from the middle outwards.
  package func fillRadial(_ center: Point, radius: Double, from inner: Color, to outer: Color) {
    let gradient = cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius)
    cairo_pattern_add_color_stop_rgba(gradient, 0, inner.red, inner.green, inner.blue, inner.alpha)
    cairo_pattern_add_color_stop_rgba(gradient, 1, outer.red, outer.green, outer.blue, outer.alpha)
    cairo_set_source(context, gradient)
    circle(center, radius: radius)
    cairo_fill(context)
    cairo_pattern_destroy(gradient)
  }

  package func stroke(
    _ box: Box, radius: Double = 0, _ color: Color, width: Double = 1, dashes: [Double] = [], isRound: Bool = true
  ) {
    path(box, radius: radius)
    cairo_set_dash(context, dashes, CInt(dashes.count), 0)
    strokePath(color, width: width, isRound: isRound)
    cairo_set_dash(context, [], 0, 0)
  }

  /// A soft shadow below a box, from many thin layers.
  package func shadow(_ box: Box, radius: Double, blur: Double, drop: Double, _ alpha: Double) {
    let layers = 12
    for i in 0..<layers {
      let t = Double(i) / Double(layers - 1)
      // The layers go from wide and faint to narrow; together they fade like a real shadow.
      let grow = blur * (1 - 2 * t) * 0.5
      let weight = alpha * 2 / Double(layers) * (0.25 + 0.75 * t)
      fill(
        box.inset(-grow - blur * 0.25).moved(0, drop), radius: max(1, radius + grow + blur * 0.25),
        Color.black.faded(weight))
    }
  }

  /// A ring of dots that turns; it must be drawn again a frame later.
  package func spinner(at middle: Point, radius: Double, now: Double, _ color: Color = Color(0x8A8478)) {
    for i in 0..<12 {
      let t = Double(i) / 12
      let phase = t - now * 0.9
      circle(
        Point(x: middle.x + (t * 2 * .pi).sine * radius, y: middle.y - (t * 2 * .pi).cosine * radius),
        radius: radius * 0.17)
      fillPath(color.faded(0.15 + 0.7 * (phase - phase.rounded(.down))))
    }
  }

  // MARK: Pictures

  /// Draws a picture so that it fills the box; the longer side is cropped at both ends.
  package func draw(_ picture: Picture, filling box: Box, radius: Double = 0) {
    guard picture.width > 0, picture.height > 0 else { return }
    let k = max(box.width / Double(picture.width), box.height / Double(picture.height))
    saved {
      clip(box, radius: radius)
      translate(
        box.center.x - Double(picture.width) * k / 2, box.center.y - Double(picture.height) * k / 2)
      scale(k)
      cairo_set_source_surface(context, picture.surface, 0, 0)
      cairo_paint(context)
    }
  }

  /// Repeats a picture, pixel for pixel, over the box.
  package func tile(_ picture: Picture, over box: Box) {
    saved {
      clip(box)
      scale(1 / scale)
      cairo_set_source_surface(context, picture.surface, 0, 0)
      cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_REPEAT)
      cairo_paint(context)
    }
  }
}
