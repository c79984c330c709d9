package import CarryModel

/// Fingers as text: what they do one after the other, where, and what is expected to come of it.
///
///     press "photo 1"
///     move to "Holidays" in 400ms
///     up
///     expect "Holidays" received image/png
package struct GestureScript: Equatable, Sendable {
  package enum Place: Equatable, Sendable {
    /// Pixels of the script's screen.
    case pixels(Point)
    /// A part of the screen: 0.5, 0.5 is its middle.
    case fraction(Point)
    /// A part of a region, which is found by its label or by the name of its program.
    case region(String, fraction: Point)
  }

  /// What is to be seen of the drags.
  package enum Expectation: Equatable, Sendable {
    /// A step of a drag with these properties; nil for any.
    ///
    /// - Parameter reason: part of the sentence that tells the step.
    case step(
      MonitorEvent.Kind, source: String? = nil, target: String? = nil, type: String? = nil, DropOperation? = nil,
      because: String? = nil)
    /// Nothing was dropped by the time that no drag is under way.
    case noDrop
  }

  package enum Action: Equatable, Sendable {
    case down(finger: Int, Place)
    case press(finger: Int, Place)
    case move(finger: Int, Place, duration: Interval)
    case tap(finger: Int, Place)
    case up(finger: Int)
    case cancel(finger: Int)
    case wait(Interval)
    /// Another finger takes over what the first one carries.
    case handOff(from: Int, to: Int)
    case expect(Expectation, within: Interval?)
  }

  package struct Step: Equatable, Sendable {
    /// In the file, from 1.
    package var line: Int
    /// Since the beginning of the script; nil for the end of the step before.
    package var start: Interval?
    package var action: Action
  }

  /// The screen that positions in pixels refer to.
  package var screen = Size(width: 1280, height: 800)
  package var steps: [Step] = []

  package init() {}

  /// How long a press rests before it lifts, with some time to spare.
  static let pressDuration = Interval.milliseconds(700)
  static let moveDuration = Interval.milliseconds(300)
  static let tapDuration = Interval.milliseconds(60)
  /// The time after a tap, in which it becomes none of two.
  static let tapPause = Interval.milliseconds(100)
  static let handOffDuration = Interval.milliseconds(300)
  package static let patience = Interval.seconds(5)
  /// As many as a touchscreen tells apart.
  static let fingers = 1...10
  /// As often as a common touchscreen reports.
  static let reportInterval = Interval(microseconds: 16_667)
}
