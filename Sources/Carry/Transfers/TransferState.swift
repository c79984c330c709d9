import CarryModel
import CarrySystem
import Synchronization

/// A flag that one thread sets and another reads.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// Counts workers left behind in reads that do not return, such as from a file on a dead network file system: nothing
/// can interrupt them.
final class LeftBehind: Sendable {
  /// For all loads of this process.
  static let all = LeftBehind()
  /// The limit for the process. These threads only wait.
  static let most = 256
  /// The limit for the items of one source in one session: a source that blocks its readers must not affect others.
  static let mostOfOne = 8

  private let number = Atomic<Int>(0)
  /// Closes the descriptors that the source has handed over.
  let closer = RingCloser()
  /// The number of blocked workers and of descriptors whose close call is blocked.
  var count: Int { number.load(ordering: .relaxed) + closer.stuckCount }
  fileprivate func change(by change: Int) { number.add(change, ordering: .relaxed) }
}

/// The state that a load on the client's thread shares with its worker.
final class TransferState: Sendable {
  /// The counter of the load's source in its session; nil for a load without a session.
  private let leftBehind: LeftBehind?

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

  /// Closes the descriptors that the source has handed over.
  let closer: RingCloser

  init(leftBehind: LeftBehind? = nil) {
    self.leftBehind = leftBehind
    closer = leftBehind?.closer ?? RingCloser()
  }

  /// Whether the load is over.
  var isCancelled: Bool { cancellation.isCancelled }

  /// When the last bytes, or the last sign of life of the source, arrived.
  var lastSign: Instant { Instant(microseconds: sign.load(ordering: .relaxed)) }

  /// The total number of bytes; nil while unknown.
  var expected: Int? {
    let count = total.load(ordering: .relaxed)
    return count < 0 ? nil : count
  }

  func expect(_ count: Int) { total.store(count, ordering: .relaxed) }

  func noteLife(at now: Instant = MonotonicClock.now()) { sign.store(now.microseconds, ordering: .relaxed) }

  /// Runs `body` on a thread of its own, and then the function that it returns, when the thread no longer counts as
  /// working.
  func startWorker(_ body: @escaping @Sendable () -> @Sendable () -> Void) throws(LoadError) {
    if let count = leftBehind?.count, count >= LeftBehind.mostOfOne {
      throw LoadError(
        .local, "\(count) cancelled transfers of this drop still wait for the source's descriptors")
    }
    guard LeftBehind.all.count < LeftBehind.most else {
      throw LoadError(
        .local,
        "\(LeftBehind.most) transfers that were given up still wait for files that cannot be read; end the "
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
      if $0 == .leftBehind { count(-1) }
      $0 = .idle
    }
  }

  /// Ends the load. Never waits for the worker.
  func end() {
    cancellation.cancel()
    worker.withLock {
      guard $0 == .running else { return }
      $0 = .leftBehind
      count(1)
    }
  }

  private func count(_ change: Int) {
    LeftBehind.all.change(by: change)
    leftBehind?.change(by: change)
  }
}
