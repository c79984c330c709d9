package import CarryModel

/// When to start and end the process of a file provider. Pure: time and events come in, orders come out.
///
///     stopped --work--> starting --ready--> serving --30 s without work--> ending --exited--> stopped
///                           |                  |                             |
///                           +---- 5 s ---------+---- hang, connection lost --+-- 2 s: kill
///
/// A process that ended without being asked to, or was ended for a fault, is restarted only after a pause: one
/// second, doubled after each further fault, up to a minute.
package struct HelperLife: Equatable, Sendable {
  package enum Order: Equatable, Sendable {
    case start
    /// The process was not ready in time: its loads fail, and it is terminated.
    case giveUp
    /// Ask the process to terminate.
    case terminate
    case kill
  }

  private enum State: Equatable {
    case stopped
    case starting(until: Instant)
    /// - Parameter idleUntil: When it is terminated unless there is work; nil while there is some.
    case serving(idleUntil: Instant?)
    case ending(killAt: Instant?)
  }

  private static let firstPause = Interval.seconds(1)
  private static let longestPause = Interval.seconds(60)
  private static let patience = Interval.seconds(2)

  private var state = State.stopped
  private var pause = Self.firstPause
  private var startsAgain: Instant?

  package init() {}

  package var isStopped: Bool { state == .stopped }

  /// Advances the time.
  ///
  /// - Parameter hasWork: Whether the provider has unfinished loads.
  package mutating func advance(to now: Instant, hasWork: Bool) -> Order? {
    switch state {
    case .stopped:
      guard hasWork, startsAgain.map({ $0 <= now }) ?? true else { return nil }
      state = .starting(until: now + .seconds(Limits.providerStartSeconds))
      return .start
    case .starting(let until):
      guard until <= now else { return nil }
      fault(at: now)
      state = .ending(killAt: now + Self.patience)
      return .giveUp
    case .serving(let idleUntil):
      guard !hasWork else {
        state = .serving(idleUntil: nil)
        return nil
      }
      guard let idleUntil else {
        state = .serving(idleUntil: now + .seconds(Limits.providerIdleSeconds))
        return nil
      }
      guard idleUntil <= now else { return nil }
      // It has served well.
      (pause, startsAgain) = (Self.firstPause, nil)
      state = .ending(killAt: now + Self.patience)
      return .terminate
    case .ending(let killAt):
      guard let killAt, killAt <= now else { return nil }
      state = .ending(killAt: nil)
      return .kill
    }
  }

  /// The process is ready to serve.
  package mutating func isReady() {
    if case .starting = state { state = .serving(idleUntil: nil) }
  }

  /// The process does not respond, or has closed its connection.
  ///
  /// - Returns: What to do; nil if the process is already ending.
  package mutating func isAtFault(at now: Instant) -> Order? {
    switch state {
    case .starting, .serving:
      fault(at: now)
      state = .ending(killAt: now + Self.patience)
      return .terminate
    case .stopped, .ending: return nil
    }
  }

  /// The process has ended, or could not be started.
  ///
  /// - Returns: Whether it ended by itself, which is a fault.
  package mutating func hasEnded(at now: Instant) -> Bool {
    defer { state = .stopped }
    switch state {
    case .starting, .serving:
      fault(at: now)
      return true
    case .stopped, .ending: return false
    }
  }

  private mutating func fault(at now: Instant) {
    startsAgain = now + pause
    pause = min(Interval(microseconds: pause.microseconds &* 2), Self.longestPause)
  }

  /// When to call `advance` next.
  package func nextDeadline(hasWork: Bool) -> Instant? {
    switch state {
    case .stopped: hasWork ? startsAgain ?? .zero : nil
    case .starting(let until): until
    case .serving(let idleUntil): hasWork ? nil : idleUntil ?? .zero
    case .ending(let killAt): killAt
    }
  }
}
