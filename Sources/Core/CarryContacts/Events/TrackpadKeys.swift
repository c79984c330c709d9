/// The keys of a trackpad that matter to gestures, as they are at the end of a frame.
package struct TrackpadKeys: Equatable, Sendable {
  /// BTN_LEFT: the pad itself is pressed down, or a button beside it.
  package var isButtonDown = false
  /// The number of fingers according to BTN_TOOL_FINGER and its relatives; 0 if no such key is set. A pad may detect
  /// more fingers than it can locate.
  package var fingerCount = 0

  package init(isButtonDown: Bool = false, fingerCount: Int = 0) {
    self.isButtonDown = isButtonDown
    self.fingerCount = max(0, min(5, fingerCount))
  }

  /// The number of fingers that each tool key means.
  package static let tools: [(code: UInt16, fingers: Int)] = [
    (Evdev.btnToolFinger, 1), (Evdev.btnToolDoubleTap, 2), (Evdev.btnToolTripleTap, 3), (Evdev.btnToolQuadTap, 4),
    (Evdev.btnToolQuintTap, 5),
  ]

  /// Handles a key event.
  mutating func set(_ code: UInt16, _ value: Int32) {
    if code == Evdev.btnLeft {
      isButtonDown = value != 0
    } else if let tool = Self.tools.first(where: { $0.code == code }) {
      // One key goes up and another key down in the same frame, in either order.
      if value != 0 { fingerCount = tool.fingers } else if fingerCount == tool.fingers { fingerCount = 0 }
    }
  }
}
