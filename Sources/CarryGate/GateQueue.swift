package import CarryModel

/// The touches that the gate holds, and the order in which it must let go of them. Pure.
///
///     begin ──▶ held ──accept──▶ ours (the application never sees it)
///                │ └──reject──▶ theirs (the server replays it to the application)
///                └──deadline──▶ theirs, whatever the engine does
///
/// A touch that has ended while it is held waits for its decision like any other. When a later touch is rejected first,
/// an application that knows only the pointer would see a release before its press: so a rejection takes the held
/// touches with it that began earlier and have ended.
package struct GateQueue: Sendable {
  private struct Held {
    let touch: UInt32
    let deadline: Instant
    var hasEnded = false
  }

  /// In the order of their begin.
  private var held: [Held] = []
  /// How long a touch that begins now is held at the most.
  package var patience: Interval

  package init(patience: Interval) { self.patience = patience }

  package var count: Int { held.count }

  package mutating func began(_ touch: UInt32, at now: Instant) {
    held.append(Held(touch: touch, deadline: now + patience))
  }

  /// The finger went up. Answers whether the touch still wants its decision.
  @discardableResult
  package mutating func ended(_ touch: UInt32) -> Bool {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return false }
    held[i].hasEnded = true
    return true
  }

  /// Whether the touch was held, and is to be accepted now.
  package mutating func accept(_ touch: UInt32) -> Bool {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return false }
    held.remove(at: i)
    return true
  }

  /// The touches to reject now, in this order; empty when the touch is not held any more.
  package mutating func reject(_ touch: UInt32) -> [UInt32] {
    guard let i = held.firstIndex(where: { $0.touch == touch }) else { return [] }
    let earlier = held[..<i].filter(\.hasEnded).map(\.touch)
    held.removeAll { $0.touch == touch || earlier.contains($0.touch) }
    return earlier + [touch]
  }

  package var nextDeadline: Instant? { held.lazy.map(\.deadline).min() }

  /// The touches whose time is up, in the order of their begin: they are to be rejected.
  package mutating func expire(at now: Instant) -> [UInt32] {
    let due = held.filter { $0.deadline <= now }.map(\.touch)
    held.removeAll { due.contains($0.touch) }
    return due
  }
}
