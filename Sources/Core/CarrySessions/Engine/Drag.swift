import CarryModel

/// A stack in the hand, from the beginning of the drag until its end is decided.
///
/// A class, although it belongs to one phase, so that a motion can change it in place: Swift would copy a struct out
/// of the phase's case to change it.
final class Drag {
  /// A finger that touched the stack and carries it on when the carrying finger lifts (K7).
  struct Helper {
    let contact: ContactID
    /// Screen pixels.
    var point: Point
    /// Until this time the touch may turn out to be a tap on the item under the stack; nil once the touch is claimed.
    var mayTapUntil: Instant?
  }

  /// A frame around a region that may spring open.
  struct SpringFrame: Equatable {
    /// Screen pixels.
    var rect: Rect
    var isFlashing: Bool
  }

  /// The regions that have seen the drag, and which of them is under the finger.
  let visits = Visits()
  /// Regions that were busy with another session when this drag came over them. They are ignored until the drag
  /// leaves them (D2).
  var passedOver: [RegionID] = []
  /// Whether the stack has its full size. A stack that was scaled down never grows again.
  var isFullSize: Bool
  /// Screen pixels per pixel at 96 dpi.
  let scale: Double
  /// The motions reported to the source, one at a time.
  var motions = OneAtATime()
  /// In the order in which they came down.
  var helpers: [Helper] = []
  var edge = EdgeDwell()
  var aim = Aim()
  var spring = Spring()
  /// What the engine frames: the targets as the drag began, and the region that may spring open. Screen pixels.
  var targetFrames: [Rect] = []
  var springFrame: SpringFrame?
  var hover = Hover()

  init(isFullSize: Bool, scale: Double) {
    self.isFullSize = isFullSize
    self.scale = scale
  }

  /// The point reported to the target. It is above the finger if the target's proposal is precise, but never outside
  /// the target.
  func reported(_ local: Point, in region: Region, _ settings: Settings.Drop) -> Point {
    guard visits.targetIsPrecise else { return local }
    let above = local.y - settings.precisionOffset * scale
    return Point(x: local.x, y: min(local.y, max(region.rect.y, above)))
  }

  /// Removes the regions of a client that is gone.
  ///
  /// - Returns: whether the target was one of them; the drag then has no target.
  func forget(of client: ClientID) -> Bool {
    spring.forget(of: client)
    return visits.forget(of: client)
  }
}
