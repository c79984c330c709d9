package import CarryModel

/// A gesture of a finger.
package struct GestureEvent: Equatable, Codable, Sendable {
  package enum Kind: String, Equatable, Codable, Sendable {
    /// A finger came down; nothing is decided yet.
    case pressed
    /// The finger moved too far, or was cancelled, before its lift began.
    case pressFailed
    /// The finger has been still for `liftBegins`: the item starts to rise.
    case liftBegan
    /// The lift is complete: moving now starts the drag.
    case lifted
    /// After its lift began and before a drag, the finger went up, moved too far or was cancelled: sink back.
    case liftReversed
    /// The lifted finger moved far enough: the drag proper starts.
    case dragBegan
    case dragMoved
    /// The dragging finger went up.
    case dragEnded
    /// The dragging finger was cancelled: it was a palm, or its device was removed.
    case dragCancelled
    /// A short touch in one place. `liftReversed` may follow, because a tap may be longer than `liftBegins`.
    case tapped
  }

  package var kind: Kind
  package var contact: ContactID
  /// Where the finger is, in screen pixels.
  package var point: Point
  package var time: Instant

  package init(_ kind: Kind, contact: ContactID, point: Point, time: Instant) {
    self.kind = kind
    self.contact = contact
    self.point = point
    self.time = time
  }
}
