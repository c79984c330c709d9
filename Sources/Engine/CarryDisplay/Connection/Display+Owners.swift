import CX11
package import CarryModel

/// The creators of windows, and which clients may use them.
extension Display {
  /// Whether a client may use a window; nil while the X server is being asked. Never waits: call it again at the next
  /// `.windowsLookedUp`. Also finds a window that the client has just created.
  package func standing(of window: WindowID) -> WindowStanding? {
    server.isAlive ? mirror.standing(of: window) : nil
  }

  /// The process that created a window, according to the X server; nil if unknown, for example over a network.
  ///
  /// One round trip. The corresponding C function is `XResQueryClientIds`.
  package func owner(of window: WindowID) -> CInt? {
    // Zero would mean any client.
    guard server.isAlive, window.raw != 0, window != windows.root else { return nil }
    var spec = XResClientIdSpec(client: UInt(window.raw), mask: UInt32(XRES_CLIENT_ID_PID_MASK.rawValue))
    var count: CLong = 0
    var ids: UnsafeMutablePointer<XResClientIdValue>?
    guard XResQueryClientIds(server.display, 1, &spec, &count, &ids) == Success, let ids else { return nil }
    defer { XResClientIdsDestroy(count, ids) }
    for i in 0..<max(0, count) {
      let pid = XResGetClientPid(&ids[i])
      if pid > 0 { return pid }
    }
    return nil
  }
}
