import CX11
import CarryModel
import CarryX

/// The one X connection, with the state that all parts of the display share.
final class XServer {
  let display: OpaquePointer
  let connection: OpaquePointer
  let screen: CInt
  let root: CX11.Window
  /// A visual with an alpha channel.
  let visual: UnsafeMutablePointer<Visual>
  let colormap: Colormap
  let argb: UnsafeMutablePointer<XRenderPictFormat>
  let alpha: UnsafeMutablePointer<XRenderPictFormat>
  let bitmap: UnsafeMutablePointer<XRenderPictFormat>
  let atoms: Atoms
  private let resourceBase: UInt32
  private let resourceMask: UInt32
  /// How much the server has been asked to draw since the last fence was sent, in pixels.
  var work = 0
  /// The minimum cost of a frame, in pixels.
  static let leastWork = 4096
  /// How much may be requested before a fence is sent: some milliseconds of work for a server that draws without
  /// hardware.
  private static let maxWork = 1 << 20
  /// The number of the request that the server reports once it has drawn everything that was requested before.
  private var fence: UInt?
  /// The window whose property changes with each fence; created with the first.
  private var fenceWindow: CX11.Window?
  /// False once the X server is gone: no more Xlib calls are made then.
  private(set) var isAlive = true

  init(name: String?) throws(DisplayError) {
    XErrors.install()
    guard let display = XOpenDisplay(name) else {
      throw .cannotOpen(name: name ?? XDisplayName(nil).map { String(cString: $0) } ?? "")
    }
    guard let connection = XGetXCBConnection(display), let setup = xcb_get_setup(connection) else {
      XInput.close(display)
      throw .cannotOpen(name: name ?? "")
    }
    screen = XDefaultScreen(display)
    root = XRootWindow(display, screen)
    var info = XVisualInfo()
    guard XMatchVisualInfo(display, screen, 32, TrueColor, &info) != 0, let visual = info.visual else {
      XInput.close(display)
      throw .noAlphaVisual
    }
    guard let argb = XRenderFindStandardFormat(display, PictStandardARGB32),
      let alpha = XRenderFindStandardFormat(display, PictStandardA8),
      let bitmap = XRenderFindStandardFormat(display, PictStandardA1)
    else {
      XInput.close(display)
      throw .missingExtension("RENDER")
    }
    self.display = display
    self.connection = connection
    self.visual = visual
    self.argb = argb
    self.alpha = alpha
    self.bitmap = bitmap
    resourceBase = setup.pointee.resource_id_base
    resourceMask = setup.pointee.resource_id_mask
    atoms = Atoms(display, screen: screen)
    colormap = XCreateColormap(display, root, visual, AllocNone)
    // Without this, libX11 ends the process when the X server dies.
    XSetIOErrorExitHandler(
      display, { _, me in if let me { Unmanaged<XServer>.fromOpaque(me).takeUnretainedValue().isAlive = false } },
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    // With a dead server this only frees memory.
    XErrors.forget(display)
    XInput.close(display)
  }

  /// Whether the server, as far as its events have been read, still has to draw. More requests would only queue up at
  /// the server, and this process would then wait for the socket. Costs no system call.
  func isBusy() -> Bool {
    guard isAlive, let asked = fence else { return false }
    // Events come in the order of the requests, so any later one confirms the fence as well.
    guard XLastKnownRequestProcessed(display) >= asked else { return true }
    fence = nil
    return false
  }

  /// Asks the server to report when everything is drawn, if that is much; flush afterwards.
  ///
  /// A request through XCB would take the socket from Xlib and return it: two more writes, and a reply to poll for. A
  /// change of a property of our own window is sent with the drawing, and its event arrives with all others.
  func askWhenDone() {
    guard isAlive, fence == nil, work >= Self.maxWork else { return }
    work = 0
    XChangeProperty(
      display, fenceWindow ?? makeFenceWindow(), atoms.windowName, Atom(XA_STRING), 8, PropModeReplace, nil, 0)
    // The last request, and not the next one before it: only now has Xlib counted the requests made through XCB.
    fence = XNextRequest(display) - 1
  }

  private func makeFenceWindow() -> CX11.Window {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    attributes.event_mask = PropertyChangeMask
    let window = XCreateWindow(
      display, root, -1, -1, 1, 1, 0, 0, UInt32(InputOnly), nil, UInt(CWOverrideRedirect | CWEventMask), &attributes)
    fenceWindow = window
    return window
  }

  /// Whether the X server made the window itself, as it does for a compositing manager's overlay.
  func isServers(_ id: UInt32) -> Bool { id & ~resourceMask == 0 }

  /// Whether this connection created the window.
  func isOurs(_ id: UInt32) -> Bool { id & ~resourceMask == resourceBase }

  /// Whether one X client created both windows.
  func haveOneMaker(_ a: UInt32, _ b: UInt32) -> Bool { a & ~resourceMask == b & ~resourceMask }

  func makePixmap(_ width: Int, _ height: Int, depth: UInt32 = 32) -> Pixmap {
    XCreatePixmap(display, root, UInt32(max(1, width)), UInt32(max(1, height)), depth)
  }

  func makePicture(
    _ drawable: Drawable, _ format: UnsafeMutablePointer<XRenderPictFormat>, repeats: Bool = false,
    includesInferiors: Bool = false
  ) -> Picture {
    var attributes = XRenderPictureAttributes()
    var mask: CInt = 0
    if repeats {
      attributes.repeat = RepeatNormal
      mask |= CPRepeat
    }
    if includesInferiors {
      attributes.subwindow_mode = IncludeInferiors
      mask |= CPSubwindowMode
    }
    return XRenderCreatePicture(display, drawable, format, UInt(mask), &attributes)
  }
}

/// The atoms in use, requested in one round trip.
struct Atoms {
  let windowType: Atom
  let windowTypeDND: Atom
  let windowTypeNotification: Atom
  let bypassCompositor: Atom
  let compositor: Atom
  let windowName: Atom
  let utf8: Atom

  init(_ display: OpaquePointer, screen: CInt) {
    let names = [
      "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DND", "_NET_WM_BYPASS_COMPOSITOR", "_NET_WM_CM_S\(screen)",
      "_NET_WM_NAME", "UTF8_STRING", "_NET_WM_WINDOW_TYPE_NOTIFICATION",
    ]
    var pointers = names.map { $0.withCString { strdup($0) } }
    defer { for p in pointers { cx11_free(p) } }
    var atoms = [Atom](repeating: 0, count: names.count)
    XInternAtoms(display, &pointers, CInt(names.count), 0, &atoms)
    windowType = atoms[0]
    windowTypeDND = atoms[1]
    bypassCompositor = atoms[2]
    compositor = atoms[3]
    windowName = atoms[4]
    utf8 = atoms[5]
    windowTypeNotification = atoms[6]
  }
}
