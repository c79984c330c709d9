import CX11
import CarryModel
import CarrySystem

/// The screen that `carry play` plays on: that of `$DISPLAY`.
enum ScriptScreen {
  /// In pixels.
  static func size() throws(Problem) -> Size {
    guard let display = XOpenDisplay(nil) else {
      let name = environment("DISPLAY").map { "display \(SafeText.displayable($0))" } ?? "a display: DISPLAY is not set"
      throw Problem("cannot open \(name)", status: 3)
    }
    defer { XCloseDisplay(display) }
    let screen = XDefaultScreen(display)
    return Size(width: Double(XDisplayWidth(display, screen)), height: Double(XDisplayHeight(display, screen)))
  }
}
