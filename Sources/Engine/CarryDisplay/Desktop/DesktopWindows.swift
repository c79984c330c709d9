import CarryX
import CX11
import CarrySystem
package import CarryModel

/// The windows that a window manager manages (EWMH), for raising one of them.
package final class DesktopWindows {
  /// More windows than anyone has open. The rest of a longer list is ignored.
  private static let most = 256

  private let server: XServer
  private let clientList, active, iconGeometry, check, type, dock, desktop, state, above, below, transientFor: Atom

  init(_ server: XServer) {
    self.server = server
    func atom(_ name: String) -> Atom { XInternAtom(server.display, name, 0) }
    clientList = atom("_NET_CLIENT_LIST")
    active = atom("_NET_ACTIVE_WINDOW")
    iconGeometry = atom("_NET_WM_ICON_GEOMETRY")
    check = atom("_NET_SUPPORTING_WM_CHECK")
    type = atom("_NET_WM_WINDOW_TYPE")
    dock = atom("_NET_WM_WINDOW_TYPE_DOCK")
    desktop = atom("_NET_WM_WINDOW_TYPE_DESKTOP")
    state = atom("_NET_WM_STATE")
    above = atom("_NET_WM_STATE_ABOVE")
    below = atom("_NET_WM_STATE_BELOW")
    transientFor = atom("WM_TRANSIENT_FOR")
  }

  /// The managed windows as they are now; empty if no window manager runs. Waits for the server twice, however many
  /// windows there are: call it when a finger rests, not while it moves.
  package func read() -> [DesktopWindow] {
    guard server.isAlive else { return [] }
    let root = UInt32(truncatingIfNeeded: server.root)
    let manager = ask(root, check, 1)
    let list = ask(root, clientList, Self.most)
    let checkWindow = words(manager).first
    var known: Set<UInt32> = []
    let clients = words(list).filter { known.insert($0).inserted }
    guard let checkWindow else { return [] }
    // A dead window manager leaves its list behind, but its check window is gone. A live manager's check window names
    // itself.
    let isThere = ask(checkWindow, check, 1)
    let questions = clients.map {
      (ask($0, iconGeometry, 4), ask($0, type, 8), ask($0, state, 16), ask($0, transientFor, 1))
    }
    let windows = zip(clients, questions).map { id, q in window(id, q.0, q.1, q.2, q.3) }
    return words(isThere).first == checkWindow ? windows : []
  }

  private func window(
    _ id: UInt32, _ icon: xcb_get_property_cookie_t, _ types: xcb_get_property_cookie_t,
    _ states: xcb_get_property_cookie_t, _ owner: xcb_get_property_cookie_t
  ) -> DesktopWindow {
    let n = words(icon).map { Int32(bitPattern: $0) }
    let types = words(types).map { Atom($0) }
    let states = words(states).map { Atom($0) }
    return DesktopWindow(
      id: WindowID(id),
      // A window may have several types: dock takes precedence over desktop, and all other types are ordinary here.
      kind: types.contains(dock) ? .dock : types.contains(desktop) ? .desktop : .normal,
      icon: n.count == 4 && n[2] > 0 && n[3] > 0
        ? Rect(x: Double(n[0]), y: Double(n[1]), width: Double(n[2]), height: Double(n[3])) : nil,
      layer: states.contains(above) ? 1 : states.contains(below) ? -1 : 0,
      transientFor: words(owner).first.flatMap { $0 == 0 ? nil : WindowID($0) })
  }

  private func ask(_ window: UInt32, _ property: Atom, _ most: Int) -> xcb_get_property_cookie_t {
    XProperty.ask(server.connection, window, property, most: most)
  }

  /// Asks the window manager to raise a window and focus it, as a task bar does.
  package func activate(_ window: WindowID) {
    guard server.isAlive else { return }
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = CX11.Window(window.raw)
    event.xclient.message_type = active
    event.xclient.format = 32
    // Source 2: a task bar or pager, on behalf of the user. The server's clock is CLOCK_MONOTONIC in milliseconds;
    // without a time, focus stealing prevention would only make the window ask for attention.
    event.xclient.data.l.0 = 2
    event.xclient.data.l.1 = CLong(UInt32(truncatingIfNeeded: now()))
    XSendEvent(server.display, server.root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
  }

  private func now() -> Int64 { MonotonicClock.now().microseconds / 1000 }

  /// A property's 32-bit values; none if it is not set, has another type, or the window is gone.
  private func words(_ cookie: xcb_get_property_cookie_t) -> [UInt32] {
    XProperty.words(server.connection, cookie)
  }
}
