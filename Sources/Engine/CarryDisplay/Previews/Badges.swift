import CX11
import CarryModel
import CarryStage

/// Pictures of badges, drawn with cairo and cached. The font is opened for the first badge that has a number.
struct Badges {
  struct Picture {
    var canvas: Canvas
    /// Picture pixels per pixel of a badge of scale 1.
    var density: Double
  }

  private struct Key: Hashable {
    var badge: Badge
    var radius: Int
    var density: Int
  }

  private static let most = 64
  private let server: XServer
  private var pictures: [Key: Picture] = [:]

  init(_ server: XServer) { self.server = server }

  /// The picture for a mark. A resting badge is drawn in its exact size; a popping badge is drawn twice as large and
  /// scaled.
  mutating func picture(for mark: BadgeMark) -> Picture {
    let key = Key(badge: mark.badge, radius: Int((mark.radius * 4).rounded()), density: mark.scale == 1 ? 1 : 2)
    if let picture = pictures[key] { return picture }
    if pictures.count >= Self.most { removeAll() }
    let picture = draw(mark.badge, radius: max(4, min(100, mark.radius)), density: Double(key.density))
    pictures[key] = picture
    return picture
  }

  mutating func removeAll() {
    for picture in pictures.values { picture.canvas.free(server) }
    pictures.removeAll()
  }

  private func draw(_ badge: Badge, radius r: Double, density: Double) -> Picture {
    if case .label(let text) = badge { return drawWords(text, r, density) }
    let label = Self.label(badge)
    // Room for a pill of six characters and the shadow. The size is even, so that the centre is a whole pixel.
    let (width, height) = ((r * 3.2).rounded(.up) * 2, (r * 1.4).rounded(.up) * 2)
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, CInt(width * density), CInt(height * density))
    let cr = cairo_create(surface)
    cairo_scale(cr, density, density)
    cairo_translate(cr, width / 2, height / 2)
    let half = max(r, textWidth(label, cr, r) / 2 + r * 0.55)
    drawPlate(cr, Self.color(badge), half: half, r)
    cairo_set_source_rgba(cr, 1, 1, 1, 1)
    switch badge {
    case .copy(let n) where n <= 1: drawPlus(cr, r)
    case .forbidden: drawProhibition(cr, r)
    default: drawText(label, cr, r)
    }
    cairo_destroy(cr)
    return upload(surface, density)
  }

  private func upload(_ surface: OpaquePointer?, _ density: Double) -> Picture {
    let canvas = surface.map { Canvas(server, uploading: $0) } ?? Canvas(server, width: 1, height: 1)
    cairo_surface_destroy(surface)
    XRenderSetPictureFilter(server.display, canvas.picture, FilterBilinear, nil, 0)
    return Picture(canvas: canvas, density: density)
  }

  private static func label(_ badge: Badge) -> String {
    switch badge {
    case .count(let n): number(n)
    case .copy(let n) where n > 1: "+" + number(n)
    default: ""
    }
  }

  private static func number(_ n: Int) -> String { n > 999 ? "999+" : String(max(0, n)) }

  private static func color(_ badge: Badge) -> (Double, Double, Double) {
    switch badge {
    case .copy: (0.20, 0.73, 0.33)
    case .forbidden: (0.46, 0.47, 0.50)
    default: (0.94, 0.23, 0.21)
    }
  }

  /// Draws a few words on a dark pill. Text that is too wide is cut and ends with an ellipsis.
  private func drawWords(_ text: String, _ r: Double, _ density: Double) -> Picture {
    let (width, height) = ((r * 13.4).rounded(.up) * 2, (r * 1.28).rounded(.up) * 2)
    let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(width * density), CInt(height * density))
    let cr = cairo_create(surface)
    cairo_scale(cr, density, density)
    cairo_translate(cr, width / 2, height / 2)
    let shown = String(text.prefix(80))
    let line = cx11_text(cr, shown, r * 0.98, 0, width - r * 2.2, 0)
    drawPlate(cr, (0.13, 0.14, 0.16), half: max(r, line.width / 2 + r * 0.85), r)
    cairo_set_source_rgba(cr, 1, 1, 1, 1)
    cairo_move_to(cr, -line.width / 2, (line.ascent - line.descent) / 2)
    _ = cx11_text(cr, shown, r * 0.98, 0, width - r * 2.2, 1)
    cairo_destroy(cr)
    return upload(surface, density)
  }

  private func pill(_ cr: OpaquePointer?, half: Double, _ r: Double) {
    cairo_new_path(cr)
    cairo_arc(cr, half - r, 0, r, -Double.pi / 2, Double.pi / 2)
    cairo_arc(cr, -(half - r), 0, r, Double.pi / 2, 3 * Double.pi / 2)
    cairo_close_path(cr)
  }

  /// Draws a flat plate. Its soft shadow sets it off from any picture.
  private func drawPlate(_ cr: OpaquePointer?, _ color: (Double, Double, Double), half: Double, _ r: Double) {
    cairo_save(cr)
    cairo_translate(cr, 0, r * 0.08)
    for ring in stride(from: 6, through: 1, by: -1) {
      let grow = Double(ring) * r * 0.06
      pill(cr, half: half + grow, r + grow)
      cairo_set_source_rgba(cr, 0, 0, 0, 0.03)
      cairo_fill(cr)
    }
    cairo_restore(cr)
    pill(cr, half: half, r)
    cairo_set_source_rgba(cr, color.0, color.1, color.2, 1)
    cairo_fill(cr)
  }

  private func drawPlus(_ cr: OpaquePointer?, _ r: Double) {
    cairo_set_line_width(cr, r * 0.24)
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
    let arm = r * 0.5
    cairo_move_to(cr, -arm, 0)
    cairo_line_to(cr, arm, 0)
    cairo_move_to(cr, 0, -arm)
    cairo_line_to(cr, 0, arm)
    cairo_stroke(cr)
  }

  private func drawProhibition(_ cr: OpaquePointer?, _ r: Double) {
    cairo_set_line_width(cr, r * 0.19)
    let ring = r * 0.56
    cairo_arc(cr, 0, 0, ring, 0, 2 * Double.pi)
    cairo_stroke(cr)
    let d = ring * 0.7071
    cairo_move_to(cr, -d, -d)
    cairo_line_to(cr, d, d)
    cairo_stroke(cr)
  }

  private func selectFont(_ cr: OpaquePointer?, _ r: Double) {
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
    cairo_set_font_size(cr, r * 1.12)
  }

  private func textWidth(_ label: String, _ cr: OpaquePointer?, _ r: Double) -> Double {
    guard !label.isEmpty else { return 0 }
    selectFont(cr, r)
    var extents = cairo_text_extents_t()
    cairo_text_extents(cr, label, &extents)
    return extents.width
  }

  private func drawText(_ label: String, _ cr: OpaquePointer?, _ r: Double) {
    guard !label.isEmpty else { return }
    selectFont(cr, r)
    var extents = cairo_text_extents_t()
    cairo_text_extents(cr, label, &extents)
    // All digits have the same height: centring on their own box keeps them steady.
    cairo_move_to(cr, -extents.width / 2 - extents.x_bearing, -extents.height / 2 - extents.y_bearing)
    cairo_show_text(cr, label)
  }
}
