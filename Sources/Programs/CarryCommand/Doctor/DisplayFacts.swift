import CX11
package import CarryModel
import CarrySystem
import CarryX

/// Facts about an X display and its engine.
package struct DisplayFacts: Equatable, Sendable {
  /// For example `:0`.
  package var name: String
  /// Nil without the XInput extension.
  package var inputVersion: Version?
  package var hasTouchscreen = false
  package var isComposited = false
  /// Whether a program may press the mouse button: the extension XTEST.
  package var canPress = false
  /// Whether the X server is Xwayland, which shows its windows in a Wayland session.
  package var isXwayland = false
  /// Whether an engine serves this display.
  package var hasEngine = false
  /// The engine's published status; nil if there is none that this program understands.
  package var engine: EngineStatus?

  /// A version of XInput.
  package struct Version: Equatable, Sendable {
    package var major: Int
    package var minor: Int
    package init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }
    /// Whether touches can be withheld from applications: from XInput 2.2 on.
    package var canHoldTouches: Bool { (major, minor) >= (2, 2) }
  }

  package init(name: String) { self.name = name }

  /// The name of the display that `read` queries; empty if none.
  static var defaultName: String { XDisplayName(nil).map { SafeText.displayable(String(cString: $0)) } ?? "" }

  /// Queries the display of `$DISPLAY`; nil if there is none.
  static func read() -> DisplayFacts? {
    guard let display = XOpenDisplay(nil) else { return nil }
    defer { XCloseDisplay(display) }
    // The engine's window may be destroyed between two requests; Xlib's default error handler would then end the
    // process.
    _ = XSetErrorHandler { _, _ in 0 }
    var facts = DisplayFacts(name: defaultName)
    let screen = XDefaultScreen(display)
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    if XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0 {
      var (major, minor): (CInt, CInt) = (2, 4)
      if XIQueryVersion(display, &major, &minor) == Success { facts.inputVersion = Version(Int(major), Int(minor)) }
      facts.hasTouchscreen = findsTouchscreen(display)
    }
    facts.canPress = XQueryExtension(display, "XTEST", &opcode, &event, &error) != 0
    facts.isXwayland =
      XQueryExtension(display, "XWAYLAND", &opcode, &event, &error) != 0
    facts.isComposited = XGetSelectionOwner(display, XInternAtom(display, "_NET_WM_CM_S\(screen)", 0)) != 0
    let engine = XGetSelectionOwner(display, XInternAtom(display, EngineStatus.selection(screen: screen), 0))
    facts.hasEngine = engine != 0
    if engine != 0 { facts.engine = EngineStatus(of: engine, on: display) }
    return facts
  }

  private static func findsTouchscreen(_ display: OpaquePointer) -> Bool {
    var count: CInt = 0
    guard let devices = XIQueryDevice(display, XIAllDevices, &count) else { return false }
    defer { XIFreeDeviceInfo(devices) }
    for i in 0..<Int(max(0, count)) where devices[i].use == XISlavePointer {
      for c in 0..<Int(max(0, devices[i].num_classes)) {
        guard let info = devices[i].classes[c], info.pointee.type == XITouchClass else { continue }
        let isDirect = info.withMemoryRebound(to: XITouchClassInfo.self, capacity: 1) {
          $0.pointee.mode == XIDirectTouch
        }
        if isDirect { return true }
      }
    }
    return false
  }
}
