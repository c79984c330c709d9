import CX11
import CarrySystem
package import CarryModel

/// The windows that a window manager manages (EWMH), for bringing one to the front.
package final class DesktopWindows {
  /// A managed window.
  package struct Window: Equatable, Sendable {
    package var id: WindowID
    /// Where its entry is in a task bar, in screen pixels; nil where no task bar says so (_NET_WM_ICON_GEOMETRY).
    package var icon: Rect?

    package init(id: WindowID, icon: Rect?) {
      self.id = id
      self.icon = icon
    }
  }

  private let server: XServer
  private let clientList, active, iconGeometry, supported: Atom

  init(_ server: XServer) {
    self.server = server
    func atom(_ name: String) -> Atom { XInternAtom(server.display, name, 0) }
    clientList = atom("_NET_CLIENT_LIST")
    active = atom("_NET_ACTIVE_WINDOW")
    iconGeometry = atom("_NET_WM_ICON_GEOMETRY")
    supported = atom("_NET_SUPPORTED")
  }

  /// The managed windows as they are now. Waits for the server, twice whatever their number: when a drag begins, not
  /// while it moves.
  package func read() -> [Window] {
    guard server.isAlive else { return [] }
    let c = server.connection
    let any = UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue)
    let root = UInt32(truncatingIfNeeded: server.root)
    let clients = Self.words(
      c, xcb_get_property(c, 0, root, UInt32(clientList), any, 0, 4096)
    ).prefix(1024)
    let questions = clients.map { xcb_get_property(c, 0, $0, UInt32(iconGeometry), any, 0, 4) }
    return zip(clients, questions).map { id, question in
      let n = Self.words(c, question).map { Int32(bitPattern: $0) }
      let icon: Rect? =
        n.count == 4 && n[2] > 0 && n[3] > 0
        ? Rect(x: Double(n[0]), y: Double(n[1]), width: Double(n[2]), height: Double(n[3])) : nil
      return Window(id: WindowID(id), icon: icon)
    }
  }

  /// Has the window manager bring a window to the front and give it the focus, as a task bar does.
  package func activate(_ window: WindowID) {
    guard server.isAlive else { return }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = CX11.Window(window.raw)
    event.xclient.message_type = active
    event.xclient.format = 32
    // Source 2: a task bar or pager, on behalf of the user. The server's clock is CLOCK_MONOTONIC in milliseconds;
    // without a time, focus stealing prevention would only have the window ask for attention.
    event.xclient.data.l.0 = 2
    event.xclient.data.l.1 = CLong(UInt32(truncatingIfNeeded: now()))
    XSendEvent(server.display, server.root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
  }

  private func now() -> Int64 { MonotonicClock.now().microseconds / 1000 }

  private static func words(_ c: OpaquePointer, _ cookie: xcb_get_property_cookie_t) -> [UInt32] {
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard let reply = xcb_get_property_reply(c, cookie, &error) else {
      cx11_free(error)
      return []
    }
    defer { cx11_free(reply) }
    guard reply.pointee.format == 32 else { return [] }
    let bytes = UnsafeRawBufferPointer(
      start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply)))
    return (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
  }
}
