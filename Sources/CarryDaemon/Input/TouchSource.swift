import CarryEvdev
import CarryModel

/// Receives what fingers do.
protocol TouchReceiver: AnyObject {
  func take(_ touch: Touch)
}

/// Something that has fingers. It makes a `Touch` of what each finger does; the touch stays what it is until the gestures
/// have it:
///
///     node, recording ─frames─▶ ScreenSource ─┐
///     node, recording ─frames─▶ PadSource ────┼─▶ Input ─▶ gestures
///     the gate's process ─────▶ GateSource ───┘
protocol TouchSource: AnyObject {
  /// When `advance` wants to be called.
  var nextDeadline: Instant? { get }

  func advance(to now: Instant)

  /// Takes in what has come by now, without waiting.
  func read() throws(DeviceError)

  /// The screen changed: positions mean other pixels from now on.
  func remap(_ layout: ScreenLayout)
}

/// A source that is one device.
protocol DeviceSource: TouchSource {
  var device: DeviceID { get }

  /// Fingers may have gone unseen: the device is asked which there are.
  func askForState() throws(DeviceError)
}
