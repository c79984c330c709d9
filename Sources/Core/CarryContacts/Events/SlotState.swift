/// The true state of one slot, from the kernel (EVIOCGMTSLOTS).
package struct SlotState: Equatable, Sendable {
  /// Negative if there is no contact.
  package var trackingID: Int32
  /// Device units.
  package var x: Int32
  package var y: Int32
  package var pressure: Int32
  package var touchMajor: Int32
  /// An ABS_MT_TOOL_TYPE value.
  package var tool: Int32
  /// Above 0 if the contact hovers.
  package var distance: Int32

  package init(
    trackingID: Int32, x: Int32, y: Int32, pressure: Int32 = 0, touchMajor: Int32 = 0, tool: Int32 = 0,
    distance: Int32 = 0
  ) {
    self.trackingID = trackingID
    self.x = x
    self.y = y
    self.pressure = pressure
    self.touchMajor = touchMajor
    self.tool = tool
    self.distance = distance
  }
}

/// The tracker's record of one slot: the kernel's values, and the contact that was reported.
struct TrackedSlot: Equatable {
  static let none: UInt32 = 0

  var trackingID: Int32 = -1
  var x: Int32 = 0
  var y: Int32 = 0
  var pressure: Int32 = 0
  var touchMajor: Int32 = 0
  var tool: Int32 = 0
  var distance: Int32 = 0
  /// The raw id of the reported contact; `none` while no contact has been reported.
  var contact = TrackedSlot.none
  /// Whether the tracking id ended or changed since the last frame. The live contact then ended at `endX`, `endY`.
  var ended = false
  var endX: Int32 = 0
  var endY: Int32 = 0
  /// Whether the contact is a palm, or was down before the device was opened. It is not reported until its tracking
  /// id ends.
  var ignored = false
  /// Whether a contact touches but could not begin, because it has no position yet.
  var waiting = false
  var hasX = false
  var hasY = false

  /// Whether there is a contact to report.
  var touches: Bool { trackingID >= 0 && distance <= 0 && !ignored }

  /// Sets a new kernel id, or -1. The same id again has no effect.
  mutating func setTrackingID(_ id: Int32) {
    if id == trackingID || (id < 0 && trackingID < 0) { return }
    if contact != TrackedSlot.none, !ended {
      ended = true
      endX = x
      endY = y
    }
    trackingID = id < 0 ? -1 : id
    ignored = false
  }
}
