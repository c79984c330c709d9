import CLinux
package import CarryModel

/// A number of permits, for which threads wait. Any thread.
package final class Semaphore: @unchecked Sendable {
  private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(raw, 0, 0) }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  /// Gives a permit, and so wakes one thread that waits.
  package func post() { sem_post(raw) }

  /// Waits for a permit, and takes it.
  package func wait() { while sem_wait(raw) != 0 {} }

  /// - Parameter time: until when it waits.
  /// - Returns: whether it has a permit.
  @discardableResult
  package func wait(until time: Instant) -> Bool {
    var when = timespec(
      tv_sec: Int(time.microseconds / 1_000_000), tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    while clinux_wait_until(raw, &when) != 0 { if clinux_errno() != EINTR { return false } }
    return true
  }
}
