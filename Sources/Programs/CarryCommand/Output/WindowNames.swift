import CX11
import CarryModel
import CarrySystem

/// The titles and places of windows, for words about them.
final class WindowNames {
  private let display: OpaquePointer?
  private var known: [UInt32: String] = [:]

  init() {
    display = XOpenDisplay(nil)
    // Windows vanish at any moment; Xlib's default error handler would end the process.
    if display != nil { _ = XSetErrorHandler { _, _ in 0 } }
  }

  deinit { if let display { XCloseDisplay(display) } }

  /// The title of the window, or of the first window around it that has one; its number without any.
  func name(of window: UInt32) -> String {
    if let name = known[window] { return name }
    let name = title(of: window).map { "'\(SafeText.displayable($0))'" } ?? "window 0x\(String(window, radix: 16))"
    known[window] = name
    return name
  }

  /// Where the window is on the screen, in pixels; nil if it is gone.
  func place(of window: UInt32) -> CarryModel.Rect? {
    guard let display else { return nil }
    var (root, child): (XID, XID) = (0, 0)
    var (x, y, width, height, border, depth): (CInt, CInt, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0, 0)
    guard XGetGeometry(display, XID(window), &root, &x, &y, &width, &height, &border, &depth) != 0,
      XTranslateCoordinates(display, XID(window), root, 0, 0, &x, &y, &child) != 0
    else { return nil }
    return CarryModel.Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  private func title(of window: UInt32) -> String? {
    guard let display else { return nil }
    var next = XID(window)
    for _ in 0..<WindowTree.maxDepth {
      var name: UnsafeMutablePointer<CChar>?
      if XFetchName(display, next, &name) != 0, let name {
        defer { XFree(name) }
        if name.pointee != 0 { return String(cString: name) }
      }
      var (root, parent): (XID, XID) = (0, 0)
      var children: UnsafeMutablePointer<XID>?
      var count: UInt32 = 0
      guard XQueryTree(display, next, &root, &parent, &children, &count) != 0 else { return nil }
      if let children { XFree(children) }
      guard parent != 0, parent != root else { return nil }
      next = parent
    }
    return nil
  }
}
