import CarryModel
import CarrySystem

/// Tells the service manager, from within the loop, that the loop goes round. A hanging engine falls silent, and the
/// service manager starts it anew.
struct Heartbeat {
  /// How often to send; nil if the service manager does not ask for it.
  private let interval = ServiceManager.heartbeat()
  private(set) var nextDeadline: Instant?

  mutating func advance(to now: Instant) {
    guard let interval, nextDeadline ?? now <= now else { return }
    ServiceManager.notify("WATCHDOG=1")
    nextDeadline = now + interval
  }
}
