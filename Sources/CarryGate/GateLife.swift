package import CarryModel

/// Whether a gate's process lives. Pure.
///
///     quiet ──something happened that it has to do with──▶ expected ──500 ms of silence──▶ asked ──2 s──▶ hung
///       ▲                                                     │                              │
///       └──────────────────it says anything at all────────────┴──────────────────────────────┘
///
/// A process that ends is noticed at once, and the X server gives back what it held. One that hangs holds on, and says
/// nothing: so it is asked, but only when there is a reason to, since nothing is to wake an engine that has nothing to do.
package struct GateLife: Sendable {
  private enum State: Equatable {
    case quiet
    case expected(since: Instant)
    case asked(until: Instant)
  }

  package enum Verdict: Equatable, Sendable { case nothing, ask, hung }

  private var state = State.quiet
  private var hasSpoken = false

  /// Most of what happens makes it speak by itself.
  package static let silence = Interval.milliseconds(500)
  /// A machine with much to do may keep it from answering for a while.
  package static let patience = Interval.seconds(2)
  /// It connects to the X server first.
  package static let startPatience = Interval.seconds(20)

  package init() {}

  /// It was ordered something, or a touch or a click came that it has to look at.
  package mutating func expectsSign(at now: Instant) { if state == .quiet { state = .expected(since: now) } }

  package mutating func hasSaidSomething() { (state, hasSpoken) = (.quiet, true) }

  package var nextDeadline: Instant? {
    switch state {
    case .quiet: nil
    case .expected(let since): since + Self.silence
    case .asked(let until): until
    }
  }

  /// What is to be done now; what the process has said by then must have been taken in.
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
