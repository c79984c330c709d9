import CLinux
import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization
import Testing

@testable import Carry

/// What is only touched by one thread at a time, whatever the compiler can tell.
final class Shared<T>: @unchecked Sendable {
  var value: T
  init(_ value: T) { self.value = value }
}

/// Holds a worker up until it is opened.
final class Barrier: Sendable {
  private let isOpen = Atomic<Bool>(false)
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() { while !isOpen.load(ordering: .acquiring) { sched_yield() } }
  var hasOpened: Bool { isOpen.load(ordering: .acquiring) }
}

/// Counts across threads.
final class Count: Sendable {
  private let number = Atomic<Int>(0)
  func add() { number.add(1, ordering: .releasing) }
  var value: Int { number.load(ordering: .acquiring) }
}

/// Turns a client's transfers, as its loop would, until something holds.
func turn(_ transfers: Transfers, seconds: Double = 30, until condition: () -> Bool) -> Bool {
  let end = MonotonicClock.now() + .seconds(seconds)
  while !condition() {
    if MonotonicClock.now() > end { return false }
    var fds = transfers.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&fds, nfds_t(fds.count), 100)
    transfers.turn()
  }
  return true
}

/// Waits for something that another thread does.
func wait(seconds: Double = 30, until condition: () -> Bool) -> Bool {
  let end = MonotonicClock.now() + .seconds(seconds)
  while !condition() {
    if MonotonicClock.now() > end { return false }
    sched_yield()
  }
  return true
}

/// A file of the test's own, which has no name any more.
func file(_ bytes: [UInt8]) throws -> Descriptor {
  var name = Array("/tmp/carry-library-\(getpid())-XXXXXX".utf8CString)
  let fd = Descriptor(owning: mkstemp(&name))
  try #require(fd.raw >= 0)
  unlink(name)
  let n = bytes.withUnsafeBytes { write(fd.raw, $0.baseAddress, $0.count) }
  #expect(n == bytes.count)
  return fd
}

/// A load that nobody wants any more ends, and says so.
func expectCancelled(_ result: Shared<Result<Int, LoadError>?>, _ hasEnded: Barrier) {
  #expect(wait { hasEnded.hasOpened })
  guard case .failure(let error) = result.value else {
    Issue.record("\(String(describing: result.value))")
    return
  }
  #expect(error.code == .cancelled)
}

/// Reads what a source hands over.
func receive(_ delivery: WireLoad.Delivery, into sink: any Sink) -> Result<Int, LoadError> {
  Receiver.receive(delivery, into: sink, TransferState(), progress: { _ in })
}
