import CarryEvdev
import CarryModel

/// Receives what fingers do.
protocol TouchReceiver: AnyObject {
  func take(_ touch: Touch)
}

/// A source of fingers. It makes a `Touch` of everything that a finger does, and the touch reaches the gestures unchanged:
///
///     node, recording ─frames─▶ ScreenSource ─┐
///     node, recording ─frames─▶ PadSource ────┼─▶ Input ─▶ gestures
///     the gate's process ─────▶ GateSource ───┘
protocol TouchSource: AnyObject {
  /// When `advance` wants to be called.
  var nextDeadline: Instant? { get }

  func advance(to now: Instant)

  /// Reads all available input, without waiting.
  func read() throws(DeviceError)

  /// The screen changed: from now on, positions map to other pixels.
  func remap(_ layout: ScreenLayout)
}

/// A source that is one device.
protocol DeviceSource: TouchSource {
  var device: DeviceID { get }

  /// Asks the device which fingers are down, because some may have come or gone unseen.
  func askForState() throws(DeviceError)
}
