import CX11
import CarryModel
import CarrySystem

/// Frames with names over the real screen, one for each region. They let all input through.
final class RegionFrames {
  private let display: OpaquePointer
  private let window: XID
  private let size: (width: Int32, height: Int32)
  private var regions: [ListedRegion] = []

  private static let line = 3.0
  private static let tagHeight = 20.0
  /// By role: a source, a target, both, something else.
  private static let colors: [(red: Double, green: Double, blue: Double)] = [
    (0.84, 0.37, 0), (0, 0.45, 0.70), (0.42, 0.32, 0.64), (0.35, 0.35, 0.38),
  ]

  var fileDescriptor: Int32 { XConnectionNumber(display) }

  init() throws(Problem) {
    guard let display = XOpenDisplay(nil) else {
      let name = environment("DISPLAY").map { "display \(SafeText.displayable($0))" } ?? "a display: DISPLAY is not set"
      throw Problem("cannot open \(name)", status: 3)
    }
    self.display = display
    let screen = XDefaultScreen(display)
    size = (XDisplayWidth(display, screen), XDisplayHeight(display, screen))
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.event_mask = Int(ExposureMask)
    window = XCreateWindow(
      display, XDefaultRootWindow(display), 0, 0, UInt32(size.width), UInt32(size.height), 0, CInt(CopyFromParent),
      UInt32(InputOutput), nil, UInt(CWOverrideRedirect | CWEventMask), &attributes)
    XStoreName(display, window, "carry regions")
    // Presses and drags reach what is beneath.
    XShapeCombineRectangles(display, window, CInt(ShapeInput), 0, 0, nil, 0, CInt(ShapeSet), CInt(Unsorted))
  }

  deinit {
    XDestroyWindow(display, window)
    XCloseDisplay(display)
  }

  /// Shows frames round these regions, and round no others.
  func show(_ list: [ListedRegion]) {
    // The largest first: the frame of a row lies above that of its list.
    regions = list.filter { $0.rect != nil }.sorted { area($0) > area($1) }
    var shape: [XRectangle] = []
    for region in regions {
      guard let rect = region.rect else { continue }
      let line = Self.line
      for part in [
        Rect(x: rect.x, y: rect.y, width: rect.width, height: line),
        Rect(x: rect.x, y: rect.maxY - line, width: rect.width, height: line),
        Rect(x: rect.x, y: rect.y, width: line, height: rect.height),
        Rect(x: rect.maxX - line, y: rect.y, width: line, height: rect.height), tag(of: region, rect),
      ] {
        shape.append(
          XRectangle(
            x: Int16(clamping: Int(part.x)), y: Int16(clamping: Int(part.y)), width: UInt16(clamping: Int(part.width)),
            height: UInt16(clamping: Int(part.height))))
      }
    }
    XShapeCombineRectangles(
      display, window, CInt(ShapeBounding), 0, 0, &shape, CInt(shape.count), CInt(ShapeSet), CInt(Unsorted))
    XMapRaised(display, window)
    draw()
  }

  /// Handles what the server has sent.
  func dispatch() {
    var isDirty = false
    while XPending(display) > 0 {
      var event = XEvent()
      XNextEvent(display, &event)
      if event.type == Expose { isDirty = true }
    }
    if isDirty { draw() }
  }

  private func draw() {
    let surface = cairo_xlib_surface_create(
      display, window, XDefaultVisual(display, XDefaultScreen(display)), size.width, size.height)
    let cr = cairo_create(surface)
    for region in regions {
      guard let rect = region.rect else { continue }
      let color = Self.colors[kind(of: region)]
      cairo_set_source_rgb(cr, color.red, color.green, color.blue)
      cairo_rectangle(
        cr, rect.x + Self.line / 2, rect.y + Self.line / 2, rect.width - Self.line, rect.height - Self.line)
      cairo_set_line_width(cr, Self.line)
      // What no finger reaches is dashed.
      if region.reachable == 0 {
        cairo_set_dash(cr, [6, 6], 2, 0)
      } else {
        cairo_set_dash(cr, [], 0, 0)
      }
      cairo_stroke(cr)
      let tag = tag(of: region, rect)
      cairo_rectangle(cr, tag.x, tag.y, tag.width, tag.height)
      cairo_fill(cr)
      cairo_set_source_rgb(cr, 1, 1, 1)
      cairo_move_to(cr, tag.x + 6, tag.y + 14)
      _ = cx11_text(cr, words(of: region), 11.5, 0, tag.width - 10, 1)
    }
    cairo_destroy(cr)
    cairo_surface_destroy(surface)
    XFlush(display)
  }

  private func kind(of region: ListedRegion) -> Int {
    switch (region.roles.contains(.drag), region.roles.contains(.drop)) {
    case (true, false): 0
    case (false, true): 1
    case (true, true): 2
    case (false, false): 3
    }
  }

  private func words(of region: ListedRegion) -> String {
    let name = SafeText.displayable(region.label ?? region.client)
    return ["↑ ", "↓ ", "↕ ", "◇ "][kind(of: region)] + name
  }

  /// The place for the name: in the region's upper left corner.
  private func tag(of region: ListedRegion, _ rect: Rect) -> Rect {
    // A digit of this font is about seven pixels wide.
    let width = min(rect.width, Double(words(of: region).count) * 7.5 + 14)
    return Rect(x: rect.x, y: rect.y, width: max(0, width), height: min(rect.height, Self.tagHeight))
  }

  private func area(_ region: ListedRegion) -> Double { region.rect.map { $0.width * $0.height } ?? 0 }
}
