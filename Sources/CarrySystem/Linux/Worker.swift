import CLinux

/// Runs a piece of work that may have to wait on a thread of its own, so that no event loop waits.
package enum Worker {
  /// For tests: makes `start` fail as on a system that has no thread left.
  @TaskLocal package static var isRefused = false

  private final class Box {
    let isUrgent: Bool
    let body: @Sendable () -> Void

    init(isUrgent: Bool, _ body: @escaping @Sendable () -> Void) { (self.isUrgent, self.body) = (isUrgent, body) }
  }

  /// How much the threads give way to those that answer people: the nice value of `setpriority`, from 0 to 19. A hundred
  /// threads that copy would otherwise keep the engine from moving what a finger carries.
  private static let niceness: CInt = 5

  /// Runs `body` on a new thread, which gives way to other threads. All signals stay with the program's own threads, and a
  /// peer that hangs up raises none here.
  ///
  /// - Parameter isUrgent: whether a finger waits for it. It gives way to nobody then, and nor do the threads that it starts.
  /// - Throws: when no thread can be made; `body` does not run then.
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
