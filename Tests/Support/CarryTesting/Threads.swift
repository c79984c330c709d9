import CLinux
import CarryModel
package import CarrySystem
import Synchronization

/// A value that one thread at a time uses, which the compiler cannot see.
package final class Shared<T>: @unchecked Sendable {
  package var value: T
  package init(_ value: T) { self.value = value }
}

/// Blocks a worker until it is opened.
package final class Barrier: Sendable {
  private let isOpen = Atomic<Bool>(false)
  package init() {}
  package func open() { isOpen.store(true, ordering: .releasing) }
  package func wait() { while !isOpen.load(ordering: .acquiring) { sched_yield() } }
  package var hasOpened: Bool { isOpen.load(ordering: .acquiring) }
}

/// Counts across threads.
package final class Count: Sendable {
  private let number = Atomic<Int>(0)
  package init() {}
  package func add() { number.add(1, ordering: .releasing) }
  package var value: Int { number.load(ordering: .acquiring) }
}

/// Waits for something that another thread does.
package func wait(seconds: Double = 30, until condition: () -> Bool) -> Bool {
  let end = MonotonicClock.now() + .seconds(seconds)
  while !condition() {
    if MonotonicClock.now() > end { return false }
    sched_yield()
  }
  return true
}

/// A file with these bytes that has no name any more.
package func unnamedFile(_ bytes: [UInt8]) throws -> Descriptor {
  var name = Array("/tmp/carry-file-\(getpid())-XXXXXX".utf8CString)
  let fd = Descriptor(owning: try check("mkstemp") { mkstemp(&name) })
  unlink(name)
  try check("write") { bytes.withUnsafeBytes { write(fd.raw, $0.baseAddress, $0.count) } }
  return fd
}
