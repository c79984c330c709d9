package import CarryModel

/// Whether a process that the engine has started, a gate or the bridge, is alive. Pure.
///
///     quiet ──something happened that it has to do with──▶ expected ──500 ms of silence──▶ asked ──2 s──▶ hung
///       ▲                                                     │                              │
///       └──────────────────it says anything at all────────────┴──────────────────────────────┘
///
/// The engine notices at once when the process ends, and then the X server releases everything that the process held.
/// A hung process keeps holding and sends nothing. So the engine pings it, but only after something has happened,
/// because an idle engine must not wake up.
package struct ProcessLife: Sendable {
  private enum State: Equatable {
    case quiet
    case expected(since: Instant)
    case asked(until: Instant)
  }

  package enum Verdict: Equatable, Sendable { case nothing, ask, hung }

  private var state = State.quiet
  private var hasSpoken = false

  /// How long to wait for a message before pinging, since the process reports most things by itself.
  package static let silence = Interval.milliseconds(500)
  /// How long to wait for the reply. A busy machine may delay it.
  package static let patience = Interval.seconds(2)
  /// How long to wait for a new process, which first connects to the X server.
  package static let startPatience = Interval.seconds(20)

  package init() {}

  /// The process received an order, or a touch or click that it has to handle.
  package mutating func expectHeartbeat(at now: Instant) { if state == .quiet { state = .expected(since: now) } }

  package mutating func hasSaidSomething() { (state, hasSpoken) = (.quiet, true) }

  package var nextDeadline: Instant? {
    switch state {
    case .quiet: nil
    case .expected(let since): since + Self.silence
    case .asked(let until): until
    }
  }

  /// Returns what to do now. The caller has read all messages of the process first.
  package mutating func advance(to now: Instant) -> Verdict {
    guard let due = nextDeadline, due <= now else { return .nothing }
    if case .asked = state {
      state = .quiet
      return .hung
    }
    state = .asked(until: now + (hasSpoken ? Self.patience : Self.startPatience))
    return .ask
  }
}
