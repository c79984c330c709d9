import CX11
import Carry
import CarryModel
import CarryX
import CarryXdnd

/// Requests to the X server for lifts out of other applications.
extension XConnection: LiftDisplay {
  var screen: CarryModel.Rect {
    .init(x: 0, y: 0, width: Double(XDisplayWidth(display, 0)), height: Double(XDisplayHeight(display, 0)))
  }

  // MARK: The pointer

  func pointer() -> CarryModel.Point? {
    guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else { return nil }
    defer { cx11_free(reply) }
    return CarryModel.Point(x: Double(reply.pointee.root_x), y: Double(reply.pointee.root_y))
  }

  func pointerIs(in window: UInt32) -> Bool {
    var outer = root
    for _ in 0..<16 {
      guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, outer), nil) else {
        return false
      }
      defer { cx11_free(reply) }
      guard reply.pointee.child != 0 else { return false }
      if reply.pointee.child == window { return true }
      outer = reply.pointee.child
    }
    return false
  }

  /// Why nothing may be pressed now: a mouse button is down, or a key that would change the meaning of a press. Nil
  /// if there is no obstacle.
  func obstacleToPress() -> String? {
    guard cx11_can_press(connection) != 0 else { return "the X server has no XTEST" }
    guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else {
      return "the X server does not say where the pointer is"
    }
    defer { cx11_free(reply) }
    if mouseButtonIsDown() { return "a button of the mouse is down" }
    let keys = ShiftMask | ControlMask | Mod1Mask | Mod4Mask
    return reply.pointee.mask & UInt16(keys) != 0 ? "Shift, Ctrl, Alt or Super is down" : nil
  }

  /// Whether a button of any mouse, pen or trackpad is down. A touch also presses the pointer's button, so only the
  /// devices themselves can tell while a finger rests.
  private func mouseButtonIsDown() -> Bool {
    var count: CInt = 0
    guard let devices = XIQueryDevice(display, XIAllDevices, &count) else { return true }
    defer { XIFreeDeviceInfo(devices) }
    return UnsafeBufferPointer(start: devices, count: Int(count)).contains { device in
      guard device.use == XISlavePointer || device.use == XIFloatingSlave else { return false }
      var isDown = false
      for i in 0..<Int(device.num_classes) {
        guard let info = device.classes[i] else { continue }
        if info.pointee.type == XITouchClass { return false }
        guard info.pointee.type == XIButtonClass else { continue }
        let state = UnsafeRawPointer(info).assumingMemoryBound(to: XIButtonClassInfo.self).pointee.state
        isDown = UnsafeBufferPointer(start: state.mask, count: Int(state.mask_len)).contains { $0 != 0 }
      }
      return isDown
    }
  }

  func point(to point: CarryModel.Point) { cx11_point(connection, root, CInt(point.x), CInt(point.y)) }

  func press(_ isPress: Bool) { cx11_press(connection, isPress ? 1 : 0) }

  /// Clicks with a button of the X server's XTEST device.
  func click(button: Int) { cx11_click(connection, CInt(button)) }

  /// The offset of a window's own title bar from its top, in pixels; nil if the window manager draws the title bar,
  /// and for the desktop's window, which has none.
  func ownFrameTop(of window: UInt32) -> Double? {
    let extents = words(window, "_GTK_FRAME_EXTENTS", most: 4)
    if extents.count == 4 { return Double(extents[2]) }
    // Without a compositing manager GTK draws no shadow and only requests no decorations: MwmUtil.h of Motif.
    let hints = words(window, "_MOTIF_WM_HINTS", most: 5)
    let (hasDecorations, decorations) = (UInt32(1 << 1), 2)
    guard hints.count > decorations, hints[0] & hasDecorations != 0, hints[decorations] == 0 else { return nil }
    return words(window, "_NET_WM_WINDOW_TYPE", most: 4).contains(atom("_NET_WM_WINDOW_TYPE_DESKTOP")) ? nil : 0
  }

  // MARK: The drag

  func makeDropWindow(side: Int) -> UInt32 {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    let window = XCreateWindow(
      display, XDefaultRootWindow(display), 0, 0, UInt32(side), UInt32(side), 0, 0, UInt32(InputOnly), nil,
      UInt(CWOverrideRedirect), &attributes)
    let id = UInt32(truncatingIfNeeded: window)
    markAsDropWindow(id)
    return id
  }

  func markAsDropWindow(_ window: UInt32) {
    setWords([5], "XdndAware", of: window, type: Atom(XA_ATOM))
    // Chromium ignores a window without a name and looks beneath it.
    XStoreName(display, Window(window), "Carry")
    // Java ignores a window that no window manager has marked: NormalState, no icon.
    setWords([1, 0], "WM_STATE", of: window, type: Atom(atom("WM_STATE")))
  }

  func show(_ window: UInt32, around point: CarryModel.Point, side: Int) {
    XMoveWindow(display, Window(window), CInt(point.x) - CInt(side / 2), CInt(point.y) - CInt(side / 2))
    XMapRaised(display, Window(window))
  }

  func hide(_ window: UInt32) { XUnmapWindow(display, Window(window)) }

  func destroyWindow(_ window: UInt32) {
    forget(window)
    XDestroyWindow(display, Window(window))
  }

  // MARK: Pictures

  var scale: Double { DesktopScale.read(display) }

  func picture(of window: UInt32, scale: Double) -> SeenPicture? {
    var attributes = XWindowAttributes()
    guard XGetWindowAttributes(display, Window(window), &attributes) != 0, attributes.`class` == InputOutput,
      attributes.depth == 24 || attributes.depth == 32
    else { return nil }
    // Toolkits also have windows of one pixel.
    let side = 8...CInt(PreviewImage.longestSide)
    guard side.contains(attributes.width), side.contains(attributes.height) else { return nil }
    // Redirected, so that windows above it are not in the picture.
    XCompositeRedirectWindow(display, Window(window), CompositeRedirectAutomatic)
    defer { XCompositeUnredirectWindow(display, Window(window), CompositeRedirectAutomatic) }
    let pixmap = XCompositeNameWindowPixmap(display, Window(window))
    defer { XFreePixmap(display, pixmap) }
    guard
      let image = XGetImage(
        display, pixmap, 0, 0, UInt32(attributes.width), UInt32(attributes.height), UInt.max, ZPixmap)
    else { return nil }
    defer { cx11_destroy_image(image) }
    var pixels = [UInt32](repeating: 0, count: Int(attributes.width) * Int(attributes.height))
    cx11_get_argb(image, &pixels)
    // A fully transparent picture does not count.
    guard pixels.contains(where: { $0 >> 24 > 16 }) else { return nil }
    var print: UInt64 = 0xcbf2_9ce4_8422_2325
    for pixel in pixels { print = (print ^ UInt64(pixel)) &* 0x100_0000_01b3 }
    let (width, height) = (Int(attributes.width), Int(attributes.height))
    guard let picture = PreviewImage(width: width, height: height, premultipliedARGB: pixels) else { return nil }
    return SeenPicture(
      window: window, picture: picture,
      sight: ForeignLift.Sight(width: width, height: height, scale: scale, print: print))
  }
  func cutAway(_ window: UInt32) {
    XShapeCombineRectangles(display, Window(window), ShapeBounding, 0, 0, nil, 0, ShapeSet, Unsorted)
  }
}

/// The contents of another program's window at one moment.
struct SeenPicture {
  let window: UInt32
  let picture: PreviewImage
  let sight: ForeignLift.Sight
}
