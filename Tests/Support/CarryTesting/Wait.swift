import CLinux

/// Waits for other processes.
package enum Wait {
  /// Polls `condition` until it holds or the time is over; returns whether it held.
  ///
  /// Between two checks it waits for `descriptor` to become readable, or a few milliseconds without one: other
  /// processes and servers do not report when they are ready.
  package static func until(
    seconds: Double = 10, descriptor: CInt = -1, _ condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = now() + seconds
    while true {
      if try condition() { return true }
      let left = end - now()
      if left <= 0 { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, CInt(max(1, min(descriptor < 0 ? 4 : 20, left * 1000))))
    }
  }

  /// Whether there is something to read.
  package static func isReadable(_ descriptor: CInt) -> Bool {
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&one, 1, 0) > 0
  }

  /// The kernel's coarse clock, which ticks every few milliseconds. At each tick the engine polls state that others
  /// may change without notice.
  package static var tick: Int {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t)
    return t.tv_sec * 1_000_000_000 + t.tv_nsec
  }

  /// Waits until the coarse clock has ticked.
  package static func forTick() {
    let before = tick
    _ = until { tick != before }
  }

  private static func now() -> Double {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
  }
}
