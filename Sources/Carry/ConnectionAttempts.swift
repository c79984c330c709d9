import CarryModel
import CarrySystem

/// How a client that waits for an engine tries to connect: not for ever to one that is silent, and ever less often to one
/// that hangs up.
final class ConnectionAttempts {
  /// How long an engine may take for its first answer.
  var patience = Interval.seconds(Limits.connectSeconds)
  private let timer: DeadlineTimer
  private var failures = 0

  init() throws(SystemError) { timer = try DeadlineTimer() }

  /// Can be read when an attempt has taken too long.
  var descriptor: CInt { timer.descriptor }

  func begin() { timer.set(MonotonicClock.now() + patience) }

  /// Whether the attempt has taken too long; asked once for each.
  var isOver: Bool { timer.isOver }

  func succeed() {
    failures = 0
    timer.set(nil)
  }

  /// - Returns: when the next one may be.
  func fail() -> Interval {
    timer.set(nil)
    failures += 1
    return Self.pause(after: failures)
  }

  /// Twice as long each time, from a twentieth of a second to five.
  static func pause(after failures: Int) -> Interval {
    .milliseconds(min(5000, 50 << Int64(max(0, min(failures, 10) - 1))))
  }
}
