import CX11
import CarryModel
import CarrySelections

/// Xlib's events for what is read of selections.
extension SelectionReader {
  /// A property has changed. From the X server only.
  func take(_ event: XPropertyEvent, at now: Instant) {
    guard event.state == PropertyNewValue else { return }
    propertySet(
      UInt32(truncatingIfNeeded: event.atom), of: UInt32(truncatingIfNeeded: event.window), at: now)
  }

  /// The answer of a source, which is a program's own event.
  func take(_ event: XSelectionEvent, at now: Instant) {
    answered(
      UInt32(truncatingIfNeeded: event.selection), to: UInt32(truncatingIfNeeded: event.requestor),
      UInt32(truncatingIfNeeded: event.target), property: UInt32(truncatingIfNeeded: event.property), at: now)
  }
}
