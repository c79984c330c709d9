package import CarryModel

/// One event of a device: the kernel's `struct input_event` with the time in one number.
package struct EvdevEvent: Equatable, Sendable {
  /// CLOCK_MONOTONIC for a device; the file's own time for a recording.
  package var time: Instant
  package var type: UInt16
  package var code: UInt16
  package var value: Int32

  package init(time: Instant, type: UInt16, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }
}
