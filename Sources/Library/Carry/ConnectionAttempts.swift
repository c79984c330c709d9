import CarryModel
import CarrySystem

/// Limits the connection attempts of a client that waits for an engine: a timeout for silent engines, and growing
/// pauses after engines that close the connection.
final class ConnectionAttempts {
  /// The timeout for an engine's first answer.
  var patience = Interval.seconds(Limits.connectSeconds)
  private let timer: DeadlineTimer
  private var failures = 0

  init() throws(SystemError) { timer = try DeadlineTimer() }

  /// Readable when an attempt has timed out.
  var descriptor: CInt { timer.descriptor }

  func begin() { timer.set(MonotonicClock.now() + patience) }

  /// Whether the attempt has timed out. Call it once for each attempt.
  var isOver: Bool { timer.isOver }

  func succeed() {
    failures = 0
    timer.set(nil)
  }

  /// - Returns: the pause before the next attempt.
  func fail() -> Interval {
    timer.set(nil)
    failures += 1
    return Self.pause(after: failures)
  }

  /// Doubles each time, from 50 milliseconds to five seconds.
  static func pause(after failures: Int) -> Interval {
    .milliseconds(min(5000, 50 << Int64(max(0, min(failures, 10) - 1))))
  }
}
