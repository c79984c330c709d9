import CarryModel

/// The dwell of a drag in the edge zone of a region. It lasts while the target changes within that region, as rows of
/// a list do that scrolls under the finger.
///
///     away ──enters a zone──▶ dwelling ──edgeDwell──▶ scrolling ──moves──▶ scrolling
///      ▲                         │                        │
///      └────── leaves it ────────┴────────────────────────┘
struct EdgeDwell: Equatable {
  private enum State: Equatable {
    case away
    case dwelling(in: RegionID, since: Instant)
    /// The speed, from -1 to 1 along each axis.
    case scrolling(RegionID, Point)
  }

  private var state = State.away
  /// The region in whose zone the drag began: nothing scrolls there before the drag has left the zone.
  private var blocked: RegionID?

  /// How fast the target should scroll; zero for not at all.
  var speed: Point {
    if case .scrolling(_, let speed) = state { speed } else { .zero }
  }

  /// The drag begins in a zone.
  mutating func begin(in region: RegionID?) { blocked = region }

  /// The drag has moved to this depth in a region's zone; zero is outside the zone.
  mutating func moved(to depth: Point, in region: RegionID, at now: Instant, dwell: Interval) {
    if depth == .zero || blocked != region { blocked = nil }
    guard depth != .zero, blocked == nil else {
      state = .away
      return
    }
    switch state {
    case .scrolling(region, _): state = .scrolling(region, depth)
    case .dwelling(in: region, let since):
      if since + dwell <= now { state = .scrolling(region, depth) }
    case .away, .dwelling, .scrolling:
      state = dwell <= .zero ? .scrolling(region, depth) : .dwelling(in: region, since: now)
    }
  }

  /// When a resting drag will have dwelt for long enough.
  func deadline(_ dwell: Interval) -> Instant? {
    if case .dwelling(_, let since) = state { since + dwell } else { nil }
  }

  /// The drag is over no region with a zone.
  mutating func leave() { (state, blocked) = (.away, nil) }
}
