import CLinux
import CarrySystem
import Synchronization

/// Something that only the client's thread touches, carried through a worker and back.
package struct OnClientThread<T>: @unchecked Sendable {
  package let value: T
  package init(_ value: T) { self.value = value }
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

  /// Whether nothing is pending. From any thread.
  var isEmpty: Bool { pending.withLock { $0.isEmpty } }

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
