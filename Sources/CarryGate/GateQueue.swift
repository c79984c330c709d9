package import CarryModel

/// The touches that the gate holds, and the order in which it must release them. Pure.
///
///     begin ──▶ held ──accept──▶ ours (the application never sees it)
///                │ └──reject──▶ theirs (the server replays it to the application)
///                └──deadline──▶ theirs, whatever the engine does
///
/// A touch that has ended while it is held waits for its decision like any other. If a later touch were rejected first, an
/// application that knows only the pointer would see a release before its press. So a rejection also rejects the held
/// touches that began earlier and have ended.
package struct GateQueue: Sendable {
  private struct Held {
    let touch: UInt32
    var deadline: Instant
    var isLifting = false
    var hasEnded = false
  }

  /// The held touches in the order in which they began.
  private var held: [Held] = []
  /// How long a new touch is held at the most.
  package var patience: Interval

  package init(patience: Interval) { self.patience = patience }

  package var count: Int { held.count }

  /// - Parameter longer: than the patience.
  package mutating func began(_ touch: UInt32, at now: Instant, longer: Interval = .zero) {
    held.append(Held(touch: touch, deadline: now + patience + longer))
  }

  /// The touch's lift has begun: it is held for longer than others, once.
  package mutating func liftBegan(_ touch: UInt32) {
    guard let i = held.firstIndex(where: { $0.touch == touch }), !held[i].isLifting else { return }
    held[i].isLifting = true
    held[i].deadline = held[i].deadline + Limits.slowLift
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

  /// Removes and returns the touches to reject now, in this order; empty when the touch is not held any more.
  package mutating func reject(_ touch: UInt32) -> [UInt32] {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return [] }
    let earlier = held[..<i].filter(\.hasEnded).map(\.touch)
    held.removeAll { $0.touch == touch || earlier.contains($0.touch) }
    return earlier + [touch]
  }

  package var nextDeadline: Instant? { held.lazy.map(\.deadline).min() }

  /// Removes and returns the touches to reject because their time is up, in the order in which they began.
  package mutating func expire(at now: Instant) -> [UInt32] {
    let due = held.filter { $0.deadline <= now }.map(\.touch)
    held.removeAll { due.contains($0.touch) }
    return due
  }
}
