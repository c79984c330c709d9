/// What kind of desktop session this is.
package enum SessionType {
  /// Why the engine is of no use in this session, nil when it may be of some.
  ///
  /// Xwayland offers an X display in Wayland sessions, but knows its own windows only, and no finger elsewhere: the
  /// engine would seem to work, and miss most of the desktop. Who names a display means it.
  package static func refusal(displayIsNamed: Bool) -> String? {
    guard isWayland, !displayIsNamed else { return nil }
    let rest = "log in to an X11 session"
    return environment("DISPLAY") == nil
      ? "this is a Wayland session, and Carry works on X11 only; \(rest)"
      : "this is a Wayland session, of which Carry would see no more than the X11 applications in Xwayland; \(rest), "
        + "or give --display if that is what you want"
  }

  /// A session that says what it is is believed; one that does not is Wayland's when it has Wayland's display and no
  /// other.
  package static var isWayland: Bool {
    switch environment("XDG_SESSION_TYPE") {
    case "wayland": true
    case "x11": false
    default: environment("WAYLAND_DISPLAY") != nil && environment("DISPLAY") == nil
    }
  }
}
