import CarryEvdev
import CarryModel

/// Receives the touches of fingers.
protocol TouchReceiver: AnyObject {
  func handle(_ touch: Touch)
}

/// A source of fingers. It makes a `Touch` of every event of a finger, and the touch reaches the gestures unchanged:
///
///     node, recording ─frames─▶ ScreenSource ─┐
///     node, recording ─frames─▶ PadSource ────┼─▶ Input ─▶ gestures
///     the gate's process ─────▶ GateSource ───┘
protocol TouchSource: AnyObject {
  /// When `advance` has to be called.
  var nextDeadline: Instant? { get }

  func advance(to now: Instant)

  /// Reads all available input, without waiting.
  func read() throws(DeviceError)

  /// Adapts to a changed screen: from now on, positions map to other pixels.
  func remap(_ layout: ScreenLayout)
}

/// A source that is one device.
protocol DeviceSource: TouchSource {
  var device: DeviceID { get }

  /// Queries which fingers are down on the device, because some may have come or gone unseen.
  func askForState() throws(DeviceError)
}
