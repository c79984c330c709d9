package import CarryModel

/// A drag that hovers over one spring-loaded region.
///
///     inactive ──enter──▶ possible ──still for springDelay──▶ activating ──springFlashes × springFlash──▶ activated
///        ▲                   │  ▲ moved > springSlop: the wait starts again      │                          │
///        └────── leave ──────┴──┴────────────────── leave ────────────────────┘                          ▼
///        └───────────────────────────────────────────────────────────────────────── leave ◀── spent until it leaves
package struct SpringDwell: Equatable, Sendable {
  package private(set) var state = SpringState.possible
  package private(set) var origin: Point
  private var since: Instant
  private let slop: Double

  /// The drag came over the region; the state is now `possible`.
  ///
  /// - Parameter slop: pixels of movement that still count as holding still.
  package init(at point: Point, slop: Double, time: Instant) {
    origin = point
    since = time
    self.slop = slop
  }

  /// The drag moved within the region. A movement beyond the slop restarts the wait. Flashing continues until the
  /// drag leaves.
  package mutating func moved(to point: Point, time: Instant) {
    guard state == .possible, point.distance(to: origin) > slop else { return }
    origin = point
    since = time
  }

  package func deadline(_ settings: Settings.Spring) -> Instant? {
    switch state {
    case .possible: since + settings.delay
    case .activating:
      since + Interval(microseconds: settings.flash.microseconds &* Int64(settings.flashes))
    case .inactive, .activated: nil
    }
  }

  /// Handles an expired deadline. Returns the new state, or nil if nothing changed.
  package mutating func advance(to now: Instant, _ settings: Settings.Spring) -> SpringState? {
    guard let due = deadline(settings), due <= now else { return nil }
    since = due
    state = state == .possible ? .activating : .activated
    return state
  }
}
