import CLinux
package import CarryModel

/// A counting semaphore. Any thread.
package final class Semaphore: @unchecked Sendable {
  private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(raw, 0, 0) }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  /// Adds a permit and wakes one waiting thread.
  package func post() { sem_post(raw) }

  /// Waits for a permit and removes it.
  package func wait() { while sem_wait(raw) != 0 {} }

  /// - Parameter time: The deadline.
  /// - Returns: Whether a permit was obtained.
  @discardableResult
  package func wait(until time: Instant) -> Bool {
    var when = timespec(
      tv_sec: Int(time.microseconds / 1_000_000), tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    while clinux_wait_until(raw, &when) != 0 { if clinux_errno() != EINTR { return false } }
    return true
  }
}
