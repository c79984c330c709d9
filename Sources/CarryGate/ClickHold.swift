package import CarryModel

/// The clicks that the gate holds: at most one for each pointer, since the X server stops the pointer meanwhile. Pure.
///
///     click ──▶ held, a moment ──keep──▶ held, as long as a touch ──take──▶ ours (the application never sees it)
///                 │                        │ └──give──▶ the application's (the server replays it)
///                 └──────deadline──────────┴──────────▶ the application's, whatever the engine does
///
/// Most clicks are a mouse's, and the engine gives them back at once. A stopped engine must not delay them for more than a
/// moment, so a click is held longer only if the engine asks to keep it.
package struct ClickHold: Sendable {
  package struct Click: Equatable, Sendable {
    package let id: UInt32
    /// The X server's number of the pointer.
    package let pointer: Int32
    var deadline: Instant
    let begun: Instant
  }

  private var clicks: [Click] = []
  private var lastID: UInt32 = 0
  /// How long a kept click is held at the most.
  package var patience: Interval

  /// How long a click waits for the engine's first word.
  package static let moment = Interval.milliseconds(50)

  /// - Parameter patience: how long a kept click is held at the most.
  package init(patience: Interval) { self.patience = patience }

  /// Holds a new click, and returns its number.
  package mutating func began(pointer: Int32, at now: Instant) -> UInt32 {
    clicks.removeAll { $0.pointer == pointer }
    lastID &+= 1
    clicks.append(Click(id: lastID, pointer: pointer, deadline: now + Self.moment, begun: now))
    return lastID
  }

  package mutating func keep(_ id: UInt32) {
    for i in clicks.indices where clicks[i].id == id { clicks[i].deadline = clicks[i].begun + patience }
  }

  /// Removes and returns a click that is decided now; nil if it was not held.
  package mutating func decide(_ id: UInt32) -> Click? {
    guard let i = clicks.firstIndex(where: { $0.id == id }) else { return nil }
    return clicks.remove(at: i)
  }

  package var nextDeadline: Instant? { clicks.map(\.deadline).min() }

  /// Removes and returns the clicks whose time is up. They go to the applications.
  package mutating func expire(at now: Instant) -> [Click] {
    let due = clicks.filter { $0.deadline <= now }
    clicks.removeAll { $0.deadline <= now }
    return due
  }
}
