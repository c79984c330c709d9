package import CarryModel

/// The change of one finger in one frame.
package struct Contact: Equatable, Sendable {
  /// Contacts have the same phases as touches.
  package typealias Phase = Touch.Phase

  package enum Tool: UInt8, Sendable {
    case finger
    case pen
    /// A tool without a case here, such as a dial.
    case other
  }

  package var id: ContactID
  /// The kernel's slot; 0 for a device that reports only one touch.
  package var slot: Int
  package var phase: Phase
  /// Device units, clamped to the axis if its range is valid.
  package var x: Int32
  package var y: Int32
  package var tool: Tool
  /// Device units; 0 if the device does not report it.
  package var pressure: Int32
  package var touchMajor: Int32

  package init(
    id: ContactID, slot: Int, phase: Phase, x: Int32, y: Int32, tool: Tool = .finger, pressure: Int32 = 0,
    touchMajor: Int32 = 0
  ) {
    self.id = id
    self.slot = slot
    self.phase = phase
    self.x = x
    self.y = y
    self.tool = tool
    self.pressure = pressure
    self.touchMajor = touchMajor
  }
}

/// The contacts that changed between two SYN_REPORTs. One value is kept and refilled, so that a frame allocates no
/// memory.
package struct ContactFrame: Equatable, Sendable {
  /// Never earlier than the frame before it.
  package var time: Instant
  /// Within one slot an end comes before the beginning that replaces it.
  package var contacts: [Contact]
  /// A trackpad's keys; on other devices no key is ever pressed.
  package var keys: TrackpadKeys

  package init(time: Instant = .zero, contacts: [Contact] = [], keys: TrackpadKeys = TrackpadKeys()) {
    self.time = time
    self.contacts = contacts
    self.keys = keys
  }
}

/// Numbers for contacts, shared by all devices of a program so that no two contacts have the same number.
package final class ContactIDSource {
  private var source = IdentifierSource()

  package init() {}

  /// Makes a source whose first number follows `last`.
  package init(after last: UInt32) { source = IdentifierSource(after: last) }

  package func next() -> ContactID { ContactID(source.next()) }
}
