import CLinux
package import CarryModel
import CarrySystem
import CWaylandServer

/// The daemon's one event loop: libwayland's epoll loop with descriptors, signals and one absolute timer added.
///
/// Everything that waits, waits here; all callbacks run on the thread that calls `turn()`.
package final class EventLoop {
  let raw: OpaquePointer
  private let timer: Descriptor
  private var armed: Instant?

  /// A descriptor being watched; watching ends with `cancel` or with the last reference.
  package final class Source {
    fileprivate var raw: OpaquePointer?
    fileprivate let callback: () -> Void

    fileprivate init(callback: @escaping () -> Void) { self.callback = callback }

    package func cancel() {
      if let raw { wl_event_source_remove(raw) }
      raw = nil
    }

    deinit { cancel() }
  }

  private var timerSource: Source?

  /// - Parameter raw: a `wl_event_loop` that outlives this.
  init(_ raw: OpaquePointer) throws(SystemError) {
    self.raw = raw
    timer = Descriptor(
      owning: try check("timerfd_create") {
        timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
      })
    let fd = timer.raw
    timerSource = watch(fd) { [weak self] in
      var expirations: UInt64 = 0
      _ = read(fd, &expirations, 8)
      self?.armed = nil
    }
  }

  /// Calls back whenever the descriptor can be read (or has hung up). The descriptor stays the caller's.
  package func watch(_ fd: CInt, _ callback: @escaping () -> Void) -> Source {
    let source = Source(callback: callback)
    source.raw = wl_event_loop_add_fd(
      raw, fd, UInt32(WL_EVENT_READABLE),
      { _, _, data in
        guard let data else { return 0 }
        Unmanaged<Source>.fromOpaque(data).takeUnretainedValue().callback()
        return 0
      }, Unmanaged.passUnretained(source).toOpaque())
    return source
  }

  /// Wakes the loop at an instant, once; the newest call counts. Nil: not at all. A loop that waits for nothing sleeps.
  package func wake(at instant: Instant?) {
    guard instant != armed else { return }
    armed = instant
    var spec = itimerspec()
    if let instant {
      let us = max(1, instant.microseconds)
      spec.it_value.tv_sec = Int(us / 1_000_000)
      spec.it_value.tv_nsec = Int(us % 1_000_000) * 1000
    }
    timerfd_settime(timer.raw, CInt(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// Waits for something to happen and calls back for all of it.
  package func turn() { wl_event_loop_dispatch(raw, -1) }
}
