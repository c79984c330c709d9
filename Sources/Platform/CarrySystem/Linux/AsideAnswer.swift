import CLinux
package import CarryModel
import Synchronization

/// The answer to one query that runs on a thread, since it may block forever. Uses no descriptor.
package final class AsideAnswer<Value: Sendable>: @unchecked Sendable {
  private let value = Mutex<Value?>(nil)
  /// Signalled when the answer is available.
  private let isThere = Semaphore()

  /// Starts the query.
  ///
  /// - Parameters:
  ///   - isUrgent: Whether a user is waiting for it.
  ///   - ask: Returns the answer; runs on the thread.
  /// - Throws: If no thread can be created.
  package init(isUrgent: Bool = false, _ ask: @escaping @Sendable () -> Value) throws(SystemError) {
    try Worker.start(isUrgent: isUrgent) { [self] in
      let answer = ask()
      value.withLock { $0 = answer }
      isThere.post()
    }
  }

  /// The answer; nil if there is none yet.
  ///
  /// - Parameter time: How long to wait for it.
  package func get(within time: Interval = .zero) -> Value? {
    let end = MonotonicClock.now() + time
    while value.withLock({ $0 == nil }), MonotonicClock.now() < end, !isThere.wait(until: end) {}
    return value.withLock { $0 }
  }
}
