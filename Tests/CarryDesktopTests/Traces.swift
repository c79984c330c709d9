import CarryTesting

/// What most tests play.
enum Traces {
  /// The screen of the scripts in Tests/Fixtures/traces, for others.
  static var screen: FingerScript { FingerScript(width: 1280, height: 800) }

  static let pressDragDrop = Trace("press-drag-drop")
  static let twoItemsByTap = Trace("two-items-by-tap")
  static let twoAtOnce = Trace("two-at-once")
  static let tap = Trace("tap")
}
