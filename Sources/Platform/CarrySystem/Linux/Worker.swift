import CLinux

/// Runs work that may block on its own thread, so that no event loop blocks.
package enum Worker {
  /// For tests: makes `start` fail as on a system without free threads.
  @TaskLocal package static var isRefused = false

  private final class Box {
    let isUrgent: Bool
    let body: @Sendable () -> Void

    init(isUrgent: Bool, _ body: @escaping @Sendable () -> Void) { (self.isUrgent, self.body) = (isUrgent, body) }
  }

  /// The nice value of worker threads, from 0 to 19 (`setpriority`). A hundred copying threads would otherwise keep
  /// the engine from moving a dragged preview.
  private static let niceness: CInt = 5

  /// Runs `body` on a new thread with lower priority. The program's own threads handle all signals, and a peer that
  /// hangs up raises none here.
  ///
  /// - Parameter isUrgent: Whether a touch depends on it. The thread, and threads that it starts, then keep the
  ///   normal priority.
  /// - Throws: If no thread can be created; `body` does not run then.
  package static func start(isUrgent: Bool = false, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    if isRefused { throw SystemError(code: EAGAIN, call: "pthread_create") }
    let box = Unmanaged.passRetained(Box(isUrgent: isUrgent, body))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { data in
        guard let data else { return nil }
        let box = Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
        if !box.isUrgent { clinux_be_nice(Worker.niceness) }
        box.body()
        return nil
      }, box.toOpaque())
    guard failed == 0 else {
      box.release()
      throw SystemError(code: failed, call: "pthread_create")
    }
    pthread_detach(thread)
  }
}
