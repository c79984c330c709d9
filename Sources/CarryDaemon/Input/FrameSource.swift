import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings

/// One device's frames: from its node, or from a recording that plays as if it were a device.
protocol FrameSource: AnyObject {
  /// What positions in the frames are positions of.
  var description: DeviceDescription { get }

  /// When the next frame is due; nil for a node, whose descriptor tells when there is something to read.
  var nextTime: Instant? { get }

  /// Calls `body` with each frame that is due.
  func advance(to now: Instant, _ body: (ContactFrame) -> Void)

  /// Calls `body` with each frame that has come by itself. Never waits.
  func readFrames(_ body: (ContactFrame) -> Void) throws(DeviceError)

  /// Calls `body` with what has changed while nobody was told.
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
