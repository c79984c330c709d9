package import CarryModel

/// The clicks that the gate holds: one for each pointer at the most, as the X server lets nothing of that pointer
/// through meanwhile. Pure.
///
///     click ──▶ held, a moment ──keep──▶ held, as long as a touch ──take──▶ ours (the application never sees it)
///                 │                        │ └──give──▶ the application's (the server replays it)
///                 └──────deadline──────────┴──────────▶ the application's, whatever the engine does
///
/// Most clicks are a mouse's. The engine gives those back at once; a stopped engine must not cost them more than a
/// moment, so only one that it asks to keep is held longer.
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
  /// How long a click that is kept is held at the most.
  package var patience: Interval

  /// How long a click waits for an engine that says nothing.
  package static let moment = Interval.milliseconds(50)

  /// - Parameter patience: how long a click that is kept is held at the most.
  package init(patience: Interval) { self.patience = patience }

  /// The new click's number.
  package mutating func began(pointer: Int32, at now: Instant) -> UInt32 {
    clicks.removeAll { $0.pointer == pointer }
    lastID &+= 1
    clicks.append(Click(id: lastID, pointer: pointer, deadline: now + Self.moment, begun: now))
    return lastID
  }

  package mutating func keep(_ id: UInt32) {
    for i in clicks.indices where clicks[i].id == id { clicks[i].deadline = clicks[i].begun + patience }
  }

  /// The click, if it was held; it is decided now.
  package mutating func decide(_ id: UInt32) -> Click? {
    guard let i = clicks.firstIndex(where: { $0.id == id }) else { return nil }
    return clicks.remove(at: i)
  }

  package var nextDeadline: Instant? { clicks.map(\.deadline).min() }

  /// The clicks whose time is up: they are the applications'.
  package mutating func expire(at now: Instant) -> [Click] {
    let due = clicks.filter { $0.deadline <= now }
    clicks.removeAll { $0.deadline <= now }
    return due
  }
}
