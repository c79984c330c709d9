import CX11
import CarryModel
import CarryStage
import CarryX

/// The window for slow transfers on the screen. It accepts clicks, but its shadow does not.
///
/// Like previews, it has its picture as its background, so that the server repaints it.
final class PanelWindow {
  private let server: XServer
  private var window: CX11.Window = 0
  private var canvas: Canvas?
  private var shown: PanelPicture?
  private var isMapped = false
  /// The frame with the shadow, and whether it has one: the input of the shape.
  private var outer = Rect.zero

  /// Whether windows can be translucent. Otherwise there is no shadow, and the corners are cut off.
  var isComposited: Bool {
    didSet { if oldValue != isComposited, let shown { show(shown) } }
  }

  init(_ server: XServer, isComposited: Bool) {
    self.server = server
    self.isComposited = isComposited
  }

  /// Shows the panel above all windows; hides it with nil.
  func show(_ panel: PanelPicture?) {
    shown = panel
    guard let panel else { return hide() }
    let margin = isComposited ? (CardPainter.shadowRoom * panel.layout.scale).rounded() : 0
    guard let surface = PanelDrawing.draw(panel, margin: margin) else { return }
    let new = Canvas(server, uploading: surface)
    cairo_surface_destroy(surface)
    let frame = panel.layout.frame
    let place = Rect(
      x: frame.x - margin, y: frame.y - margin, width: frame.width + 2 * margin, height: frame.height + 2 * margin)
    if window == 0 { window = makeWindow() }
    if place != outer || !isMapped {
      XMoveResizeWindow(
        server.display, window, CInt(place.x), CInt(place.y), UInt32(place.width), UInt32(place.height))
      outer = place
      shape(frame.size, margin: margin, scale: panel.layout.scale)
    }
    XSetWindowBackgroundPixmap(server.display, window, new.pixmap)
    XClearWindow(server.display, window)
    canvas?.free(server)
    canvas = new
    server.work += new.width * new.height
    guard !isMapped else { return }
    XMapRaised(server.display, window)
    isMapped = true
  }

  private func hide() {
    guard isMapped else { return }
    XUnmapWindow(server.display, window)
    XSetWindowBackgroundPixmap(server.display, window, 0)
    canvas?.free(server)
    canvas = nil
    isMapped = false
  }

  /// Raises the window again. Previews are raised after it.
  func raise() { if isMapped { XRaiseWindow(server.display, window) } }

  /// Handles a press or a release of the first mouse button in the window, or of a touch that no other client has
  /// accepted.
  ///
  /// - Returns: where on the screen; nil for any other event.
  func click(_ event: XEvent) -> (isDown: Bool, Point)? {
    guard event.type == ButtonPress || event.type == ButtonRelease, window != 0, event.xbutton.window == window,
      event.xbutton.button == 1
    else { return nil }
    return (
      event.type == ButtonPress, Point(x: Double(event.xbutton.x_root), y: Double(event.xbutton.y_root))
    )
  }

  // MARK: The window

  private func makeWindow() -> CX11.Window {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.colormap = server.colormap
    attributes.border_pixel = 0
    attributes.background_pixmap = 0
    attributes.event_mask = Int(ButtonPressMask | ButtonReleaseMask)
    let mask = CWOverrideRedirect | CWColormap | CWBorderPixel | CWBackPixmap | CWEventMask
    let window = XCreateWindow(
      server.display, server.root, 0, 0, 1, 1, 0, 32, UInt32(InputOutput), server.visual, UInt(mask), &attributes)
    // The compositing manager adds no shadow of its own to a notification that has a shape.
    var type = server.atoms.windowTypeNotification
    withUnsafeBytes(of: &type) {
      _ = XChangeProperty(
        server.display, window, server.atoms.windowType, Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    XStoreName(server.display, window, "Carry transfers")
    return window
  }

  /// Excludes the shadow from the area that accepts clicks; without a compositing manager, cuts off the corners.
  private func shape(_ card: Size, margin: Double, scale: Double) {
    let radius = Int((CardPainter.cornerRadius * scale).rounded())
    var rows = CardPainter.rows(Int(card.width), Int(card.height), radius: radius)
    if isComposited {
      var whole = XRectangle(
        x: Int16(clamping: Int(margin)), y: Int16(clamping: Int(margin)), width: UInt16(clamping: Int(card.width)),
        height: UInt16(clamping: Int(card.height)))
      XFixesSetWindowShapeRegion(server.display, window, ShapeBounding, 0, 0, 0)
      set(ShapeInput, &whole, 1)
    } else {
      XFixesSetWindowShapeRegion(server.display, window, ShapeInput, 0, 0, 0)
      set(ShapeBounding, &rows, CInt(rows.count))
    }
  }

  private func set(_ kind: CInt, _ rects: UnsafeMutablePointer<XRectangle>, _ count: CInt) {
    let region = XFixesCreateRegion(server.display, rects, count)
    XFixesSetWindowShapeRegion(server.display, window, kind, 0, 0, region)
    XFixesDestroyRegion(server.display, region)
  }
}
