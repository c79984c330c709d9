import CLinux
package import CarrySystem
import Synchronization

/// Carries a value that only the client's thread may use through a worker and back.
package struct OnClientThread<T>: @unchecked Sendable {
  package let value: T
  package init(_ value: T) { self.value = value }
}

/// Functions that workers queue for the client's thread.
package final class ClientQueue: Sendable {
  private let pending = Mutex<[@Sendable () -> Void]>([])
  private let wake: Descriptor

  package init() throws(SystemError) {
    wake = Descriptor(owning: try check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)) })
  }

  /// Readable while functions are pending.
  package var descriptor: CInt { wake.raw }

  /// Whether nothing is pending. Callable from any thread.
  package var isEmpty: Bool { pending.withLock { $0.isEmpty } }

  /// Queues a function. Callable from any thread.
  package func add(_ body: @escaping @Sendable () -> Void) {
    pending.withLock { $0.append(body) }
    var one: UInt64 = 1
    _ = write(wake.raw, &one, 8)
  }

  /// Runs all pending functions. Called on the client's thread.
  package func run() {
    var count: UInt64 = 0
    _ = read(wake.raw, &count, 8)
    let bodies = pending.withLock { list in
      defer { list = [] }
      return list
    }
    for body in bodies { body() }
  }
}
