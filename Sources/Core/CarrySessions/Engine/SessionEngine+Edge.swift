import CarryModel

/// Tells the target that the drag dwells at an edge, and how fast to scroll (Z11). The edge is the target's own, or that
/// of a region of its program beneath it, such as the list around a row. A drag that begins in an edge zone scrolls
/// nothing there until it has left the zone, so that a list does not run away when its last row is dragged.
extension SessionEngine {
  /// How deep a point is in a region's edge zone: 0 at its inner border, 1 at the edge, negative for left and up.
  static func depth(_ point: Point, in region: Region) -> Point {
    func along(_ v: Double, _ low: Double, _ length: Double) -> Double {
      // A small region keeps a quiet part between its zones.
      let zone = min(region.edgeZone, length / 3)
      guard zone > 0 else { return 0 }
      if v < low + zone { return -min(1, (low + zone - v) / zone) }
      if v > low + length - zone { return min(1, (v - (low + length - zone)) / zone) }
      return 0
    }
    return Point(
      x: along(point.x, region.rect.x, region.rect.width), y: along(point.y, region.rect.y, region.rect.height))
  }

  /// Blocks the edge zone in which the drag began, where it was lifted.
  mutating func blockEdge(_ drag: Drag, of session: Session) {
    var blocked: RegionID?
    regions.search(at: session.liftPoint, roles: .drop) { region, local in
      if region.edgeZone > 0, Self.depth(local, in: region) != .zero { blocked = region.id }
      return blocked != nil
    }
    drag.edge.begin(in: blocked)
  }

  /// Handles the end of a dwell, even while the drag rests.
  mutating func advanceEdge(_ drag: Drag, of session: Session, to now: Instant, into actions: inout [SessionAction]) {
    guard let due = drag.edge.deadline(settings.drop.edgeDwell), due <= now else { return }
    updateTarget(drag, of: session, because: .fingerMoved, at: now, into: &actions)
    // Without a target, nothing scrolls.
    if drag.edge.deadline(settings.drop.edgeDwell).map({ $0 <= now }) == true { drag.edge.leave() }
  }
}
