import CarryModel
import CarrySystem

/// Signals to the service manager, from within the loop, that the loop is running. A hanging engine sends no signal,
/// and the service manager restarts it.
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
