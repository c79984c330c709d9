import CarryModel

/// The dwell of a drag in its target's edge zone.
///
///     away ──enters the zone──▶ dwelling ──edgeDwell──▶ scrolling ──moves──▶ scrolling
///      ▲                           │                        │
///      └────── leaves the zone ────┴────────────────────────┘
struct EdgeDwell: Equatable {
  private enum State: Equatable {
    case away
    case dwelling(since: Instant)
    /// The speed, from -1 to 1 along each axis.
    case scrolling(Point)
  }

  private var state = State.away
  /// The region in whose zone the drag began: nothing scrolls there before the drag has left the zone.
  private var blocked: RegionID?

  /// How fast the target should scroll; zero for not at all.
  var speed: Point {
    if case .scrolling(let speed) = state { speed } else { .zero }
  }

  /// Whether the drag is in a zone.
  var isInside: Bool { state != .away }

  /// The drag begins in a zone.
  mutating func begin(in region: RegionID?) { blocked = region }

  /// The drag has moved to this depth in the region's zone; zero is outside the zone.
  mutating func moved(to depth: Point, in region: RegionID, at now: Instant, dwell: Interval) {
    if depth == .zero, blocked == region { blocked = nil }
    guard depth != .zero, blocked != region else {
      state = .away
      return
    }
    switch state {
    case .away: state = dwell <= .zero ? .scrolling(depth) : .dwelling(since: now)
    case .dwelling(let since): if since + dwell <= now { state = .scrolling(depth) }
    case .scrolling: state = .scrolling(depth)
    }
  }

  /// When a resting drag will have dwelt for long enough.
  func deadline(_ dwell: Interval) -> Instant? {
    if case .dwelling(let since) = state { since + dwell } else { nil }
  }

  /// The drag has no target any more, or the target has no zone.
  mutating func leave() { state = .away }

  /// The drag has left the region where it began.
  mutating func unblock() { blocked = nil }
}
