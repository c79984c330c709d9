package import CarryContacts
package import CarryModel

/// What the one virtual finger of a trackpad does, at the pointer; and the virtual taps of its other fingers.
package struct TrackpadEvent: Equatable, Sendable {
  package var phase: Contact.Phase
  package var contact: ContactID
  /// Screen pixels.
  package var point: Point
  package var time: Instant
}
