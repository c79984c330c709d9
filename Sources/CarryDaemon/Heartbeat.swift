import CarryModel
import CarrySystem

/// Tells the service manager that the loop goes round, from within the loop: an engine that hangs falls silent, and is
/// started anew.
struct Heartbeat {
  /// How often, if the service manager wants to hear it.
  private let interval = ServiceManager.heartbeat()
  private(set) var nextDeadline: Instant?

  mutating func advance(to now: Instant) {
    guard let interval, nextDeadline ?? now <= now else { return }
    ServiceManager.notify("WATCHDOG=1")
    nextDeadline = now + interval
  }
}
