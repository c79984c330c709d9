import CX11
import CarryModel
import CarrySystem
import CarryX

/// The shelf's window, which stays above others. Only its card accepts clicks.
final class ShelfWindow {
  let display: OpaquePointer
  let window: UInt32
  private let compositor: Atom
  private var isMapped = false
  private var place = Rect.zero
  private var hadShadow = false
  /// Whether the mouse moved the pointer. A finger also moves the pointer, and leaves it there.
  private var isMouse = false
  private let hasXInput: Bool

  init(_ name: String?) throws(Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(name) else { throw Problem("cannot open the display") }
    var info = XVisualInfo()
    let screen = XDefaultScreen(display)
    guard XMatchVisualInfo(display, screen, 32, TrueColor, &info) != 0, let visual = info.visual else {
      throw Problem("the display has no windows with an alpha channel")
    }
    XSetIOErrorExitHandler(display, { _, _ in exit(0) }, nil)
    self.display = display
    hasXInput = XInput(on: display) != nil
    compositor = XInternAtom(display, "_NET_WM_CM_S\(screen)", 0)
    let root = XDefaultRootWindow(display)
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.colormap = XCreateColormap(display, root, visual, AllocNone)
    attributes.border_pixel = 0
    attributes.event_mask = Int(
      ButtonPressMask | ButtonReleaseMask | StructureNotifyMask | VisibilityChangeMask | EnterWindowMask
        | LeaveWindowMask | PointerMotionMask)
    let mask = CWOverrideRedirect | CWColormap | CWBorderPixel | CWEventMask
    let made = XCreateWindow(
      display, root, 0, 0, 1, 1, 0, 32, UInt32(InputOutput), visual, UInt(mask), &attributes)
    // Compositing managers add no shadow to docks.
    var type = XInternAtom(display, "_NET_WM_WINDOW_TYPE_DOCK", 0)
    withUnsafeBytes(of: &type) {
      _ = XChangeProperty(
        display, made, XInternAtom(display, "_NET_WM_WINDOW_TYPE", 0), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    XStoreName(display, made, "Carry shelf")
    window = UInt32(truncatingIfNeeded: made)
  }

  /// Whether windows can be translucent. Otherwise there is no shadow, and the corners are cut off.
  var isComposited: Bool { XGetSelectionOwner(display, compositor) != 0 }

  /// Shows a card. `draw` receives the margin to leave around it.
  ///
  /// - Parameter frame: The card's frame, in screen pixels.
  /// - Returns: The card's location in the window.
  func show(
    _ frame: Rect, scale: Double, _ draw: (_ margin: Double) -> OpaquePointer?
  ) -> Point {
    let hasShadow = isComposited
    let margin = hasShadow ? (CardPainter.shadowRoom * scale).rounded() : 0
    let outer = frame.insetBy(-margin)
    if outer != place || hasShadow != hadShadow || !isMapped {
      XMoveResizeWindow(
        display, UInt(window), CInt(outer.x), CInt(outer.y), UInt32(outer.width), UInt32(outer.height))
      shape(frame.size, margin: margin, scale: scale)
      (place, hadShadow) = (outer, hasShadow)
    }
    if let surface = draw(margin) {
      paint(surface)
      cairo_surface_destroy(surface)
    }
    if !isMapped { XMapRaised(display, UInt(window)) }
    isMapped = true
    return Point(x: margin, y: margin)
  }

  private var raised = Instant.zero

  /// Raises the window above others.
  ///
  /// - Parameter pause: The minimum interval, so that two programs that both want to be on top do not raise their
  ///   windows endlessly; nil for none.
  func raise(atMostOnceIn pause: Interval? = nil) {
    let now = MonotonicClock.now()
    guard isMapped, pause.map({ raised + $0 <= now }) ?? true else { return }
    raised = now
    XRaiseWindow(display, UInt(window))
  }

  /// A change of the window made by another program.
  enum Change { case hidden, covered, destroyed }

  /// Handles an event sent by the X server itself.
  func change(_ event: XEvent) -> Change? {
    switch event.type {
    case UnmapNotify where event.xunmap.window == UInt(window) && isMapped:
      isMapped = false
      return .hidden
    case DestroyNotify where event.xdestroywindow.window == UInt(window): return .destroyed
    case VisibilityNotify
    where event.xvisibility.window == UInt(window) && event.xvisibility.state != VisibilityUnobscured:
      return .covered
    default: return nil
    }
  }

  func hide() {
    guard isMapped else { return }
    XUnmapWindow(display, UInt(window))
    isMapped = false
  }

  /// Decodes a press or release of the first button in the window.
  ///
  /// - Returns: The point in the window; nil for any other event.
  func click(_ event: XEvent) -> (isDown: Bool, Point)? {
    guard event.type == ButtonPress || event.type == ButtonRelease, event.xbutton.window == UInt(window),
      event.xbutton.button == 1
    else { return nil }
    return (event.type == ButtonPress, Point(x: Double(event.xbutton.x), y: Double(event.xbutton.y)))
  }

  /// The state of the mouse pointer. A pointer moved by a finger does not count as over the window.
  enum Pointing { case over(Point), away }

  func pointing(_ event: XEvent) -> Pointing? {
    switch event.type {
    case LeaveNotify where event.xcrossing.window == UInt(window):
      isMouse = false
      return .away
    case EnterNotify where event.xcrossing.window == UInt(window):
      isMouse = pointerIsMouse()
      return isMouse ? .over(Point(x: Double(event.xcrossing.x), y: Double(event.xcrossing.y))) : .away
    case MotionNotify where event.xmotion.window == UInt(window):
      // The mouse may take over from a finger without a crossing event.
      if !isMouse { isMouse = pointerIsMouse() }
      return isMouse ? .over(Point(x: Double(event.xmotion.x), y: Double(event.xmotion.y))) : .away
    default: return nil
    }
  }

  /// Whether the pointer was last moved by a device other than a touchscreen: the X server gives the pointer the
  /// properties of the device that moves it.
  private func pointerIsMouse() -> Bool {
    guard hasXInput else { return true }
    var (count, pointer): (CInt, CInt) = (0, 0)
    guard XIGetClientPointer(display, 0, &pointer) != 0, let found = XIQueryDevice(display, pointer, &count) else {
      return false
    }
    defer { XIFreeDeviceInfo(found) }
    guard count > 0 else { return false }
    return (0..<Int(found.pointee.num_classes)).allSatisfy { i in
      guard let info = found.pointee.classes[i], info.pointee.type == XITouchClass else { return true }
      let touch = UnsafeRawPointer(info).assumingMemoryBound(to: XITouchClassInfo.self).pointee
      return touch.mode != XIDirectTouch
    }
  }

  /// Makes the surface the window's background, so that the server repaints it.
  private func paint(_ surface: OpaquePointer) {
    cairo_surface_flush(surface)
    let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
    let pixmap = XCreatePixmap(display, UInt(window), UInt32(width), UInt32(height), 32)
    let gc = XCreateGC(display, pixmap, 0, nil)
    cx11_put_image(
      display, pixmap, gc, 32, 32, cairo_image_surface_get_data(surface), cairo_image_surface_get_stride(surface),
      width, height)
    XFreeGC(display, gc)
    XSetWindowBackgroundPixmap(display, UInt(window), pixmap)
    XClearWindow(display, UInt(window))
    XFreePixmap(display, pixmap)
  }

  private func shape(_ card: Size, margin: Double, scale: Double) {
    let radius = Int((CardPainter.cornerRadius * scale).rounded())
    var rows = CardPainter.rows(Int(card.width), Int(card.height), radius: radius)
    if margin > 0 {
      var whole = XRectangle(
        x: Int16(clamping: Int(margin)), y: Int16(clamping: Int(margin)), width: UInt16(clamping: Int(card.width)),
        height: UInt16(clamping: Int(card.height)))
      XShapeCombineMask(display, UInt(window), ShapeBounding, 0, 0, 0, ShapeSet)
      XShapeCombineRectangles(display, UInt(window), ShapeInput, 0, 0, &whole, 1, ShapeSet, 0)
    } else {
      XShapeCombineMask(display, UInt(window), ShapeInput, 0, 0, 0, ShapeSet)
      XShapeCombineRectangles(
        display, UInt(window), ShapeBounding, 0, 0, &rows, CInt(rows.count), ShapeSet, 0)
    }
  }
}
