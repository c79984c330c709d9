import CLinux
package import CarryModel
import Synchronization

/// Reads files on its own thread whenever requested, one reading at a time. Their file system may hang, which must
/// not block the caller.
package final class AsideReading<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var isUnderWay = false
    var isWantedAgain = false
    var value: Value?
  }

  private let state = Mutex(State())
  private let wake: Descriptor
  private let read: @Sendable () -> Value

  /// - Parameter read: Reads the files; on any thread.
  package init(_ read: @escaping @Sendable () -> Value) throws(SystemError) {
    self.read = read
    wake = Descriptor(owning: try check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)) })
  }

  /// Readable when a reading is over.
  package var descriptor: CInt { wake.raw }

  /// Whether a reading is under way.
  package var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

  /// Whether a reading is under way, or is over and has not been taken.
  package var isUntaken: Bool { state.withLock { $0.isUnderWay || $0.value != nil } }

  /// Starts a reading, after the current one if there is one.
  ///
  /// - Returns: Whether it starts at once.
  @discardableResult
  package func begin() -> Bool {
    let starts = state.withLock { s in
      if s.isUnderWay { s.isWantedAgain = true }
      defer { s.isUnderWay = true }
      return !s.isUnderWay
    }
    guard starts else { return false }
    // Without a thread the files are read here.
    do { try Worker.start { self.work() } } catch { work() }
    return true
  }

  private func work() {
    var goesOn = true
    while goesOn {
      let value = read()
      goesOn = state.withLock { s in
        s.value = value
        defer { s.isWantedAgain = false }
        s.isUnderWay = s.isWantedAgain
        return s.isWantedAgain
      }
      var one: UInt64 = 1
      _ = write(wake.raw, &one, 8)
    }
  }

  /// The result of a reading since the last call; nil if it does not arrive within the time.
  package func collect(within time: Interval = .zero) -> Value? {
    let end = MonotonicClock.now() + time
    while isUnderWay, case let left = (end - MonotonicClock.now()).microseconds, left > 0 {
      var p = pollfd(fd: wake.raw, events: Int16(POLLIN), revents: 0)
      poll(&p, 1, CInt(clamping: left / 1000 + 1))
      drain()
    }
    drain()
    return state.withLock { s in
      defer { s.value = nil }
      return s.value
    }
  }

  private func drain() {
    var count: UInt64 = 0
    _ = CLinux.read(wake.raw, &count, 8)
  }
}
