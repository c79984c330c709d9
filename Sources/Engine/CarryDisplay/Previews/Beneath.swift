import CX11
import CarryModel
import CarryX

/// The pixels beneath the previews, for displays without a compositing manager.
///
/// The server does not keep pixels that a preview covers, unless it keeps the window's whole picture off the screen.
/// Windows that come to lie beneath a preview, or whose picture is taken, are therefore redirected (XComposite,
/// automatically: they look and behave as before) until the last preview has gone. The windows only notice that they
/// have to paint a part that was uncovered.
final class Beneath {
  private struct Kept {
    var picture: Picture
    var damage: Damage
    var hasAlpha: Bool
    var pixels: Double
    /// Whether it is kept for a picture of it, wherever the previews are.
    var isPictured: Bool
  }

  /// Maximum number of windows kept at a time; a desktop has no more in one place. Previews blend as if further
  /// windows did not exist.
  private static let most = 64
  /// Maximum side of a window in pixels. X servers crash when they have to keep one of more than 32767, and a window
  /// may grow between the mirror's last update and the request.
  private static let maxAlongASide = 16_384.0
  /// Maximum pixels of all kept windows, in screens: the server needs memory for each window.
  private static let maxScreens = 8.0

  private let server: XServer
  private let mirror: WindowMirror
  private let firstEvent: CInt
  private let formats: WindowFormats
  private var kept: [UInt32: Kept] = [:]
  private var keptPixels = 0.0
  /// Where the previews are, in screen pixels.
  var places: () -> [Rect] = { [] }
  /// Where windows have drawn since the last query, in screen pixels.
  private var drawn = Rect.zero
  private var drawing: [UInt32] = []
  /// The root's own background, once it is needed.
  private var floor: Canvas?
  /// The windows visible at a place, from the top down. The array is kept, because every motion looks at a place.
  private var seen: [UInt32] = []

  /// Nil if the server cannot keep windows' pictures.
  init?(_ server: XServer, _ mirror: WindowMirror) {
    var (event, error): (CInt, CInt) = (0, 0)
    var (major, minor): (CInt, CInt) = (0, 4)
    // Pictures can be named from version 0.2 on.
    guard XCompositeQueryExtension(server.display, &event, &error) != 0,
      XCompositeQueryVersion(server.display, &major, &minor) != 0, major > 0 || minor >= 2
    else { return nil }
    (major, minor) = (1, 1)
    guard XDamageQueryExtension(server.display, &event, &error) != 0,
      XDamageQueryVersion(server.display, &major, &minor) != 0
    else { return nil }
    firstEvent = event
    // A destroyed window takes its damage and its picture with it.
    XErrors.expect(error)
    if XRenderQueryExtension(server.display, &event, &error) != 0 { XErrors.expect(error + BadPicture) }
    self.server = server
    self.mirror = mirror
    formats = WindowFormats(server)
  }

  // MARK: Keeping

  /// Makes the server keep all of a window, or of the toplevel window that contains it, for a picture of it.
  func keep(_ window: WindowID) {
    if let top = mirror.tree.toplevel(of: window), mayKeep(top.raw) { keep(top.raw, isPictured: true) }
  }

  /// Whether a window is kept, or there is room for it.
  private func mayKeep(_ window: UInt32) -> Bool {
    if kept[window] != nil { return true }
    guard let outer = mirror.outerFrame(of: window), formats.format(mirror.visual(of: window)) != nil,
      max(outer.width, outer.height) <= Self.maxAlongASide
    else { return false }
    let screen = mirror.tree.frame(of: mirror.tree.root)?.size ?? .zero
    func hasRoom() -> Bool {
      kept.count < Self.most
        && keptPixels + outer.width * outer.height <= Self.maxScreens * screen.width * screen.height
    }
    if !hasRoom() { releaseWindowsElsewhere() }
    return hasRoom()
  }

  private func keep(_ window: UInt32, isPictured: Bool) {
    if kept[window] != nil {
      if isPictured { kept[window]?.isPictured = true }
      return
    }
    guard mayKeep(window), let outer = mirror.outerFrame(of: window),
      let format = formats.format(mirror.visual(of: window))
    else { return }
    XCompositeRedirectWindow(server.display, UInt(window), CompositeRedirectAutomatic)
    let pixels = outer.width * outer.height
    kept[window] = Kept(
      picture: server.makePicture(UInt(window), format.format, includesInferiors: true),
      damage: XDamageCreate(server.display, UInt(window), CInt(XDamageReportBoundingBox)), hasAlpha: format.hasAlpha,
      pixels: pixels, isPictured: isPictured)
    keptPixels += pixels
    server.work += Int(pixels)
  }

  /// Releases windows that no longer lie beneath a preview and are on no picture.
  private func releaseWindowsElsewhere() {
    let places = places()
    for (window, one) in kept where !one.isPictured {
      let frame = mirror.outerFrame(of: window) ?? .zero
      if !places.contains(where: { !$0.intersection(frame).isEmpty }) { release(window) }
    }
  }

  private func release(_ window: UInt32) {
    guard let one = kept.removeValue(forKey: window) else { return }
    keptPixels -= one.pixels
    XDamageDestroy(server.display, one.damage)
    XRenderFreePicture(server.display, one.picture)
    XCompositeUnredirectWindow(server.display, UInt(window), CompositeRedirectAutomatic)
  }

  func isKept(_ window: WindowID) -> Bool {
    mirror.tree.toplevel(of: window).map { kept[$0.raw] != nil } ?? false
  }

  /// The mirror no longer sees the window. It may still exist, as a part of another one.
  func forget(_ window: WindowID) { release(window.raw) }

  /// Restores the normal state of all windows.
  func end() {
    for window in Array(kept.keys) { release(window) }
    floor?.free(server)
    floor = nil
    drawn = .zero
    drawing.removeAll()
  }

  // MARK: Changes

  /// - Returns: where a kept window has drawn something, in screen pixels; nil for other events.
  func handle(_ event: XEvent) -> Rect? {
    guard event.type == firstEvent + XDamageNotify else { return nil }
    let e = event.reading(as: XDamageNotifyEvent.self)
    let window = UInt32(truncatingIfNeeded: e.drawable)
    guard let damage = kept[window]?.damage, damage == e.damage else { return nil }
    // The server reports damage again once this has been subtracted, and before that only for other areas.
    if !drawing.contains(window) { drawing.append(window) }
    let part = Rect(
      x: Double(e.area.x), y: Double(e.area.y), width: Double(e.area.width), height: Double(e.area.height)
    ).offset(by: mirror.tree.frame(of: WindowID(window))?.origin ?? .zero)
    drawn = drawn.isEmpty ? part : drawn.union(part)
    return part
  }

  /// Where windows have drawn since the last call: the bounding box, in screen pixels.
  func takeDrawn() -> Rect {
    for window in drawing {
      if let damage = kept[window]?.damage { XDamageSubtract(server.display, damage, 0, 0) }
    }
    drawing.removeAll(keepingCapacity: true)
    defer { drawn = .zero }
    return drawn
  }

  // MARK: Painting

  /// Makes the server keep the windows visible at a place of the screen, and paints what would be seen there without
  /// previews: whole pixels, onto a canvas of that size. Call this before a preview covers the place.
  func keepAndPaint(_ place: Rect, on canvas: Canvas) {
    look(at: place)
    for window in seen { keep(window, isPictured: false) }
    // If there was no room for one of them, the windows behind it are seen.
    if seen.contains(where: { kept[$0] == nil }) { look(at: place) }
    let isCovered = seen.last.map { kept[$0] != nil && covers($0, mirror.outerFrame(of: $0) ?? .zero, place) } ?? false
    if !isCovered { paintFloor(place, on: canvas) }
    for window in seen.reversed() { paint(window, place, on: canvas) }
    server.work += canvas.width * canvas.height * (seen.count + 1)
  }

  /// Finds the windows visible at a place, from the top down to the one that covers it.
  private func look(at place: Rect) {
    seen.removeAll(keepingCapacity: true)
    mirror.tree.forEachToplevel { window, frame in
      guard !server.isOurs(window.raw) else { return true }
      let outer = mirror.outerFrame(of: window.raw, inside: frame)
      guard !outer.intersection(place).isEmpty, mayKeep(window.raw) else { return true }
      seen.append(window.raw)
      return seen.count < Self.most && !covers(window.raw, outer, place)
    }
  }

  private func covers(_ window: UInt32, _ frame: Rect, _ place: Rect) -> Bool {
    frame.x <= place.x && frame.y <= place.y && frame.maxX >= place.maxX && frame.maxY >= place.maxY
      && mirror.outline(of: window) == nil
  }

  private func paint(_ window: UInt32, _ place: Rect, on canvas: Canvas) {
    guard let kept = kept[window], let inside = mirror.tree.frame(of: WindowID(window)),
      let outer = mirror.outerFrame(of: window)
    else { return }
    if let outline = mirror.outline(of: window) {
      server.work += outline.count * 512
      var parts = outline.map { part in
        let part = part.offset(by: inside.origin).offset(by: Point(x: -place.x, y: -place.y))
        return XRectangle(
          x: Int16(clamping: Int(part.x)), y: Int16(clamping: Int(part.y)), width: UInt16(clamping: Int(part.width)),
          height: UInt16(clamping: Int(part.height)))
      }
      XRenderSetPictureClipRectangles(server.display, canvas.picture, 0, 0, &parts, CInt(parts.count))
    }
    if inside == outer {
      paint(kept.picture, hasAlpha: kept.hasAlpha, inside, place, on: canvas)
    } else if let format = formats.format(mirror.visual(of: window)) {
      // A window's picture has no border; the pixmap that the server keeps has it.
      let pixmap = XCompositeNameWindowPixmap(server.display, UInt(window))
      let picture = server.makePicture(pixmap, format.format)
      paint(picture, hasAlpha: kept.hasAlpha, outer, place, on: canvas)
      XRenderFreePicture(server.display, picture)
      XFreePixmap(server.display, pixmap)
    }
    if mirror.outline(of: window) != nil {
      var none = XRenderPictureAttributes()
      XRenderChangePicture(server.display, canvas.picture, UInt(CPClipMask), &none)
    }
  }

  private func paint(_ picture: Picture, hasAlpha: Bool, _ frame: Rect, _ place: Rect, on canvas: Canvas) {
    let part = frame.intersection(place)
    guard !part.isEmpty else { return }
    let (x, y) = (CInt(part.x - place.x), CInt(part.y - place.y))
    let (width, height) = (UInt32(part.width), UInt32(part.height))
    // The screen ignores alpha: it shows the colours on black.
    if hasAlpha {
      var black = XRenderColor(red: 0, green: 0, blue: 0, alpha: 0xFFFF)
      XRenderFillRectangle(server.display, PictOpSrc, canvas.picture, &black, x, y, width, height)
    }
    XRenderComposite(
      server.display, hasAlpha ? PictOpOver : PictOpSrc, picture, 0, canvas.picture, CInt(part.x - frame.x),
      CInt(part.y - frame.y), 0, 0, x, y, width, height)
  }

  private func paintFloor(_ place: Rect, on canvas: Canvas) {
    let floor = floor ?? makeFloor()
    self.floor = floor
    XRenderComposite(
      server.display, PictOpSrc, floor.picture, 0, canvas.picture, CInt(place.x), CInt(place.y), 0, 0, 0, 0,
      UInt32(canvas.width), UInt32(canvas.height))
  }

  /// The root's background. X has no request for it, so this reads a window that inherits its parent's background.
  /// The window is never visible, because it is redirected manually and never drawn.
  private func makeFloor() -> Canvas {
    let screen = mirror.tree.frame(of: mirror.tree.root) ?? .zero
    let canvas = Canvas(server, width: Int(screen.width), height: Int(screen.height))
    var black = XRenderColor(red: 0, green: 0, blue: 0, alpha: 0xFFFF)
    XRenderFillRectangle(
      server.display, PictOpSrc, canvas.picture, &black, 0, 0, UInt32(canvas.width), UInt32(canvas.height))
    guard let format = formats.format(nil) else { return canvas }
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.background_pixmap = UInt(ParentRelative)
    let window = XCreateWindow(
      server.display, server.root, 0, 0, UInt32(canvas.width), UInt32(canvas.height), 0, CInt(CopyFromParent),
      UInt32(InputOutput), nil, UInt(CWOverrideRedirect | CWBackPixmap), &attributes)
    let nothing = XFixesCreateRegion(server.display, nil, 0)
    XFixesSetWindowShapeRegion(server.display, window, ShapeInput, 0, 0, nothing)
    XFixesDestroyRegion(server.display, nothing)
    XCompositeRedirectWindow(server.display, window, CompositeRedirectManual)
    XLowerWindow(server.display, window)
    XMapWindow(server.display, window)
    XClearWindow(server.display, window)
    let picture = server.makePicture(window, format.format)
    XRenderComposite(
      server.display, PictOpSrc, picture, 0, canvas.picture, 0, 0, 0, 0, 0, 0, UInt32(canvas.width),
      UInt32(canvas.height))
    XRenderFreePicture(server.display, picture)
    XDestroyWindow(server.display, window)
    server.work += canvas.width * canvas.height * 2
    return canvas
  }
}
