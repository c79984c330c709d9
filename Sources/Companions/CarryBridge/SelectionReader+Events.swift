import CX11
import CarryModel
import CarrySelections

/// Forwards Xlib's events about selections.
extension SelectionReader {
  /// Handles a changed property, as reported by the X server itself.
  func handle(_ event: XPropertyEvent, at now: Instant) {
    guard event.state == PropertyNewValue else { return }
    propertySet(
      UInt32(truncatingIfNeeded: event.atom), of: UInt32(truncatingIfNeeded: event.window), at: now)
  }

  /// Handles a source's reply, an event sent by a program.
  func handle(_ event: XSelectionEvent, at now: Instant) {
    answered(
      UInt32(truncatingIfNeeded: event.selection), to: UInt32(truncatingIfNeeded: event.requestor),
      property: UInt32(truncatingIfNeeded: event.property), at: now)
  }
}
