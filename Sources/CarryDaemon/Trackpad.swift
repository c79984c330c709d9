import CarryDisplay
import CarryGestures

/// One trackpad that is read, or a recording of one.
final class Trackpad {
  var recognizer: TrackpadRecognizer
  /// Screen pixels per pixel at 96 dpi.
  var scale: Double

  init(_ recognizer: TrackpadRecognizer, scale: Double) {
    self.recognizer = recognizer
    self.scale = scale
  }
}
