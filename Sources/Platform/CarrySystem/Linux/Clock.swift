package import CarryModel
import CLinux

/// The clock that evdev stamps its events with; the only place that reads it.
package enum MonotonicClock {
  /// Now, on CLOCK_MONOTONIC.
  package static func now() -> Instant {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return Instant(microseconds: Int64(t.tv_sec) * 1_000_000 + Int64(t.tv_nsec) / 1000)
  }
}
