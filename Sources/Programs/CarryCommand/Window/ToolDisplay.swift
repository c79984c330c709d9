import CarryModel
import CarrySystem
import CarryWindow
import CarryX

extension Display {
  /// The display for the windows of a tool.
  static func open() throws(Problem) -> Display {
    guard let display = Display(input: .keys) else {
      let name = environment("DISPLAY").map { "display \(SafeText.displayable($0))" } ?? "a display: DISPLAY is not set"
      throw Problem("cannot open \(name); start an X server, or set DISPLAY")
    }
    display.drawsInServer = true
    display.scale = max(1, DesktopScale.read(display.connection))
    return display
  }
}

extension KeyEvent {
  /// Whether the key is this letter with control, whatever else is held.
  func isControl(_ letter: String) -> Bool { key == .text(letter) && modifiers.contains(.control) }
}
