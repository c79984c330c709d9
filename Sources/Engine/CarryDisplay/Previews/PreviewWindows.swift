import CX11
import CarryModel
import CarryStage
import CarrySystem

/// The preview windows on the screen: creates, moves, redraws and releases them according to the draw list.
///
/// Override-redirect windows with an alpha channel that take no input. Each has its picture as its background, so the
/// server itself repaints uncovered parts and nothing ever flickers.
final class PreviewWindows {
  struct Preview {
    var id: SurfaceID
    var window: CX11.Window
    var canvas: Canvas
    var x, y: Int32
    var content: UInt64
    var isMapped: Bool
    var isShaped = false
    /// The cards without the badge, kept while there is a badge and only the badge changes.
    var cards: Canvas?
    var cardLayers: [Layer] = []
    var cardOpacity = 0.0
    /// Where the badge was drawn last.
    var badgeBox = Rect.zero
    /// The pixels beneath, while no compositing manager blends the window.
    var beneath: Canvas?
    /// The surface alone, to be blended over the pixels beneath again with each move.
    var front: Canvas?
    /// Whether the pixels beneath have changed since they were read.
    var isStale = false

    /// In screen pixels.
    var frame: Rect {
      Rect(x: Double(x), y: Double(y), width: Double(canvas.width), height: Double(canvas.height))
    }
  }

  /// Unmapped windows kept for the next drag.
  private static let spares = 2
  /// Limits raises, because two clients that both want to be on top must not fight for ever.
  private static let raisesPerSecond = 20

  let server: XServer
  let painter: Painter
  var previews: [Preview] = []
  /// Nil if the server cannot keep the pixels that previews cover.
  let beneath: Beneath?
  private var spare: [CX11.Window] = []
  private var raises = 0
  private var raisesSince = Instant.zero
  /// For copies between pixmaps of depth 32; without exposure events, because pixmaps are never covered.
  let gc: GC?

  var isComposited = true {
    didSet { if oldValue != isComposited { switchMode() } }
  }

  init(_ server: XServer, _ images: ImageStore, _ beneath: Beneath?) {
    self.server = server
    self.beneath = beneath
    painter = Painter(server, images)
    var values = XGCValues()
    values.graphics_exposures = 0
    let pixmap = server.makePixmap(1, 1)
    gc = XCreateGC(server.display, pixmap, UInt(GCGraphicsExposures), &values)
    XFreePixmap(server.display, pixmap)
    beneath?.places = { [unowned self] in previews.map(\.frame) }
  }

  // MARK: Applying

  func apply(_ list: DrawList) {
    if !isSame(list) { reconcile(list) }
    // Windows may also have been kept for a lift that ended before it was shown.
    if list.surfaces.isEmpty { beneath?.end() }
    if !isComposited { noteWhatWasDrawn() }
    var lowestNew: Int?
    for i in previews.indices {
      let isNew = !previews[i].isMapped
      update(i, list.surfaces[i])
      if isNew, previews[i].isMapped, lowestNew == nil { lowestNew = i }
    }
    // A window comes on top when it is mapped, but other windows that belong above it already exist.
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
    for preview in old.values { release(preview) }
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
    let looks = !isComposited && (moves || resizes || previews[i].beneath == nil || previews[i].isStale)
    if looks { look(beneath: i, surface) }
    if !isComposited { noteChange(of: i, surface) }
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
    guard redraws || looks else { return }
    server.work += Int(surface.width) * Int(surface.height) * (redraws ? surface.layers.count + 2 : 1)
    // Draw all of it, unless only the badge changed.
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

  /// Draws a surface on its canvas, which still shows its previous content.
  ///
  /// - Returns: the part of the canvas that changed, in whole pixels; empty means all of it, as for XClearArea.
  func paint(_ i: Int, _ surface: Surface, on canvas: Canvas) -> Rect {
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

  /// The whole pixels that contain both boxes.
  private static func pixels(around a: Rect, _ b: Rect, within whole: Rect) -> Rect {
    let (a, b) = (a.isEmpty ? b : a, b.isEmpty ? a : b)
    let (x, y) = (min(a.x, b.x).rounded(.down), min(a.y, b.y).rounded(.down))
    let (right, bottom) = (max(a.maxX, b.maxX).rounded(.up), max(a.maxY, b.maxY).rounded(.up))
    return Rect(x: x, y: y, width: right - x, height: bottom - y).intersection(whole)
  }

  /// Keeps a copy of the cards without the badge, because only the badge changes with every frame while it pops.
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

  private func release(_ preview: Preview) {
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

  /// Raises the previews above everything again, in their order.
  func raise() {
    guard !previews.isEmpty else { return }
    let now = MonotonicClock.now()
    if now - raisesSince > .seconds(1) { (raises, raisesSince) = (0, now) }
    raises += 1
    guard raises <= Self.raisesPerSecond else { return }
    for preview in previews where preview.isMapped { XRaiseWindow(server.display, preview.window) }
  }
}
