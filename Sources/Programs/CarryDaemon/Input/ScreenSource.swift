import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryModel

/// A touchscreen: each contact is a finger at the point of contact.
final class ScreenSource: DeviceSource {
  let device: DeviceID
  private let frames: any FrameSource
  private unowned let receiver: any TouchReceiver
  /// The touchscreen's node, which the X server may read as well; nil for a recording.
  private let node: String?
  /// libinput's calibration matrix from udev.
  private let calibration: Transform
  private var mapping: ScreenMapping

  init(
    _ frames: any FrameSource, _ device: DeviceID, node: String? = nil, calibration: Transform = .identity,
    _ layout: ScreenLayout, _ receiver: any TouchReceiver
  ) {
    (self.frames, self.device, self.node, self.calibration) = (frames, device, node, calibration)
    self.receiver = receiver
    mapping = Self.mapping(frames.description, node, calibration, layout)
  }

  var nextDeadline: Instant? { frames.nextTime }

  func advance(to now: Instant) { frames.advance(to: now) { deliver($0) } }

  func read() throws(DeviceError) { try frames.readFrames { deliver($0) } }

  func askForState() throws(DeviceError) { try frames.askForState { deliver($0) } }

  func remap(_ layout: ScreenLayout) { mapping = Self.mapping(frames.description, node, calibration, layout) }

  private func deliver(_ frame: ContactFrame) {
    for contact in frame.contacts {
      receiver.handle(
        Touch(
          id: contact.id, phase: contact.phase, point: mapping.point(x: contact.x, y: contact.y),
          scale: mapping.scale, device: device, time: frame.time))
    }
  }

  private static func mapping(
    _ description: DeviceDescription, _ node: String?, _ calibration: Transform, _ layout: ScreenLayout
  ) -> ScreenMapping {
    // The X server may read the same node, and map it to one of several outputs, or rotate it.
    let same = layout.touchDevices.first { $0.node != nil && $0.node == node }
    return ScreenMapping(
      description, screen: layout.rect, calibration: calibration,
      coordinateTransformation: same?.transformation ?? .identity, outputMillimetres: layout.outputMillimetres)
  }
}
