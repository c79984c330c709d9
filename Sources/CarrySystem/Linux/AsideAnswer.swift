import CLinux
package import CarryModel
import Synchronization

/// The answer to one question, which a thread asks, since it may take for ever. Takes no descriptor.
package final class AsideAnswer<Value: Sendable>: @unchecked Sendable {
  private let value = Mutex<Value?>(nil)
  /// Raised once the answer is there.
  private let isThere = Semaphore()

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - isUrgent: whether somebody waits for it.
  ///   - ask: gives the answer, on the thread.
  /// - Throws: when no thread can be made.
  package init(isUrgent: Bool = false, _ ask: @escaping @Sendable () -> Value) throws(SystemError) {
    try Worker.start(isUrgent: isUrgent) { [self] in
      let answer = ask()
      value.withLock { $0 = answer }
      isThere.post()
    }
  }

  /// The answer; nil while there is none.
  ///
  /// - Parameter time: how long it is waited for.
  package func get(within time: Interval = .zero) -> Value? {
    let end = MonotonicClock.now() + time
    while value.withLock({ $0 == nil }), MonotonicClock.now() < end, !isThere.wait(until: end) {}
    return value.withLock { $0 }
  }
}
