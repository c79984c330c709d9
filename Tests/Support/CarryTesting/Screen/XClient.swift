import CX11
package import CarryModel
import CarryX

/// Another X client: creates windows, queries them, and takes screenshots.
package final class XClient {
  package let connection: OpaquePointer
  package let root: WindowID

  /// Nil if there is no such display.
  package init?(_ display: String) {
    guard let connection = XOpenDisplay(display) else { return nil }
    self.connection = connection
    root = WindowID(UInt32(XDefaultRootWindow(connection)))
    // Errors about destroyed windows are normal in tests; the default handler would end the process.
    _ = XSetErrorHandler { _, _ in 0 }
    // As would a server that ends before this process.
    _ = XSetIOErrorHandler { _ in 0 }
    XSetIOErrorExitHandler(connection, { _, _ in }, nil)
  }

  deinit { XInput.close(connection) }

  /// Starts using XInput 2.2 and returns its major opcode; nil if missing.
  package func beginXInput() -> CInt? { XInput(on: connection)?.opcode }

  /// Waits until the server has handled all requests.
  package func sync() { XSync(connection, 0) }
  /// A pixmap of the root's depth, with undefined contents.
  package func makePixmap(_ width: UInt32, _ height: UInt32) -> UInt32 {
    UInt32(
      truncatingIfNeeded: XCreatePixmap(connection, UInt(root.raw), width, height, UInt32(XDefaultDepth(connection, 0)))
    )
  }

  // MARK: Selections

  package func ownSelection(_ name: String, by window: WindowID) {
    XSetSelectionOwner(connection, XInternAtom(connection, name, 0), UInt(window.raw), 0)
    sync()
  }

  /// Sets a window's property of one CARDINAL, or deletes it.
  package func setProperty(_ name: String, of window: WindowID, to number: UInt32?) {
    let atom = XInternAtom(connection, name, 0)
    if var number = number.map(UInt.init) {
      withUnsafeBytes(of: &number) {
        _ = XChangeProperty(
          connection, UInt(window.raw), atom, Atom(XA_CARDINAL), 32, PropModeReplace,
          $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
      }
    } else {
      XDeleteProperty(connection, UInt(window.raw), atom)
    }
    sync()
  }

  /// A window's `WM_NAME`.
  package func name(of window: WindowID) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard XFetchName(connection, UInt(window.raw), &text) != 0, let text else { return nil }
    defer { XFree(text) }
    return String(cString: text)
  }

  package func hasSelectionOwner(_ name: String) -> Bool { selectionOwner(name) != 0 }

  /// The window that owns a selection; 0 for none.
  package func selectionOwner(_ name: String) -> UInt {
    XGetSelectionOwner(connection, XInternAtom(connection, name, 0))
  }

  // MARK: Windows

  /// A plain window, mapped unless told otherwise; `color` is 0xRRGGBB.
  @discardableResult
  package func makeWindow(
    _ frame: Rect, in parent: WindowID? = nil, color: UInt32 = 0xFFFFFF, border: UInt32 = 0, maps: Bool = true,
    overridesRedirect: Bool = true
  ) -> WindowID {
    var attributes = XSetWindowAttributes()
    attributes.background_pixel = UInt(color)
    attributes.override_redirect = overridesRedirect ? 1 : 0
    let window = XCreateWindow(
      connection, UInt((parent ?? root).raw), CInt(frame.x), CInt(frame.y), UInt32(max(1, frame.width)),
      UInt32(max(1, frame.height)), border, 0, UInt32(InputOutput), nil, UInt(CWBackPixel | CWOverrideRedirect),
      &attributes)
    if maps { XMapWindow(connection, window) }
    return WindowID(UInt32(window))
  }

  /// A mapped window with an alpha channel, as toolkits create them; `color` is 0xAARRGGBB, premultiplied.
  package func makeAlphaWindow(_ frame: Rect, color: UInt32) -> WindowID? {
    var info = XVisualInfo()
    guard XMatchVisualInfo(connection, XDefaultScreen(connection), 32, TrueColor, &info) != 0 else { return nil }
    var attributes = XSetWindowAttributes()
    attributes.background_pixel = UInt(color)
    attributes.override_redirect = 1
    attributes.colormap = XCreateColormap(connection, UInt(root.raw), info.visual, AllocNone)
    let window = XCreateWindow(
      connection, UInt(root.raw), CInt(frame.x), CInt(frame.y), UInt32(max(1, frame.width)),
      UInt32(max(1, frame.height)), 0, 32, UInt32(InputOutput), info.visual,
      UInt(CWBackPixel | CWBorderPixel | CWColormap | CWOverrideRedirect), &attributes)
    XMapWindow(connection, window)
    return WindowID(UInt32(window))
  }

  /// The colour of the root's background: 0xRRGGBB.
  package func setRootColor(_ color: UInt32) {
    XSetWindowBackground(connection, UInt(root.raw), UInt(color))
    XClearWindow(connection, UInt(root.raw))
  }

  /// A mapped input-only window, which is invisible.
  package func makeInputOnlyWindow(_ frame: Rect, in parent: WindowID? = nil) -> WindowID {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    let window = XCreateWindow(
      connection, UInt((parent ?? root).raw), CInt(frame.x), CInt(frame.y), UInt32(max(1, frame.width)),
      UInt32(max(1, frame.height)), 0, 0, UInt32(InputOnly), nil, UInt(CWOverrideRedirect), &attributes)
    XMapWindow(connection, window)
    return WindowID(UInt32(window))
  }

  package func map(_ id: WindowID) { XMapWindow(connection, UInt(id.raw)) }
  package func unmap(_ id: WindowID) { XUnmapWindow(connection, UInt(id.raw)) }
  package func raise(_ id: WindowID) { XRaiseWindow(connection, UInt(id.raw)) }
  package func lower(_ id: WindowID) { XLowerWindow(connection, UInt(id.raw)) }
  package func destroy(_ id: WindowID) { XDestroyWindow(connection, UInt(id.raw)) }
  package func circulate(_ id: WindowID, up: Bool) {
    XCirculateSubwindows(connection, UInt(id.raw), up ? RaiseLowest : LowerHighest)
  }

  package func setFrame(_ id: WindowID, _ frame: Rect) {
    XMoveResizeWindow(
      connection, UInt(id.raw), CInt(frame.x), CInt(frame.y), UInt32(max(1, frame.width)), UInt32(max(1, frame.height)))
  }

  package func reparent(_ id: WindowID, to parent: WindowID, at point: Point) {
    XReparentWindow(connection, UInt(id.raw), UInt(parent.raw), CInt(point.x), CInt(point.y))
  }

  /// Puts a window right below a sibling.
  package func restack(_ id: WindowID, below sibling: WindowID) {
    var changes = XWindowChanges()
    changes.sibling = UInt(sibling.raw)
    changes.stack_mode = Below
    XConfigureWindow(connection, UInt(id.raw), UInt32(CWSibling | CWStackMode), &changes)
  }

  package enum Outline { case bounding, input }

  /// Nil removes the shape.
  package func setShape(_ id: WindowID, _ kind: Outline, _ rects: [Rect]?) {
    let kind = kind == .bounding ? ShapeBounding : ShapeInput
    guard let rects else { return XShapeCombineMask(connection, UInt(id.raw), kind, 0, 0, 0, ShapeSet) }
    var list = rects.map {
      XRectangle(x: Int16($0.x), y: Int16($0.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    XShapeCombineRectangles(connection, UInt(id.raw), kind, 0, 0, &list, CInt(list.count), ShapeSet, 0)
  }

  /// Fills a part of a window; the contents are not its background.
  package func fill(_ id: WindowID, _ rect: Rect, color: UInt32) {
    let gc = XCreateGC(connection, UInt(id.raw), 0, nil)
    XSetForeground(connection, gc, UInt(color))
    XFillRectangle(
      connection, UInt(id.raw), gc, CInt(rect.x), CInt(rect.y), UInt32(max(0, rect.width)), UInt32(max(0, rect.height)))
    XFreeGC(connection, gc)
  }

  /// Makes a PNG file the window's background, so that the server repaints it; returns whether that worked.
  @discardableResult
  package func setBackground(_ id: WindowID, png path: String) -> Bool {
    let surface = cairo_image_surface_create_from_png(path)
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let bytes = cairo_image_surface_get_data(surface)
    else {
      return false
    }
    let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
    let depth = XDefaultDepth(connection, XDefaultScreen(connection))
    let pixmap = XCreatePixmap(connection, UInt(id.raw), UInt32(width), UInt32(height), UInt32(depth))
    let gc = XCreateGC(connection, pixmap, 0, nil)
    cx11_put_image(
      connection, pixmap, gc, depth, 32, bytes, cairo_image_surface_get_stride(surface), width, height)
    XFreeGC(connection, gc)
    XSetWindowBackgroundPixmap(connection, UInt(id.raw), pixmap)
    XClearWindow(connection, UInt(id.raw))
    XFreePixmap(connection, pixmap)
    return true
  }

  // MARK: Queries

  package struct Facts: Equatable {
    /// The inner frame, relative to the parent's.
    package var frame: Rect
    package var isMapped: Bool
    package var takesInput: Bool
  }

  package func facts(_ id: WindowID) -> Facts? {
    var a = XWindowAttributes()
    guard XGetWindowAttributes(connection, UInt(id.raw), &a) != 0 else { return nil }
    let frame = Rect(
      x: Double(a.x + a.border_width), y: Double(a.y + a.border_width), width: Double(a.width),
      height: Double(a.height))
    return Facts(frame: frame, isMapped: a.map_state != IsUnmapped, takesInput: true)
  }

  /// The children, topmost first; XQueryTree has the reverse order.
  package func children(of id: WindowID) -> [WindowID] {
    var (root, parent): (Window, Window) = (0, 0)
    var list: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    guard XQueryTree(connection, UInt(id.raw), &root, &parent, &list, &count) != 0 else { return [] }
    defer { if let list { XFree(list) } }
    return UnsafeBufferPointer(start: list, count: Int(count)).reversed().map { WindowID(UInt32($0)) }
  }

  /// The topmost window whose title matches, at any depth, since window managers reparent windows.
  package func window(in parent: WindowID? = nil, titled matches: (String) -> Bool) -> WindowID? {
    for child in children(of: parent ?? root) {
      if let title = title(of: child), matches(title) { return child }
      if let found = window(in: child, titled: matches) { return found }
    }
    return nil
  }

  /// A window's title of any type: browsers set it only as UTF-8.
  package func title(of id: WindowID) -> String? {
    var (type, format): (Atom, CInt) = (0, 0)
    var (count, after): (UInt, UInt) = (0, 0)
    var bytes: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      connection, UInt(id.raw), Atom(XA_WM_NAME), 0, 256, 0, 0, &type, &format, &count, &after, &bytes)
    guard let bytes else { return nil }
    defer { XFree(bytes) }
    guard format == 8 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// The deepest window under a point of the screen, according to the server; nil if it is the root.
  package func window(at point: Point) -> WindowID? {
    var (x, y): (CInt, CInt) = (0, 0)
    var child: Window = 0
    var found: Window?
    var window = UInt(root.raw)
    while XTranslateCoordinates(connection, UInt(root.raw), window, CInt(point.x), CInt(point.y), &x, &y, &child) != 0,
      child != 0
    {
      found = child
      window = child
    }
    return found.map { WindowID(UInt32($0)) }
  }

  package func hasOwner(_ selection: String) -> Bool {
    XGetSelectionOwner(connection, XInternAtom(connection, selection, 0)) != 0
  }

  /// A property's 32-bit values, empty if it is not set.
  package func property(_ name: String, of id: WindowID) -> [UInt] {
    var (type, format): (Atom, CInt) = (0, 0)
    var (count, after): (UInt, UInt) = (0, 0)
    var bytes: UnsafeMutablePointer<UInt8>?
    XGetWindowProperty(
      connection, UInt(id.raw), XInternAtom(connection, name, 0), 0, 64, 0, 0, &type, &format, &count, &after, &bytes)
    guard let bytes else { return [] }
    defer { XFree(bytes) }
    guard format == 32 else { return [] }
    return bytes.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(count)))
    }
  }

  /// Sets a property to 32-bit values.
  package func set(_ name: String, of id: WindowID, _ values: [UInt]) {
    values.withUnsafeBytes {
      _ = XChangeProperty(
        connection, UInt(id.raw), XInternAtom(connection, name, 0), UInt(XA_CARDINAL), 32, PropModeReplace,
        $0.bindMemory(to: UInt8.self).baseAddress, CInt(values.count))
    }
  }

  package func atom(_ name: String) -> UInt { XInternAtom(connection, name, 0) }

  // MARK: Pictures

  /// The current contents of the screen.
  package func screenshot() -> Screenshot? { Screenshot(connection, root) }
}
