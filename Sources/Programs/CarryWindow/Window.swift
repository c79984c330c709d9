import CWindow
package import Carry

/// A window: one picture, drawn and shown as a whole.
package final class Window {
  package enum Kind: Sendable {
    case ordinary
    /// A bar at the bottom of the screen, for which other windows leave room.
    case dock
    /// Above all others, without a frame, and unknown to window managers.
    case overlay
  }

  private let connection: OpaquePointer
  private unowned let display: Display
  /// The X window's number, for regions.
  package let number: UInt32
  /// Units of the kit.
  package private(set) var width, height: Double
  package private(set) var isFocused = false
  /// Whether what lies below shows through.
  package let isTranslucent: Bool
  package weak var content: (any WindowContent)?

  let id: XID
  private let closing: Atom
  private let visual: UnsafeMutablePointer<Visual>?
  private let depth: CInt
  private let inputContext: XIC?
  /// The size in pixels.
  package private(set) var pixels: (width: Int, height: Int)
  private var back: OpaquePointer?
  private var needsDrawing = false
  private var isMapped = false
  /// When an animation wants the next picture.
  private(set) var nextFrame: Double?
  private var touches: [UInt32: Point] = [:]
  private var lastClick: (time: UInt, place: Point, count: Int) = (0, Point(x: 0, y: 0), 0)

  /// Makes a window that is not shown yet.
  ///
  /// - Parameters:
  ///   - program: the program's name, by which other programs know its windows.
  ///   - width: in units of the kit, as is the height.
  ///   - geometry: size and place in pixels; it replaces width and height.
  package init(
    _ display: Display, title: String, program: String, width: Double, height: Double, geometry: WindowGeometry? = nil,
    kind: Kind = .ordinary, icon: Picture? = nil
  ) {
    self.display = display
    let (connection, scale) = (display.connection, display.scale)
    self.connection = connection
    let screen = XDefaultScreen(connection)
    pixels = (
      geometry?.width ?? max(1, Int(width * scale)), geometry?.height ?? max(1, Int(height * scale))
    )
    self.width = Double(pixels.width) / scale
    self.height = Double(pixels.height) / scale
    let x = geometry?.x ?? (Int(XDisplayWidth(connection, screen)) - pixels.width) / 2
    let y = geometry?.y ?? (Int(XDisplayHeight(connection, screen)) - pixels.height) / 2

    var attributes = XSetWindowAttributes()
    var mask = UInt(CWBorderPixel | CWBitGravity | CWEventMask)
    attributes.bit_gravity = NorthWestGravity
    // From the beginning: another program may resize the window as soon as it has a name.
    var events = StructureNotifyMask | KeyPressMask
    if display.input == .everything {
      events |= ButtonPressMask | ButtonReleaseMask | PointerMotionMask | LeaveWindowMask | FocusChangeMask
    }
    attributes.event_mask = Int(events)
    if kind == .overlay {
      attributes.override_redirect = 1
      mask |= UInt(CWOverrideRedirect)
    }
    var depth = XDefaultDepth(connection, screen)
    var visual = XDefaultVisual(connection, screen)
    var found = XVisualInfo()
    isTranslucent =
      kind != .ordinary && XGetSelectionOwner(connection, XInternAtom(connection, "_NET_WM_CM_S\(screen)", 0)) != 0
      && cwindow_translucent_visual(connection, &found)
    if isTranslucent {
      (depth, visual) = (found.depth, found.visual)
      attributes.colormap = XCreateColormap(connection, XRootWindow(connection, screen), visual, AllocNone)
      mask |= UInt(CWColormap)
    }
    self.visual = visual
    self.depth = depth
    id = XCreateWindow(
      connection, XRootWindow(connection, screen), CInt(clamping: x), CInt(clamping: y), CUnsignedInt(pixels.width),
      CUnsignedInt(pixels.height), 0, depth, CUnsignedInt(InputOutput), visual, mask, &attributes)
    number = UInt32(truncatingIfNeeded: id)
    closing = XInternAtom(connection, "WM_DELETE_WINDOW", 0)
    let method = display.inputMethod
    inputContext = method == nil ? nil : cwindow_input_context(method, id)
    display.add(self)
    describe(title, program, kind, isPlaced: geometry?.x != nil || kind == .dock, x, y, icon)
    if display.hasTouches { cwindow_select_touches(connection, id) }
    // The engine may look for the window as soon as a region names it.
    XSync(connection, 0)
  }

  private func describe(
    _ title: String, _ program: String, _ kind: Kind, isPlaced: Bool, _ x: Int, _ y: Int, _ icon: Picture?
  ) {
    setTitle(title)
    program.withCString { text in
      var hint = XClassHint(
        res_name: UnsafeMutablePointer(mutating: text), res_class: UnsafeMutablePointer(mutating: text))
      XSetClassHint(connection, id, &hint)
    }
    var atom = closing
    XSetWMProtocols(connection, id, &atom, 1)
    var size = XSizeHints()
    size.flags = isPlaced ? Int(USPosition | USSize) : Int(PSize)
    (size.x, size.y) = (CInt(clamping: x), CInt(clamping: y))
    (size.width, size.height) = (CInt(pixels.width), CInt(pixels.height))
    XSetWMNormalHints(connection, id, &size)
    var hints = XWMHints()
    hints.flags = InputHint
    hints.input = 1
    XSetWMHints(connection, id, &hints)
    setProperty("_NET_WM_PID", XA_CARDINAL, [UInt(getpid())])
    if let icon { setProperty("_NET_WM_ICON", XA_CARDINAL, icon.icon) }
    guard kind == .dock else { return }
    setProperty("_NET_WM_WINDOW_TYPE", XA_ATOM, [XInternAtom(connection, "_NET_WM_WINDOW_TYPE_DOCK", 0)])
    setProperty("_NET_WM_DESKTOP", XA_CARDINAL, [0xFFFF_FFFF])
    let screen = XDefaultScreen(connection)
    let room = max(0, Int(XDisplayHeight(connection, screen)) - y)
    let strut: [Int] = [0, 0, 0, room, 0, 0, 0, 0, 0, 0, x, x + pixels.width - 1]
    setProperty("_NET_WM_STRUT_PARTIAL", XA_CARDINAL, strut.map { UInt(max(0, $0)) })
    setProperty("_NET_WM_STRUT", XA_CARDINAL, strut.prefix(4).map { UInt(max(0, $0)) })
  }

  private func setProperty(_ name: String, _ type: Atom, _ values: [UInt]) {
    values.withUnsafeBytes { bytes in
      _ = XChangeProperty(
        connection, id, XInternAtom(connection, name, 0), type, 32, PropModeReplace,
        bytes.bindMemory(to: UInt8.self).baseAddress, CInt(clamping: values.count))
    }
  }

  package func setTitle(_ title: String) {
    XStoreName(connection, id, title)
    let utf8 = Array(title.utf8)
    XChangeProperty(
      connection, id, XInternAtom(connection, "_NET_WM_NAME", 0), XInternAtom(connection, "UTF8_STRING", 0), 8,
      PropModeReplace, utf8, CInt(clamping: utf8.count))
  }

  /// Draws and shows the window, and waits until the server has handled the requests.
  package func show() {
    draw()
    XMapWindow(connection, id)
    XSync(connection, 0)
  }

  /// Takes the window off the screen; `show()` brings it back.
  package func hide() { XUnmapWindow(connection, id) }

  /// Brings the window to the front.
  package func raise() { XRaiseWindow(connection, id) }

  /// Moves the window to a place on the screen, in pixels.
  package func move(to x: Int, _ y: Int) { XMoveWindow(connection, id, CInt(clamping: x), CInt(clamping: y)) }

  /// Takes the keyboard focus.
  package func takeFocus() {
    guard isMapped, !isFocused else { return }
    XSetInputFocus(connection, id, CInt(RevertToPointerRoot), UInt(CurrentTime))
  }

  /// Where a place of the window is on the screen, in pixels.
  package func onScreen(_ box: Box) -> Rect {
    var (x, y): (CInt, CInt) = (0, 0)
    var child: XID = 0
    XTranslateCoordinates(connection, id, XDefaultRootWindow(connection), 0, 0, &x, &y, &child)
    var r = box.pixels(display.scale)
    r.x += Int(x)
    r.y += Int(y)
    return r
  }

  // MARK: Drawing

  /// Asks for the whole window to be drawn again, at the end of this turn.
  package func redraw() { needsDrawing = true }

  /// Asks for the window to be drawn again a frame later. Moving content calls this while it draws.
  package func animate() { nextFrame = display.now + 1.0 / 60 }

  func drawIfNeeded() {
    if let frame = nextFrame, frame <= display.now + 0.001 {
      nextFrame = nil
      needsDrawing = true
    }
    if needsDrawing, isMapped { draw() }
  }

  /// Draws the picture into the window's background. From then on the server repaints it by itself.
  private func draw() {
    needsDrawing = false
    let (width, height) = (CInt(pixels.width), CInt(pixels.height))
    let pixmap = XCreatePixmap(connection, id, UInt32(width), UInt32(height), UInt32(depth))
    let target = cairo_xlib_surface_create(connection, pixmap, visual, width, height)
    if back == nil, !display.drawsInServer { back = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height) }
    if let context = cairo_create(back ?? target) {
      cairo_scale(context, display.scale, display.scale)
      content?.draw(on: Canvas(context, scale: display.scale), size: (self.width, self.height))
      cairo_destroy(context)
    }
    if let back, let context = cairo_create(target) {
      cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
      cairo_set_source_surface(context, back, 0, 0)
      cairo_paint(context)
      cairo_destroy(context)
    }
    // Cairo may have kept the picture in memory that it shares with the server until now.
    cairo_surface_destroy(target)
    XSetWindowBackgroundPixmap(connection, id, pixmap)
    XFreePixmap(connection, pixmap)
    XClearWindow(connection, id)
    XFlush(connection)
  }

  // MARK: Events

  func handle(_ event: inout XEvent) {
    switch event.type {
    case ConfigureNotify: configured(Int(event.xconfigure.width), Int(event.xconfigure.height))
    case MapNotify: isMapped = true
    case UnmapNotify: isMapped = false
    case FocusIn, FocusOut:
      isFocused = event.type == FocusIn
      if let inputContext { isFocused ? XSetICFocus(inputContext) : XUnsetICFocus(inputContext) }
      content?.focusChanged()
    case KeyPress:
      if display.input == .everything || event.xkey.send_event == 0 { key(&event.xkey) }
    case ButtonPress, ButtonRelease: button(event.xbutton, isPress: event.type == ButtonPress)
    case MotionNotify:
      let e = event.xmotion
      let isDown = e.state & UInt32(Button1Mask) != 0
      mouse(isDown ? .moved : .hovered, CInt(e.x), CInt(e.y), e.state)
    case LeaveNotify: mouse(.left, event.xcrossing.x, event.xcrossing.y, event.xcrossing.state)
    case ClientMessage:
      if Atom(bitPattern: event.xclient.data.l.0) == closing { content?.closed() }
    default: break
    }
  }

  private func configured(_ w: Int, _ h: Int) {
    guard (w, h) != pixels else { return }
    pixels = (max(1, w), max(1, h))
    (width, height) = (Double(pixels.width) / display.scale, Double(pixels.height) / display.scale)
    cairo_surface_destroy(back)
    back = nil
    needsDrawing = true
    content?.resized()
  }

  private func place(_ x: Double, _ y: Double) -> Point { Point(x: x / display.scale, y: y / display.scale) }

  private func mouse(_ phase: PointerEvent.Phase, _ x: CInt, _ y: CInt, _ state: UInt32, clicks: Int = 1) {
    var e = PointerEvent(
      source: .mouse, phase: phase, place: place(Double(x), Double(y)), modifiers: Modifiers(state: state))
    e.clicks = clicks
    content?.pointer(e)
  }

  private func button(_ e: XButtonEvent, isPress: Bool) {
    switch Int32(e.button) {
    case Button1:
      let p = place(Double(e.x), Double(e.y))
      if isPress {
        let again = e.time &- lastClick.time < 400 && (p - lastClick.place).length < 6
        lastClick = (e.time, p, again ? lastClick.count + 1 : 1)
      }
      mouse(isPress ? .began : .ended, e.x, e.y, e.state, clicks: lastClick.count)
    case Button4 where isPress: mouse(.scrolled(lines: -3), e.x, e.y, e.state)
    case Button5 where isPress: mouse(.scrolled(lines: 3), e.x, e.y, e.state)
    default: break
    }
  }

  func touch(_ number: UInt32, _ phase: PointerEvent.Phase, x: Double, y: Double, time: UInt) {
    let p = place(x, y)
    switch phase {
    case .began:
      touches[number] = p
      // Window managers give the focus on clicks, and a touch is no click.
      takeFocus()
    case .moved:
      guard touches[number] != nil else { return }
      touches[number] = p
    default:
      guard touches.removeValue(forKey: number) != nil else { return }
    }
    content?.pointer(PointerEvent(source: .touch(number), phase: phase, place: p, modifiers: []))
  }

  /// Undoes what a touch began that Carry has taken, and ignores the touch from then on. For `Region.onTouchCancelled`.
  package func touchCancelled(_ number: UInt32) {
    guard let p = touches.removeValue(forKey: number) else { return }
    content?.pointer(PointerEvent(source: .touch(number), phase: .cancelled, place: p, modifiers: []))
  }

  private func key(_ event: inout XKeyEvent) {
    var buffer = [CChar](repeating: 0, count: 64)
    var symbol: KeySym = 0
    var count: CInt
    if let inputContext {
      var status: CInt = 0
      count = Xutf8LookupString(inputContext, &event, &buffer, 63, &symbol, &status)
      if status == XBufferOverflow {
        // An input method may commit a whole sentence.
        buffer = [CChar](repeating: 0, count: Int(count) + 1)
        count = Xutf8LookupString(inputContext, &event, &buffer, count, &symbol, &status)
      }
    } else {
      count = XLookupString(&event, &buffer, 63, &symbol, nil)
    }
    let modifiers = Modifiers(state: event.state)
    if let key = KeyEvent.Key(symbol: symbol) {
      content?.key(KeyEvent(key: key, modifiers: modifiers))
    } else if modifiers.contains(.control) {
      // Of a layout without Latin letters, those of the first layout count.
      let latin = 0x20...0x7E
      if !latin.contains(Int(symbol)) { symbol = XLookupKeysym(&event, 0) }
      guard latin.contains(Int(symbol)) else { return }
      let letter = String(UnicodeScalar(UInt8(symbol))).lowercased()
      content?.key(KeyEvent(key: .text(letter), modifiers: modifiers))
    } else if count > 0 {
      let text = String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let first = text.unicodeScalars.first, first.value >= 0x20, first.value != 0x7F else { return }
      content?.key(KeyEvent(key: .text(text), modifiers: modifiers))
    }
  }
}
