/// The kind of desktop session.
package enum SessionType {
  /// Why the engine cannot work in this session; nil if it can.
  ///
  /// Xwayland offers an X display in Wayland sessions, but knows only its own windows, and no touches elsewhere. The
  /// engine would seem to work, but miss most of the desktop. A display named by the user is always used.
  package static func refusal(displayIsNamed: Bool) -> String? {
    guard isWayland, !displayIsNamed else { return nil }
    let rest = "log in to an X11 session"
    return environment("DISPLAY") == nil
      ? "this is a Wayland session, and Carry works on X11 only; \(rest)"
      : "this is a Wayland session, of which Carry would see no more than the X11 applications in Xwayland; \(rest), "
        + "or give --display if that is what you want"
  }

  /// Whether this is a Wayland session, as declared by its environment. An undeclared session is a Wayland session if
  /// it has a Wayland display and no other.
  package static var isWayland: Bool {
    switch environment("XDG_SESSION_TYPE") {
    case "wayland": true
    case "x11": false
    default: environment("WAYLAND_DISPLAY") != nil && environment("DISPLAY") == nil
    }
  }
}
