package import CarryModel

/// The touches that the gate holds, and the order in which it must release them. Pure.
///
///     begin ──▶ held ──accept──▶ ours (the application never sees it)
///                │ └──reject──▶ theirs (the server replays it to the application)
///                └──deadline──▶ theirs, whatever the engine does
///
/// A touch that has ended while it is held waits for its decision like any other. If a later touch were rejected
/// first, an application that only knows the pointer would see a release before its press. A rejection therefore also
/// rejects the held touches that began earlier and have ended.
package struct GateQueue: Sendable {
  private struct Held {
    let touch: UInt32
    /// When it is passed to the application if nothing lifts with it.
    let until: Instant
    var isLifting = false
    var hasEnded = false

    /// A touch that has ended can no longer lift anything.
    var deadline: Instant { isLifting && !hasEnded ? until + Limits.slowLift : until }
  }

  /// The held touches in the order in which they began.
  private var held: [Held] = []
  /// Maximum time for which a new touch is held.
  package var patience: Interval

  package init(patience: Interval) { self.patience = patience }

  package var count: Int { held.count }

  /// - Parameter longer: added to the patience.
  package mutating func began(_ touch: UInt32, at now: Instant, longer: Interval = .zero) {
    held.append(Held(touch: touch, until: now + patience + longer))
  }

  /// The touch's lift has begun: the touch is held for longer.
  package mutating func liftBegan(_ touch: UInt32) {
    for i in held.indices where held[i].touch == touch { held[i].isLifting = true }
  }

  /// The finger went up. Returns whether the touch still waits for its decision.
  @discardableResult
  package mutating func ended(_ touch: UInt32) -> Bool {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return false }
    held[i].hasEnded = true
    return true
  }

  /// Removes an accepted touch. Returns whether it was held.
  package mutating func accept(_ touch: UInt32) -> Bool {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return false }
    held.remove(at: i)
    return true
  }

  /// Removes and returns the touches to reject now, in this order; empty if the touch is no longer held.
  package mutating func reject(_ touch: UInt32) -> [UInt32] {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return [] }
    let earlier = held[..<i].filter(\.hasEnded).map(\.touch)
    held.removeAll { $0.touch == touch || earlier.contains($0.touch) }
    return earlier + [touch]
  }

  package var nextDeadline: Instant? { held.lazy.map(\.deadline).min() }

  /// Removes and returns the touches to reject because they have timed out, in the order in which they began.
  /// Deadlines differ: as with a rejection, earlier touches that have ended come before later ones.
  package mutating func expire(at now: Instant) -> [UInt32] {
    guard let last = held.lastIndex(where: { $0.deadline <= now }) else { return [] }
    let due = held[...last].filter { $0.deadline <= now || $0.hasEnded }.map(\.touch)
    held.removeAll { due.contains($0.touch) }
    return due
  }
}
