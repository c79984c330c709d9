/// What happened to one finger: made where fingers come from, and the same value on its whole way to the gestures.
package struct Touch: Equatable, Sendable {
  package enum Phase: UInt8, Sendable {
    case began
    case moved
    case ended
    /// The device found out that it was no finger (a palm), or the device went away.
    case cancelled
  }

  package var id: ContactID
  package var phase: Phase
  /// Screen pixels.
  package var point: Point
  /// Screen pixels per pixel at 96 dpi.
  package var scale: Double
  /// What the finger is on.
  package var device: DeviceID
  package var time: Instant
  /// Whether it is the finger that a trackpad makes at the pointer: when that goes up it cannot come back as another
  /// contact.
  package var isPointer: Bool

  /// So many are known at a time at the most, whatever devices and other programs make of their fingers.
  package static let most = 128

  package init(
    id: ContactID, phase: Phase, point: Point, scale: Double = 1, device: DeviceID = .unknown, time: Instant,
    isPointer: Bool = false
  ) {
    self.id = id
    self.phase = phase
    self.point = point
    self.scale = scale
    self.device = device
    self.time = time
    self.isPointer = isPointer
  }
}
