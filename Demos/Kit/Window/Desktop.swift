import CWindow
package import Carry
package import CarryWindow

/// The windows of other programs, as a task bar sees them: the windows that a window manager lists (EWMH), or, where no
/// window manager runs, all shown windows.
package struct Desktop {
  package struct Entry: Equatable {
    package var window: UInt32
    /// The process that made the window; 0 when the window does not say.
    package var process: Int32
    /// The program's name for itself (the instance part of WM_CLASS).
    package var program: String
  }

  private let app: App
  private var display: OpaquePointer { app.display.connection }
  private var root: XID { XDefaultRootWindow(display) }

  package init(_ app: App) { self.app = app }

  /// Watches what other programs do with their windows, and calls `onChanged`.
  package func watch(_ onChanged: @escaping () -> Void) {
    app.display.onDesktopChanged = onChanged
    XSelectInput(display, root, Int(SubstructureNotifyMask | PropertyChangeMask))
  }

  private func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }

  private func words(_ name: String, of window: XID) -> [UInt]? {
    var (type, format): (Atom, CInt) = (0, 0)
    var (count, left): (UInt, UInt) = (0, 0)
    var bytes: UnsafeMutablePointer<UInt8>?
    guard
      XGetWindowProperty(
        display, window, atom(name), 0, 1024, 0, UInt(AnyPropertyType), &type, &format, &count, &left, &bytes)
        == CInt(Success), let bytes
    else { return nil }
    defer { XFree(bytes) }
    guard format == 32 else { return nil }
    return bytes.withMemoryRebound(to: UInt.self, capacity: Int(count)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(count)))
    }
  }

  private var hasManager: Bool {
    guard let check = words("_NET_SUPPORTING_WM_CHECK", of: root)?.first else { return false }
    return words("_NET_SUPPORTING_WM_CHECK", of: check)?.first == check
  }

  /// The present windows, the oldest first or, without a window manager, the lowest first.
  package var entries: [Entry] {
    let ids: [XID] = hasManager ? words("_NET_CLIENT_LIST", of: root) ?? [] : shown
    return ids.map { id in
      var program = ""
      var hint = XClassHint()
      if XGetClassHint(display, id, &hint) != 0 {
        if let name = hint.res_name {
          program = String(cString: name)
          XFree(name)
        }
        if let name = hint.res_class { XFree(name) }
      }
      return Entry(
        window: UInt32(truncatingIfNeeded: id),
        process: Int32(truncatingIfNeeded: words("_NET_WM_PID", of: id)?.first ?? 0), program: program)
    }
  }

  private var shown: [XID] {
    var (root, parent): (XID, XID) = (0, 0)
    var list: UnsafeMutablePointer<XID>?
    var count: UInt32 = 0
    guard XQueryTree(display, self.root, &root, &parent, &list, &count) != 0, let list else { return [] }
    defer { XFree(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).filter { id in
      var a = XWindowAttributes()
      return XGetWindowAttributes(display, id, &a) != 0 && a.map_state != IsUnmapped && a.override_redirect == 0
    }
  }

  /// The ordinary window that lies above all others.
  ///
  /// - Parameter excluded: a window that does not count.
  package func front(besides excluded: UInt32?) -> UInt32? {
    let ids = hasManager ? words("_NET_CLIENT_LIST_STACKING", of: root) ?? [] : shown
    return ids.last { id in
      let types = words("_NET_WM_WINDOW_TYPE", of: id) ?? []
      return UInt32(truncatingIfNeeded: id) != excluded && words("_NET_WM_PID", of: id) != nil
        && (types.isEmpty || types.contains(atom("_NET_WM_WINDOW_TYPE_NORMAL")))
    }.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Moves and resizes a window, in pixels; a window manager puts its frame around that.
  package func place(_ window: UInt32, at rect: Rect) {
    XMoveResizeWindow(
      display, XID(window), CInt(clamping: rect.x), CInt(clamping: rect.y), UInt32(clamping: rect.width),
      UInt32(clamping: rect.height))
  }

  /// Brings a window to the front and gives it the keyboard, as a task bar does.
  package func activate(_ window: UInt32) {
    let id = XID(window)
    guard hasManager else {
      XMapRaised(display, id)
      XSetInputFocus(display, id, CInt(RevertToPointerRoot), UInt(CurrentTime))
      return
    }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = id
    event.xclient.message_type = atom("_NET_ACTIVE_WINDOW")
    event.xclient.format = 32
    // Source 2: a task bar, on behalf of the user. The server's time is the monotonic clock's, in milliseconds.
    event.xclient.data.l.0 = 2
    event.xclient.data.l.1 = CLong(UInt32(truncatingIfNeeded: Int64(Display.monotonic() * 1000)))
    XSendEvent(display, root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
  }

  /// Publishes where a window's entry lies, so that every program can tell which window a drag over the entry means.
  package func setIconPlace(_ box: Box, of dock: CarryWindow.Window, for window: UInt32) {
    let r = dock.onScreen(box)
    let values = [r.x, r.y, r.width, r.height].map { UInt(max(0, $0)) }
    guard words("_NET_WM_ICON_GEOMETRY", of: XID(window)) != values else { return }
    values.withUnsafeBytes { bytes in
      _ = XChangeProperty(
        display, XID(window), atom("_NET_WM_ICON_GEOMETRY"), XA_CARDINAL, 32, PropModeReplace,
        bytes.bindMemory(to: UInt8.self).baseAddress, 4)
    }
  }

  /// The screen's size, in units of the kit.
  package var size: (width: Double, height: Double) {
    let screen = XDefaultScreen(display)
    return (
      Double(XDisplayWidth(display, screen)) / app.scale, Double(XDisplayHeight(display, screen)) / app.scale
    )
  }
}
