import CLinux
package import CarryModel
import Synchronization

/// The answer to one question, which a thread asks, since it may take for ever. Takes no descriptor.
package final class AsideAnswer<Value: Sendable>: @unchecked Sendable {
  private let value = Mutex<Value?>(nil)
  /// Raised once the answer is there.
  private let isThere = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - isUrgent: whether somebody waits for it.
  ///   - ask: gives the answer, on the thread.
  /// - Throws: when no thread can be made.
  package init(isUrgent: Bool = false, _ ask: @escaping @Sendable () -> Value) throws(SystemError) {
    sem_init(isThere, 0, 0)
    try Worker.start(isUrgent: isUrgent) { [self] in
      let answer = ask()
      value.withLock { $0 = answer }
      sem_post(isThere)
    }
  }

  deinit {
    sem_destroy(isThere)
    isThere.deallocate()
  }

  /// The answer; nil while there is none.
  ///
  /// - Parameter time: how long it is waited for.
  package func get(within time: Interval = .zero) -> Value? {
    let end = (MonotonicClock.now() + time).microseconds
    var when = timespec(tv_sec: Int(end / 1_000_000), tv_nsec: Int(end % 1_000_000) * 1000)
    while value.withLock({ $0 == nil }), MonotonicClock.now().microseconds < end,
      clinux_wait_until(isThere, &when) != 0,
      clinux_errno() == EINTR
    {}
    return value.withLock { $0 }
  }
}
