import CX11
import CarryModel
import CarrySystem
import CarryX

/// The window of `carry drag` and `carry drop`: one picture, drawn again when it changes, and a close button.
final class ToolWindow {
  private let display: OpaquePointer
  private let closeAtom: Atom
  let window: UInt32
  private(set) var width: Int
  private(set) var height: Int
  private let draw: (OpaquePointer, Double, Double) -> Void
  /// The pixels of a point.
  private let scale: Double
  var onClosed: () -> Void = {}
  var onResized: () -> Void = {}
  var onKey: (Key) -> Void = { _ in }

  /// The keys that tools know.
  enum Key { case copy, paste, enter, escape }

  var fileDescriptor: CInt { XConnectionNumber(display) }

  /// Opens and maps a window, and waits until the server has handled these requests.
  ///
  /// - Parameter draw: draws the whole picture with cairo, given the size in points.
  init(title: String, geometry: Geometry, draw: @escaping (OpaquePointer, Double, Double) -> Void) throws(Problem) {
    guard let display = XOpenDisplay(nil) else {
      let name = environment("DISPLAY").map { "display \(SafeText.displayable($0))" } ?? "a display: DISPLAY is not set"
      throw Problem("cannot open \(name); start an X server, or set DISPLAY")
    }
    self.display = display
    self.draw = draw
    scale = max(1, DesktopScale.read(display))
    // The user's own numbers are pixels.
    let size = geometry.isStandard ? scale : 1
    width = Int(Double(geometry.width) * size)
    height = Int(Double(geometry.height) * size)
    let screen = XDefaultScreen(display)
    let x = geometry.x ?? (Int(XDisplayWidth(display, screen)) - width) / 2
    let y = geometry.y ?? (Int(XDisplayHeight(display, screen)) - height) / 2
    let id = XCreateSimpleWindow(
      display, XRootWindow(display, screen), CInt(clamping: x), CInt(clamping: y), CUnsignedInt(width),
      CUnsignedInt(height), 0, 0, XWhitePixel(display, screen))
    window = UInt32(truncatingIfNeeded: id)
    XStoreName(display, id, title)
    // Window managers' rules go by the class.
    let name = strdup(title.replacing(" ", with: "-"))
    defer { free(name) }
    var hint = XClassHint(res_name: name, res_class: name)
    XSetClassHint(display, id, &hint)
    closeAtom = XInternAtom(display, "WM_DELETE_WINDOW", 0)
    var atom = closeAtom
    XSetWMProtocols(display, id, &atom, 1)
    var hints = XSizeHints()
    hints.flags = geometry.x == nil ? Int(PSize) : Int(USPosition | USSize)
    hints.x = CInt(clamping: x)
    hints.y = CInt(clamping: y)
    hints.width = CInt(width)
    hints.height = CInt(height)
    XSetWMNormalHints(display, id, &hints)
    XSelectInput(display, id, StructureNotifyMask | KeyPressMask)
    redraw()
    XMapWindow(display, id)
    XSync(display, 0)
  }

  deinit { XCloseDisplay(display) }

  /// Draws the picture into the window's background. From then on the server repaints it by itself.
  func redraw() {
    let id = CX11.Window(window)
    let screen = XDefaultScreen(display)
    let pixmap = XCreatePixmap(
      display, id, CUnsignedInt(width), CUnsignedInt(height), CUnsignedInt(XDefaultDepth(display, screen)))
    let surface = cairo_xlib_surface_create(
      display, pixmap, XDefaultVisual(display, screen), CInt(width), CInt(height))
    let context = cairo_create(surface)
    cairo_scale(context, scale, scale)
    if let context { draw(context, Double(width) / scale, Double(height) / scale) }
    cairo_destroy(context)
    cairo_surface_destroy(surface)
    XSetWindowBackgroundPixmap(display, id, pixmap)
    XFreePixmap(display, pixmap)
    XClearWindow(display, id)
    XFlush(display)
  }

  /// Whether drawing has read events, for which the descriptor does not become readable any more.
  var hasReadAhead: Bool { XEventsQueued(display, CInt(QueuedAlready)) > 0 }

  /// Handles what the server has sent, without waiting.
  func dispatch() {
    var event = XEvent()
    var resized = false
    while XPending(display) > 0 {
      XNextEvent(display, &event)
      switch event.type {
      case ConfigureNotify:
        let e = event.xconfigure
        if Int(e.width) != width || Int(e.height) != height {
          width = max(1, Int(e.width))
          height = max(1, Int(e.height))
          resized = true
        }
      case KeyPress where event.xkey.send_event == 0:
        if let key = Self.key(&event.xkey) { onKey(key) }
      case MappingNotify: XRefreshKeyboardMapping(&event.xmapping)
      case ClientMessage:
        if Atom(bitPattern: event.xclient.data.l.0) == closeAtom { onClosed() }
      default: break
      }
    }
    if resized {
      redraw()
      onResized()
    }
  }

  private static func key(_ event: inout XKeyEvent) -> Key? {
    let symbol = Int32(truncatingIfNeeded: XLookupKeysym(&event, 0))
    let hasControl = event.state & CUnsignedInt(ControlMask) != 0
    switch symbol {
    case XK_c where hasControl: return .copy
    case XK_v where hasControl: return .paste
    case XK_Return, XK_KP_Enter, XK_space: return .enter
    case XK_Escape: return .escape
    default: return nil
    }
  }
}

/// Where a tool's window goes: `WIDTHxHEIGHT+X+Y`, or `WIDTHxHEIGHT` alone.
struct Geometry: Equatable {
  var width: Int
  var height: Int
  var x: Int?
  var y: Int?

  /// Whether the user has not chosen it. Its size is then in points.
  private(set) var isStandard = false

  static let standard = Geometry(width: 300, height: 300)

  /// - Returns: nil when the text is no geometry.
  init?(_ text: String) {
    let size = text.prefix { $0 != "+" && $0 != "-" }.split(separator: "x", omittingEmptySubsequences: false)
    guard size.count == 2, let w = Int(size[0]), let h = Int(size[1]), (16...16_384).contains(w),
      (16...16_384).contains(h)
    else { return nil }
    width = w
    height = h
    var rest = text.drop { $0 != "+" && $0 != "-" }
    guard !rest.isEmpty else { return }
    var offsets: [Int] = []
    while let sign = rest.popFirst() {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard sign == "+" || sign == "-", let n = Int(digits), n <= 32_767 else { return nil }
      offsets.append(sign == "-" ? -n : n)
      rest = rest.dropFirst(digits.count)
    }
    guard offsets.count == 2 else { return nil }
    (x, y) = (offsets[0], offsets[1])
  }

  /// A size of the tool's own, in points.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    isStandard = true
  }
}
