import CarryModel

/// Z11: a target that scrolls is told that the drag dwells at its edge, and how fast to go. Not in the zone where the drag
/// began, before it has left that: a list whose last row is dragged does not run away.
extension SessionEngine {
  /// How deep a point is in a region's edge zone: 0 at its inner border, 1 at the edge, negative for left and up.
  static func depth(_ point: Point, in region: Region) -> Point {
    func along(_ v: Double, _ low: Double, _ length: Double) -> Double {
      // Of a region that is hardly larger than its zones some part stays quiet.
      let zone = min(region.edgeZone, length / 3)
      guard zone > 0 else { return 0 }
      if v < low + zone { return -min(1, (low + zone - v) / zone) }
      if v > low + length - zone { return min(1, (v - (low + length - zone)) / zone) }
      return 0
    }
    return Point(
      x: along(point.x, region.rect.x, region.rect.width), y: along(point.y, region.rect.y, region.rect.height))
  }

  /// The drag begins where it was lifted.
  mutating func blockEdge(_ s: Int) {
    var blocked: RegionID?
    regions.search(at: sessions[s].liftPoint, roles: .drop) { region, local in
      if region.edgeZone > 0, Self.depth(local, in: region) != .zero { blocked = region.id }
      return blocked != nil
    }
    sessions[s].edge.begin(in: blocked)
  }

  /// - Parameter local: where the finger is, in the window's coordinates.
  mutating func updateEdge(_ s: Int, _ region: Region, _ local: Point, at now: Instant) {
    // One without a zone ends a dwell that was begun: its deadline would stay for ever.
    guard region.edgeZone > 0 || sessions[s].edge.isInside else { return }
    sessions[s].edge.moved(to: Self.depth(local, in: region), in: region.id, at: now, dwell: settings.edgeDwell)
  }

  func edgeDeadline(_ s: Int) -> Instant? {
    sessions[s].phase == .dragging ? sessions[s].edge.deadline(settings.edgeDwell) : nil
  }

  /// The drag has dwelt for long enough, though it may be at rest.
  mutating func advanceEdge(_ s: Int, to now: Instant, into actions: inout [SessionAction]) {
    guard let due = edgeDeadline(s), due <= now else { return }
    guard let t = sessions[s].target, let region = region(sessions[s].visits[t].region) else {
      sessions[s].edge.leave()
      return
    }
    let place = local(sessions[s].point, in: region.window)
    updateEdge(s, region, place, at: now)
    guard sessions[s].visits[t].state == .inside else { return }
    update(t, of: s, reported(t, of: s, place, region), into: &actions)
  }
}
