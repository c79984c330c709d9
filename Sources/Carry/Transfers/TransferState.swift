import CarryModel
import CarrySystem
import Synchronization

/// A flag that one thread raises and another sees.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// What a load on the client's thread and its worker know of each other.
final class TransferState: Sendable {
  /// How many workers may be left behind in reads that do not return, such as of a file on a dead network file system:
  /// nothing can end those.
  static let mostStuck = 64
  private static let stuck = Atomic<Int>(0)

  private let cancellation = Cancellation()
  private let sign = Atomic<Int64>(0)
  private let total = Atomic<Int>(-1)

  private enum Phase {
    case idle
    case running
    /// The load is over, and the worker has not noticed yet.
    case leftBehind
  }

  private let worker = Mutex(Phase.idle)

  /// Whether the load is over.
  var isCancelled: Bool { cancellation.isCancelled }

  /// When bytes, or a word of the source, last came.
  var lastSign: Instant { Instant(microseconds: sign.load(ordering: .relaxed)) }

  /// How many bytes come in all; nil while nobody knows.
  var expected: Int? {
    let count = total.load(ordering: .relaxed)
    return count < 0 ? nil : count
  }

  func expect(_ count: Int) { total.store(count, ordering: .relaxed) }

  func noteLife(at now: Instant = MonotonicClock.now()) { sign.store(now.microseconds, ordering: .relaxed) }

  /// Runs `body` on a thread of its own.
  func startWorker(_ body: @escaping @Sendable () -> Void) throws(LoadError) {
    guard Self.stuck.load(ordering: .relaxed) < Self.mostStuck else {
      throw LoadError(
        .local,
        "\(Self.mostStuck) transfers that were given up still wait for files that cannot be read; end the "
          + "program, or see to the file system that they are on")
    }
    worker.withLock { $0 = .running }
    do {
      try Worker.start {
        body()
        self.workerEnded()
      }
    } catch {
      worker.withLock { $0 = .idle }
      throw LoadError(.local, "no thread can be made for the transfer: \(error.sentence)")
    }
  }

  private func workerEnded() {
    worker.withLock {
      if $0 == .leftBehind { Self.stuck.subtract(1, ordering: .relaxed) }
      $0 = .idle
    }
  }

  /// The load is over. Never waits for the worker.
  func end() {
    cancellation.cancel()
    worker.withLock {
      guard $0 == .running else { return }
      $0 = .leftBehind
      Self.stuck.add(1, ordering: .relaxed)
    }
  }
}
