/// One event of a finger. The source of the finger creates this value, and it reaches the gestures unchanged.
package struct Touch: Equatable, Sendable {
  package enum Phase: UInt8, Sendable {
    case began
    case moved
    case ended
    /// The device found that the contact was no finger (a palm), or the device was removed.
    case cancelled
  }

  package var id: ContactID
  package var phase: Phase
  /// Screen pixels.
  package var point: Point
  /// Screen pixels per pixel at 96 dpi.
  package var scale: Double
  /// The device that the finger touches.
  package var device: DeviceID
  package var time: Instant
  /// What touches.
  package var tool: Tool

  /// What touches the screen, or acts as a finger at the pointer.
  package enum Tool: UInt8, Sendable {
    case finger
    /// A trackpad's virtual finger.
    case trackpad
    /// The mouse with its button down. It lifts by moving or by holding, and never taps.
    case mouse
    /// A tablet's pen. It lifts by holding, and never taps, because applications draw and select with it.
    case pen
    /// A click that adds an item to a session, as a finger's tap does.
    case addingClick
  }

  /// Whether this is a virtual finger at the pointer. When a virtual finger goes up, it cannot come back as another
  /// contact.
  package var isPointer: Bool { tool != .finger }

  /// Maximum number of fingers at a time, whatever devices and other programs report.
  package static let most = 128

  package init(
    id: ContactID, phase: Phase, point: Point, scale: Double = 1, device: DeviceID = .unknown, time: Instant,
    tool: Tool = .finger
  ) {
    self.id = id
    self.phase = phase
    self.point = point
    self.scale = scale
    self.device = device
    self.time = time
    self.tool = tool
  }
}
