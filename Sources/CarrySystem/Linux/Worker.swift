import CLinux

/// A thread for one piece of work that may have to wait, so that no event loop does.
package enum Worker {
  /// For tests: stands for a system that has no thread left, for what runs within.
  @TaskLocal package static var isRefused = false

  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread. All signals stay with the program's own threads, and a peer that hangs up raises
  /// none here.
  ///
  /// - Throws: when there can be no more threads; `body` is not run then.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    if isRefused { throw SystemError(code: EAGAIN, call: "pthread_create") }
    let box = Unmanaged.passRetained(Box(body))
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
        Unmanaged<Box>.fromOpaque(data).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard failed == 0 else {
      box.release()
      throw SystemError(code: failed, call: "pthread_create")
    }
    pthread_detach(thread)
  }
}
