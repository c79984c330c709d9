import CarryModel
import CarrySystem
import Synchronization

/// A flag that one thread raises and another sees.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

/// Workers that were left behind in reads that do not return, such as of a file on a dead network file system: nothing can
/// end those.
final class LeftBehind: Sendable {
  /// Of all loads of this process.
  static let all = LeftBehind()
  /// How many there may be in all. They do nothing but wait.
  static let most = 256
  /// And of the items of one source in one session, which may have seen to it: nobody else is to be refused for that.
  static let mostOfOne = 8

  private let number = Atomic<Int>(0)
  /// Closes what the source has handed over.
  let closer = RingCloser()
  /// How many wait, or are kept by what cannot be closed.
  var count: Int { number.load(ordering: .relaxed) + closer.stuckCount }
  fileprivate func change(by change: Int) { number.add(change, ordering: .relaxed) }
}

/// What a load on the client's thread and its worker know of each other.
final class TransferState: Sendable {
  /// Of the load's source in its session; nil for a load that belongs to none.
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

  /// Who closes what the source has handed over.
  let closer: RingCloser

  init(leftBehind: LeftBehind? = nil) {
    self.leftBehind = leftBehind
    closer = leftBehind?.closer ?? RingCloser()
  }

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

  /// Runs `body` on a thread of its own, and then what it returns: by then the thread does not count as one that works any more.
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

  /// The load is over. Never waits for the worker.
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
