import Carry
import CarryModel
import CarryTesting

/// What tests of previews play: windows of 300 × 300 pixels, a finger, and colours on the screen.
protocol PreviewScenes {}

extension PreviewScenes {
  typealias Color = Screenshot.Color
  typealias Player = DesktopTests.Player

  static var red: Color { Color(255, 0, 0) }
  static var green: Color { Color(0, 200, 0) }
  /// All of a window that `place` makes.
  static var whole: Carry.Rect { Carry.Rect(x: 0, y: 0, width: 300, height: 300) }

  func place(_ d: Desktop, _ x: Double, _ color: UInt32) -> CarryModel.WindowID {
    let id = d.client.makeWindow(CarryModel.Rect(x: x, y: 250, width: 300, height: 300), color: color)
    d.client.sync()
    return id
  }

  /// Whether a colour, seen through a stack of 85 %, is at a point.
  func shows(_ d: Desktop, _ x: Int, _ y: Int, _ color: Color, within distance: Int = 70) -> Bool {
    d.client.screenshot().map { $0[x, y].distance(to: color) < distance } ?? false
  }

  /// A drag from the left window, and a tap in a corner long after it.
  func script(to x: Int, _ y: Int, releasedAt end: Int) -> FingerScript {
    var s = Traces.screen
    s.carry(from: (200, 400), at: 0, .to(x, y, 2500...2800), upAt: end)
    // After the flight, however slow.
    s.tap(1270, 10, at: end + 3000, lasting: 100)
    return s
  }
}
