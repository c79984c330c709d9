import CLinux
import CarrySystem
import Synchronization

/// A thread for one transfer, so that a slow peer never holds up the application's event loop.
enum Worker {
  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread. All signals stay with the application's own threads, and a peer that hangs up raises
  /// none here.
  ///
  /// - Throws: when there can be no more threads; `body` is not run then.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
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

/// Something that only the client's thread touches, carried through a worker and back.
struct OnClientThread<T>: @unchecked Sendable {
  let value: T
  init(_ value: T) { self.value = value }
}

/// What workers want done on the client's thread.
final class CompletionQueue: Sendable {
  private let pending = Mutex<[@Sendable () -> Void]>([])
  private let wake: Descriptor

  init() throws(SystemError) {
    wake = Descriptor(owning: try check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)) })
  }

  /// Can be read while something is pending.
  var descriptor: CInt { wake.raw }

  /// From any thread.
  func add(_ body: @escaping @Sendable () -> Void) {
    pending.withLock { $0.append(body) }
    var one: UInt64 = 1
    _ = write(wake.raw, &one, 8)
  }

  /// On the client's thread: does everything that is pending.
  func run() {
    var count: UInt64 = 0
    _ = read(wake.raw, &count, 8)
    let bodies = pending.withLock { list in
      defer { list = [] }
      return list
    }
    for body in bodies { body() }
  }
}
