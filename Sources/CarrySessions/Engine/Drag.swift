import CarryModel

/// A stack in the hand, from the beginning of the drag until its end is decided.
///
/// It is an object, although it belongs to one phase, so that a motion can change it in place. Swift would copy a struct
/// out of the phase's case to change it.
final class Drag {
  /// A finger that touched the stack, and carries it on when the carrying finger lifts (K7).
  struct Helper {
    let contact: ContactID
    /// Screen pixels.
    var point: Point
    /// Until this time the touch may be a tap on the item under the stack; nil once the touch is taken.
    var mayTapUntil: Instant?
  }

  /// The regions that have seen the drag, and which of them is under the finger.
  let visits = Visits()
  /// D2: regions that were busy with another session when this drag came over them. They are ignored until the drag leaves
  /// them.
  var passedOver: [RegionID] = []
  /// V7: a stack that has become small never becomes large again.
  var isFullSize: Bool
  /// The motions that the source is told, one at a time.
  var motions = OneAtATime()
  /// In the order in which they came down.
  var helpers: [Helper] = []
  var edge = EdgeDwell()
  var aim = Aim()
  var spring = Spring()
  var hover = Hover()

  init(isFullSize: Bool) { self.isFullSize = isFullSize }

  /// O7: the point reported to the target: above the finger if the target's proposal is precise, but never outside the
  /// target.
  func reported(_ local: Point, in region: Region, _ settings: Settings.Drop, of session: Session) -> Point {
    guard visits.targetIsPrecise else { return local }
    let above = local.y - settings.precisionOffset * session.slopScale
    return Point(x: local.x, y: min(local.y, max(region.rect.y, above)))
  }

  /// Clears the target, and ends the dwell in its edge zone.
  func clearTarget() {
    edge.leave()
    visits.leaveTarget()
  }

  /// A client is gone, and its regions with it.
  ///
  /// - Returns: whether the target was one of them; the drag has no target then.
  func forget(of client: ClientID) -> Bool {
    spring.forget(of: client)
    guard visits.forget(of: client) else { return false }
    edge.leave()
    return true
  }
}
