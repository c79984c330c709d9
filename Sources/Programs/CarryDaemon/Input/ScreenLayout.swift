import CarryDisplay
import CarryModel

/// The properties of the screen that determine where fingers are on it.
struct ScreenLayout: Equatable {
  /// Pixels.
  var size = Size.zero
  /// Screen pixels per pixel at 96 dpi.
  var scale = 1.0
  /// The size of the output; nil if there are several outputs.
  var outputMillimetres: Size?
  /// The touchscreens that the X server has.
  var touchDevices: [TouchDevice] = []

  var rect: Rect { Rect(origin: .zero, size: size) }
}

extension ScreenLayout {
  init(_ display: Display) {
    self.init(
      size: display.rootSize, scale: display.dotsPerInch / 96,
      outputMillimetres: display.outputs.count == 1 ? display.outputs[0].millimetres : nil,
      touchDevices: display.touchDevices)
  }
}
