import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings

/// The frames of one device: from its node, or from a recording that plays as if it were a device.
protocol FrameSource: AnyObject {
  /// The device that the positions in the frames refer to.
  var description: DeviceDescription { get }

  /// When the next frame is due; nil for a node, whose descriptor becomes readable instead.
  var nextTime: Instant? { get }

  /// Calls `body` with each frame that is due.
  func advance(to now: Instant, _ body: (ContactFrame) -> Void)

  /// Calls `body` with each frame that can be read now. Never waits.
  func readFrames(_ body: (ContactFrame) -> Void) throws(DeviceError)

  /// Queries the device's state, and calls `body` with the changes that it did not report.
  func askForState(_ body: (ContactFrame) -> Void) throws(DeviceError)
}

extension EvdevDevice: FrameSource {
  var nextTime: Instant? { nil }

  func advance(to now: Instant, _ body: (ContactFrame) -> Void) {}
}

extension RecordingPlayer: FrameSource {
  func readFrames(_ body: (ContactFrame) -> Void) throws(DeviceError) {}

  func askForState(_ body: (ContactFrame) -> Void) throws(DeviceError) {}
}
