import CX11
import CarryModel
import CarryStage
import CarrySystem

/// The preview windows on the screen: made, moved, redrawn and let go as the draw list says.
///
/// Override-redirect windows with an alpha channel that take no input. Each has its picture as its background, so the
/// server itself repaints what was covered and nothing ever flickers.
final class PreviewWindows {
  private struct Preview {
    var id: SurfaceID
    var window: CX11.Window
    var canvas: Canvas
    var x, y: Int32
    var content: UInt64
    var isMapped: Bool
    var isShaped = false
    /// The cards without the badge, as long as nothing but the badge changes; kept while there is one.
    var cards: Canvas?
    var cardLayers: [Layer] = []
    var cardOpacity = 0.0
    /// Where the badge was drawn last.
    var badgeBox = Rect.zero
    /// What lies beneath, while no compositing manager mixes it in.
    var beneath: Canvas?
    /// The surface alone, to be blended over that again with each move.
    var front: Canvas?
  }

  /// Unmapped windows kept for the next drag.
  private static let spares = 2
  /// Two clients that both want to be on top must not fight for ever.
  private static let raisesPerSecond = 20

  private let server: XServer
  private let painter: Painter
  private var previews: [Preview] = []
  private var spare: [CX11.Window] = []
  private var raises = 0
  private var raisesSince = Instant.zero
  /// For copies between pixmaps of depth 32; nothing tells when a source was covered, since pixmaps never are.
  private let gc: GC?

  var isComposited = true {
    didSet { if oldValue != isComposited { switchMode() } }
  }

  init(_ server: XServer, _ images: ImageStore) {
    self.server = server
    painter = Painter(server, images)
    var values = XGCValues()
    values.graphics_exposures = 0
    let pixmap = server.makePixmap(1, 1)
    gc = XCreateGC(server.display, pixmap, UInt(GCGraphicsExposures), &values)
    XFreePixmap(server.display, pixmap)
  }

  // MARK: Applying

  func apply(_ list: DrawList) {
    if !isSame(list) { reconcile(list) }
    var lowestNew: Int?
    for i in previews.indices {
      let isNew = !previews[i].isMapped
      update(i, list.surfaces[i])
      if isNew, previews[i].isMapped, lowestNew == nil { lowestNew = i }
    }
    // A window comes on top when it is mapped; those that belong above it were there before.
    if let lowestNew {
      for preview in previews[lowestNew...].dropFirst() where preview.isMapped {
        XRaiseWindow(server.display, preview.window)
      }
    }
    server.work += XServer.leastWork
  }

  private func isSame(_ list: DrawList) -> Bool {
    guard previews.count == list.surfaces.count else { return false }
    for i in previews.indices where previews[i].id != list.surfaces[i].id { return false }
    return true
  }

  /// Makes `previews` hold one window for each surface, in its order. New windows come on top.
  private func reconcile(_ list: DrawList) {
    var old: [SurfaceID: Preview] = [:]
    for preview in previews { old[preview.id] = preview }
    previews.removeAll(keepingCapacity: true)
    for surface in list.surfaces { previews.append(old.removeValue(forKey: surface.id) ?? make(surface)) }
    for preview in old.values { letGo(preview) }
    if previews.isEmpty { painter.trim() }
  }

  private func update(_ i: Int, _ surface: Surface) {
    let moves = previews[i].x != surface.x || previews[i].y != surface.y
    let resizes = previews[i].canvas.width != Int(surface.width) || previews[i].canvas.height != Int(surface.height)
    let window = previews[i].window
    if resizes {
      previews[i].canvas.free(server)
      previews[i].canvas = Canvas(server, width: Int(surface.width), height: Int(surface.height))
      previews[i].content = 0
    }
    let redraws = previews[i].content != surface.content
    if !isComposited, moves || redraws { look(beneath: i, surface) }
    if moves {
      previews[i].x = surface.x
      previews[i].y = surface.y
    }
    if resizes {
      XMoveResizeWindow(
        server.display, window, surface.x, surface.y, UInt32(surface.width), UInt32(surface.height))
    } else if moves {
      XMoveWindow(server.display, window, surface.x, surface.y)
    }
    guard redraws || (moves && !isComposited) else { return }
    server.work += Int(surface.width) * Int(surface.height) * (redraws ? surface.layers.count + 2 : 1)
    // All of it, unless the badge alone changed.
    var changed = Rect.zero
    if isComposited {
      changed = paint(i, surface, on: previews[i].canvas)
    } else {
      blend(i, surface, redraws: redraws)
    }
    if redraws { shape(i, surface) }
    previews[i].content = surface.content
    XSetWindowBackgroundPixmap(server.display, window, previews[i].canvas.pixmap)
    if previews[i].isMapped {
      XClearArea(
        server.display, window, CInt(changed.x), CInt(changed.y), UInt32(changed.width), UInt32(changed.height), 0)
    } else {
      XMapRaised(server.display, window)
      previews[i].isMapped = true
    }
  }

  /// Draws a surface on its canvas, which still shows what was drawn there last.
  ///
  /// - Returns: the part of the canvas that changed, in whole pixels; empty means all of it, as XClearArea has it.
  private func paint(_ i: Int, _ surface: Surface, on canvas: Canvas) -> Rect {
    let newBox = painter.box(of: surface.badge)
    defer {
      painter.paint(surface.badge, on: canvas)
      previews[i].badgeBox = newBox
    }
    let whole = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    if let cards = previews[i].cards, previews[i].content != 0, cards.width == canvas.width,
      cards.height == canvas.height, previews[i].cardOpacity == surface.opacity,
      previews[i].cardLayers == surface.layers
    {
      let part = Self.pixels(around: previews[i].badgeBox, newBox, within: whole)
      if !part.isEmpty {
        XCopyArea(
          server.display, cards.pixmap, canvas.pixmap, gc, CInt(part.x), CInt(part.y), UInt32(part.width),
          UInt32(part.height), CInt(part.x), CInt(part.y))
        return part
      }
    }
    painter.paintCards(surface, on: canvas)
    keepCards(i, surface, from: canvas)
    return .zero
  }

  /// Whole pixels that hold both boxes.
  private static func pixels(around a: Rect, _ b: Rect, within whole: Rect) -> Rect {
    let (a, b) = (a.isEmpty ? b : a, b.isEmpty ? a : b)
    let (x, y) = (min(a.x, b.x).rounded(.down), min(a.y, b.y).rounded(.down))
    let (right, bottom) = (max(a.maxX, b.maxX).rounded(.up), max(a.maxY, b.maxY).rounded(.up))
    return Rect(x: x, y: y, width: right - x, height: bottom - y).intersection(whole)
  }

  /// A badge changes by itself, again and again while it pops: the cards need not be drawn for that.
  private func keepCards(_ i: Int, _ surface: Surface, from canvas: Canvas) {
    if let old = previews[i].cards,
      surface.badge.badge == .none || old.width != canvas.width || old.height != canvas.height
    {
      old.free(server)
      previews[i].cards = nil
    }
    guard surface.badge.badge != .none else { return }
    let cards = previews[i].cards ?? Canvas(server, width: canvas.width, height: canvas.height)
    XCopyArea(
      server.display, canvas.pixmap, cards.pixmap, gc, 0, 0, UInt32(canvas.width), UInt32(canvas.height), 0, 0)
    previews[i].cards = cards
    previews[i].cardLayers = surface.layers
    previews[i].cardOpacity = surface.opacity
  }

  // MARK: Windows

  private func make(_ surface: Surface) -> Preview {
    let canvas = Canvas(server, width: Int(surface.width), height: Int(surface.height))
    let window: CX11.Window
    if let used = spare.popLast() {
      window = used
      XMoveResizeWindow(
        server.display, window, surface.x, surface.y, UInt32(surface.width), UInt32(surface.height))
    } else {
      window = makeWindow(surface)
    }
    return Preview(
      id: surface.id, window: window, canvas: canvas, x: surface.x, y: surface.y, content: 0, isMapped: false)
  }

  private func makeWindow(_ surface: Surface) -> CX11.Window {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.colormap = server.colormap
    attributes.border_pixel = 0
    attributes.background_pixmap = 0
    let mask = CWOverrideRedirect | CWColormap | CWBorderPixel | CWBackPixmap
    let window = XCreateWindow(
      server.display, server.root, surface.x, surface.y, UInt32(surface.width), UInt32(surface.height), 0, 32,
      UInt32(InputOutput), server.visual, UInt(mask), &attributes)
    var type = server.atoms.windowTypeDND
    setProperty(window, server.atoms.windowType, Atom(XA_ATOM), &type)
    var never: UInt = 2  // Never unredirect: a full-screen game below would flicker.
    setProperty(window, server.atoms.bypassCompositor, Atom(XA_CARDINAL), &never)
    XStoreName(server.display, window, "Carry preview")
    let nothing = XFixesCreateRegion(server.display, nil, 0)
    XFixesSetWindowShapeRegion(server.display, window, ShapeInput, 0, 0, nothing)
    XFixesDestroyRegion(server.display, nothing)
    return window
  }

  private func setProperty(_ window: CX11.Window, _ name: Atom, _ type: Atom, _ value: inout UInt) {
    withUnsafeBytes(of: &value) {
      _ = XChangeProperty(
        server.display, window, name, type, 32, PropModeReplace, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
  }

  private func letGo(_ preview: Preview) {
    preview.canvas.free(server)
    preview.cards?.free(server)
    preview.beneath?.free(server)
    preview.front?.free(server)
    if spare.count < Self.spares {
      XUnmapWindow(server.display, preview.window)
      XSetWindowBackgroundPixmap(server.display, preview.window, 0)
      spare.append(preview.window)
    } else {
      XDestroyWindow(server.display, preview.window)
    }
  }

  /// Puts the previews above everything again, in their order.
  func raise() {
    guard !previews.isEmpty else { return }
    let now = MonotonicClock.now()
    if now - raisesSince > .seconds(1) { (raises, raisesSince) = (0, now) }
    raises += 1
    guard raises <= Self.raisesPerSecond else { return }
    for preview in previews where preview.isMapped { XRaiseWindow(server.display, preview.window) }
  }

  // MARK: Without a compositing manager

  /// Everything is drawn anew with the next list: translucent by the manager's hand, or by ours.
  private func switchMode() {
    for i in previews.indices {
      previews[i].content = 0
      previews[i].beneath?.free(server)
      previews[i].beneath = nil
      previews[i].front?.free(server)
      previews[i].front = nil
      // What lies beneath can only be seen where the window itself is not.
      if !isComposited, previews[i].isMapped {
        XUnmapWindow(server.display, previews[i].window)
        previews[i].isMapped = false
      }
    }
  }

  private func blend(_ i: Int, _ surface: Surface, redraws: Bool) {
    let canvas = previews[i].canvas
    if let front = previews[i].front, front.width != canvas.width || front.height != canvas.height {
      front.free(server)
      previews[i].front = nil
    }
    let isNew = previews[i].front == nil
    let front = previews[i].front ?? Canvas(server, width: canvas.width, height: canvas.height)
    if isNew { previews[i].content = 0 }
    if redraws { _ = paint(i, surface, on: front) }
    previews[i].front = front
    if let beneath = previews[i].beneath { painter.blend(front, over: beneath, on: canvas) }
  }

  /// With a manager a window has its whole rectangle; without one only the cards' outline, since shadows and rounded
  /// corners would hide what changes beneath them.
  private func shape(_ i: Int, _ surface: Surface) {
    if isComposited {
      // Not each time: managers do a lot when they hear of a shape.
      if previews[i].isShaped {
        XShapeCombineMask(server.display, previews[i].window, ShapeBounding, 0, 0, 0, ShapeSet)
      }
      previews[i].isShaped = false
      return
    }
    previews[i].isShaped = true
    let mask = painter.outline(of: surface, width: Int(surface.width), height: Int(surface.height))
    XShapeCombineMask(server.display, previews[i].window, ShapeBounding, 0, 0, mask, ShapeSet)
    XFreePixmap(server.display, mask)
  }

  /// Gets what lies beneath the window's next place: what it will newly cover is on the screen now; what it covers
  /// already was seen when it came there.
  private func look(beneath i: Int, _ surface: Surface) {
    let (width, height) = (Int32(surface.width), Int32(surface.height))
    let dx = surface.x - previews[i].x
    let dy = surface.y - previews[i].y
    guard let old = previews[i].beneath, old.width == Int(width), old.height == Int(height) else {
      let canvas = Canvas(server, width: Int(width), height: Int(height))
      capture(canvas, surface, x: 0, y: 0, width, height)
      if let old = previews[i].beneath {
        // The window itself was on that picture: put what it covers in its place.
        XCopyArea(
          server.display, old.pixmap, canvas.pixmap, gc, 0, 0, UInt32(old.width), UInt32(old.height), -dx, -dy)
        old.free(server)
      }
      previews[i].beneath = canvas
      return
    }
    guard dx != 0 || dy != 0 else { return }
    guard abs(dx) < width, abs(dy) < height else { return capture(old, surface, x: 0, y: 0, width, height) }
    XCopyArea(
      server.display, old.pixmap, old.pixmap, gc, max(0, dx), max(0, dy), UInt32(width - abs(dx)),
      UInt32(height - abs(dy)), max(0, -dx), max(0, -dy))
    if dx != 0 { capture(old, surface, x: dx > 0 ? width - dx : 0, y: 0, abs(dx), height) }
    if dy != 0 { capture(old, surface, x: 0, y: dy > 0 ? height - dy : 0, width, abs(dy)) }
  }

  private func capture(
    _ canvas: Canvas, _ surface: Surface, x: Int32, y: Int32, _ width: Int32, _ height: Int32
  ) {
    // Through XRender, because the root has another depth.
    guard let format = XRenderFindVisualFormat(server.display, XDefaultVisual(server.display, server.screen)) else {
      return
    }
    let root = server.makePicture(server.root, format, includesInferiors: true)
    XRenderComposite(
      server.display, PictOpSrc, root, 0, canvas.picture, surface.x + x, surface.y + y, 0, 0, x, y, UInt32(width),
      UInt32(height))
    XRenderFreePicture(server.display, root)
  }

}
