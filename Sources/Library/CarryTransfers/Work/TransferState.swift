import CarryModel
import CarrySystem
import Synchronization

/// A flag that one thread sets and another reads.
package final class Cancellation: Sendable {
  package init() {}
  private let flag = Atomic<Bool>(false)
  package func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// The state that a load on the client's thread shares with its worker.
package final class TransferState: Sendable {
  /// The number of abandoned workers in this process: those in reads that do not return, such as from a file on a dead
  /// network file system. Nothing can interrupt them.
  private static let abandoned = Atomic<Int>(0)

  private let cancellation = Cancellation()

  private enum Phase {
    case idle
    case running
    /// The load is over, and the worker has not noticed yet.
    case abandoned
  }

  private let worker = Mutex(Phase.idle)

  package init() {}

  /// Whether the load is over.
  var isCancelled: Bool { cancellation.isCancelled }

  /// Runs `body` on a thread of its own, and then the function that it returns, when the thread no longer counts as
  /// working.
  package func startWorker(_ body: @escaping @Sendable () -> @Sendable () -> Void) throws(LoadError) {
    guard Self.abandoned.load(ordering: .relaxed) < Limits.abandonedReaders else {
      throw LoadError(
        .local,
        "\(Limits.abandonedReaders) transfers that were given up still wait for files that cannot be read; end the "
          + "program, or see to the file system that they are on")
    }
    worker.withLock { $0 = .running }
    do {
      try Worker.start {
        let last = body()
        self.workerEnded()
        last()
      }
    } catch {
      worker.withLock { $0 = .idle }
      throw LoadError(.local, "no thread can be made for the transfer: \(error.sentence)")
    }
  }

  private func workerEnded() {
    worker.withLock {
      if $0 == .abandoned { Self.abandoned.subtract(1, ordering: .relaxed) }
      $0 = .idle
    }
  }

  /// Ends the load. Never waits for the worker.
  package func end() {
    cancellation.cancel()
    worker.withLock {
      guard $0 == .running else { return }
      $0 = .abandoned
      Self.abandoned.add(1, ordering: .relaxed)
    }
  }
}
