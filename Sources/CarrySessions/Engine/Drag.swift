import CarryModel

/// A stack in the hand, from the beginning of the drag until it is decided how it ends.
///
/// An object, though it belongs to one phase: a motion changes some of it where it is, while Swift would copy all that a
/// case holds to change it.
final class Drag {
  /// A finger that touched the stack, and goes on with it when the one that carries it lifts (K7).
  struct Helper {
    let contact: ContactID
    /// Screen pixels.
    var point: Point
    /// Until then it may be a tap on what lies under the stack; nil once the touch is taken.
    var mayTapUntil: Instant?
  }

  /// The regions that have seen it, and which one is under the finger.
  var visits = Visits()
  /// D2: regions that another session had when this one came over them: ignored until it leaves them.
  var passedOver: [RegionID] = []
  /// V7: once small, never large again.
  var isFullSize: Bool
  /// What its source is told of its motion.
  var motions = OneAtATime()
  /// In the order of their coming.
  var helpers: [Helper] = []
  var edge = EdgeDwell()
  var aim = Aim()
  var spring = Spring()
  var hover = Hover()

  init(isFullSize: Bool) { self.isFullSize = isFullSize }

  /// There is no target any more, and with it ends the dwell in its edge zone.
  func clearTarget() {
    edge.leave()
    visits.leaveTarget()
  }

  /// A client is gone, and its regions with it.
  ///
  /// - Returns: whether the target was one of them, of which there is none then.
  func forget(of client: ClientID) -> Bool {
    spring.forget(of: client)
    guard visits.forget(of: client) else { return false }
    edge.leave()
    return true
  }
}
