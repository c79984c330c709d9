import CLinux
import CarryModel
import CarrySystem

/// A descriptor that becomes readable at a set time; see timerfd_create(2).
final class DeadlineTimer {
  private let timer: Descriptor

  init() throws(SystemError) {
    timer = Descriptor(
      owning: try check("timerfd_create") {
        timerfd_create(CInt(CLOCK_MONOTONIC), CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
      })
  }

  var descriptor: CInt { timer.raw }

  /// Whether the time has come since the last call.
  var isOver: Bool {
    var ticks: UInt64 = 0
    return read(timer.raw, &ticks, 8) == 8
  }

  /// Sets the time; nil for never.
  func set(_ deadline: Instant?) {
    var spec = itimerspec()
    if let deadline {
      // Zero would disarm the timer.
      let at = max(1, deadline.microseconds)
      spec.it_value.tv_sec = Int(at / 1_000_000)
      spec.it_value.tv_nsec = Int(at % 1_000_000) * 1000
    }
    timerfd_settime(timer.raw, CInt(TFD_TIMER_ABSTIME), &spec, nil)
  }
}
