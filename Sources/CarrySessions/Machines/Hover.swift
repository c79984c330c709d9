import CarryModel

/// Z10: how long a carried stack has been held still, for springing windows open.
///
///     spent ──moves──▶ waiting ──windowDelay──▶ spent: the desktop's windows are looked at, once
struct Hover {
  private enum State {
    /// What is under the finger has been looked at; only another place is looked at again.
    case spent
    case waiting(since: Instant)
  }

  private var state = State.spent
  private var origin = Point.zero
  /// The window that was brought to the front, until the finger leaves the place that means it.
  private var raised: DesktopView.Choice?
  /// The window that the stack was lifted in stays where it is until the stack has been elsewhere: who still gathers
  /// there does not want it in front of the target.
  private(set) var hasLeftSource = false

  mutating func leaveSource() { hasLeftSource = true }

  /// - Parameter isSpringing: a region under the finger springs open by itself: that is what the user waits for.
  mutating func moved(to point: Point, slop: Double, isSpringing: Bool, at now: Instant) {
    if let raised, !raised.area.contains(point) { self.raised = nil }
    guard isSpringing || point.distance(to: origin) > slop else { return }
    origin = point
    state = .waiting(since: now)
  }

  func deadline(_ delay: Interval) -> Instant? {
    if case .waiting(let since) = state { since + delay } else { nil }
  }

  /// The windows are being looked at.
  mutating func spend() { state = .spent }

  /// - Returns: whether that window is not in front already by the finger's doing.
  mutating func raise(_ choice: DesktopView.Choice) -> Bool {
    guard raised?.window != choice.window else { return false }
    raised = choice
    return true
  }
}
