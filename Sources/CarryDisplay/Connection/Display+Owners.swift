import CX11
package import CarryModel

/// Who made a window, and who may use it.
extension Display {
  /// Whether a client may use a window; nil while the X server is being asked. This never waits: call it again at the next
  /// `.windowsLookedUp`. It also finds a window that the client has just made.
  package func standing(of window: WindowID) -> WindowStanding? {
    server.isAlive ? mirror.standing(of: window) : .unseen
  }

  /// The process that made a window, as the X server knows it; nil when it cannot be known, such as over a network.
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
