import CLinux
package import CarryModel
package import CarrySystem
import CWaylandServer

/// The daemon's only event loop: libwayland's epoll loop, extended with descriptors, signals and one absolute timer.
///
/// All waiting happens here; all callbacks run on the thread that calls `turn()`.
package final class EventLoop {
  private let raw: OpaquePointer
  private let timer: Descriptor
  private var armed: Instant?
  /// Sources that the kernel has refused so far, because watching needs one more descriptor for each. They are
  /// retried until they are watched.
  private var refused: [Weak] = []

  private struct Weak { weak var source: Source? }

  /// The condition a descriptor is watched for. A hang-up is always reported.
  package enum Interest {
    case reading
    case writing

    fileprivate var mask: UInt32 {
      switch self {
      case .reading: UInt32(WL_EVENT_READABLE)
      case .writing: UInt32(WL_EVENT_WRITABLE)
      }
    }
  }

  /// A descriptor being watched; watching ends with `cancel` or with the last reference.
  package final class Source {
    fileprivate var raw: OpaquePointer?
    fileprivate let fd: CInt
    fileprivate let interest: Interest
    fileprivate let callback: () -> Void
    fileprivate var isCancelled = false

    fileprivate init(_ fd: CInt, _ interest: Interest, callback: @escaping () -> Void) {
      self.fd = fd
      self.interest = interest
      self.callback = callback
    }

    /// While a source is paused, no callback is made. Events that arrive meanwhile are reported afterwards.
    package var isPaused = false {
      didSet { if let raw { wl_event_source_fd_update(raw, isPaused ? 0 : interest.mask) } }
    }

    package func cancel() {
      if let raw { wl_event_source_remove(raw) }
      raw = nil
      isCancelled = true
    }

    deinit { cancel() }
  }

  private var timerSource: Source?

  /// - Parameter raw: a `wl_event_loop` that outlives this object.
  package init(_ raw: OpaquePointer) throws(SystemError) {
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

  /// Calls back whenever the descriptor is ready (or has hung up). The caller keeps ownership of the descriptor.
  ///
  /// If the kernel refuses for lack of descriptors, the loop logs an error and retries until it succeeds, so that no
  /// caller waits for ever.
  package func watch(_ fd: CInt, for interest: Interest = .reading, _ callback: @escaping () -> Void) -> Source {
    let source = Source(fd, interest, callback: callback)
    if !register(source) {
      Log.error("descriptor \(fd) cannot be watched: \(SystemError.last("epoll_ctl").sentence); trying again")
      refused.append(Weak(source: source))
    }
    return source
  }

  private func register(_ source: Source) -> Bool {
    source.raw = wl_event_loop_add_fd(
      raw, source.fd, source.isPaused ? 0 : source.interest.mask,
      { _, _, data in
        guard let data else { return 0 }
        Unmanaged<Source>.fromOpaque(data).takeUnretainedValue().callback()
        return 0
      }, Unmanaged.passUnretained(source).toOpaque())
    return source.raw != nil
  }

  /// How many sources still wait for the kernel to watch them.
  package var refusedCount: Int { refused.count { $0.source?.isCancelled == false } }

  private func registerRefused() {
    guard !refused.isEmpty else { return }
    refused.removeAll { weak in
      guard let source = weak.source, !source.isCancelled else { return true }
      return register(source)
    }
  }

  /// Wakes the loop once at an instant, or not at all with nil. The newest call counts. A loop without anything to
  /// wait for sleeps.
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

  /// Makes the callbacks for all pending events. Waits for an event first, unless `waits` is false.
  package func turn(waits: Bool = true) {
    wl_event_loop_dispatch(raw, !waits ? 0 : refused.isEmpty ? -1 : 100)
    registerRefused()
  }
}
