import CLinux
import CarryModel

/// Detects that the machine has slept, without polling.
///
/// On resume the kernel sets the wall clock. That cancels a timer on this clock (timerfd_create(2),
/// TFD_TIMER_CANCEL_ON_SET) and wakes its reader. If CLOCK_BOOTTIME has gained time over CLOCK_MONOTONIC, the machine
/// has slept; otherwise the clock was only set.
package final class SleepMonitor {
  private let descriptor: Descriptor
  private var asleep: Interval

  /// A smaller gain only means that the two clocks were read at different moments.
  private static let least = Interval.milliseconds(200)

  package init() throws(SystemError) {
    descriptor = Descriptor(
      owning: try check("timerfd_create") {
        timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
      })
    asleep = Self.timeAsleep()
    arm()
  }

  /// Readable after the clock was set, for example by a resume.
  package var fileDescriptor: CInt { descriptor.raw }

  /// Reads the descriptor. Returns whether the machine has slept since the last call.
  package func read() -> Bool {
    var expirations: UInt64 = 0
    _ = CLinux.read(descriptor.raw, &expirations, 8)
    arm()
    return update(Self.timeAsleep())
  }

  /// - Parameter now: The time asleep since boot.
  func update(_ now: Interval) -> Bool {
    defer { asleep = now }
    return now.microseconds &- asleep.microseconds >= Self.least.microseconds
  }

  private func arm() {
    var never = itimerspec()
    never.it_value.tv_sec = .max
    // TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, which Glibc's headers do not export to Swift as numbers.
    timerfd_settime(descriptor.raw, 1 | 2, &never, nil)
  }

  private static func timeAsleep() -> Interval {
    var (boot, monotonic) = (timespec(), timespec())
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_BOOTTIME, &boot)
    let seconds = Int64(boot.tv_sec) &- Int64(monotonic.tv_sec)
    return Interval(microseconds: seconds &* 1_000_000 &+ (Int64(boot.tv_nsec) &- Int64(monotonic.tv_nsec)) / 1000)
  }
}
