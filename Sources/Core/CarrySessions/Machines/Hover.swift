import CarryModel

/// Measures how long a carried stack has been held still, to decide when to raise a window (Z10).
///
///     spent ──moves──▶ waiting ──windowDelay──▶ spent: the desktop's windows are read once
struct Hover {
  private enum State {
    /// The desktop was read for this place. It is read again only for another place.
    case spent
    case waiting(since: Instant)
  }

  private var state = State.spent
  private var origin = Point.zero
  /// The window that was raised, until the finger leaves the area that means this window.
  private var raised: DesktopView.Choice?
  /// Whether the stack has left the window that it was lifted in. Until then that window is not raised: a user who is
  /// still gathering items there does not want it in front of the target.
  private(set) var hasLeftSource = false

  mutating func leaveSource() { hasLeftSource = true }

  /// - Parameter isSpringing: whether a region under the finger is about to spring open. The user then waits for
  ///   that.
  mutating func moved(to point: Point, slop: Double, isSpringing: Bool, at now: Instant) {
    if let raised, !raised.area.contains(point) { self.raised = nil }
    guard isSpringing || point.distance(to: origin) > slop else { return }
    origin = point
    state = .waiting(since: now)
  }

  func deadline(_ delay: Interval) -> Instant? {
    if case .waiting(let since) = state { since + delay } else { nil }
  }

  /// The desktop's windows are being read for this place.
  mutating func spend() { state = .spent }

  /// - Returns: false if this finger has already raised that window.
  mutating func raise(_ choice: DesktopView.Choice) -> Bool {
    guard raised?.window != choice.window else { return false }
    raised = choice
    return true
  }
}
