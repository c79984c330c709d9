import CLinux
package import CarryModel
import CarrySystem
import Synchronization

/// The threads that read and write files shared between programs. Used on the client's thread only.
///
/// Each piece of work has a thread; a few run on one file system at a time, and the others queue. Work that has not
/// obtained its file in time is abandoned and does not begin. Work that has begun is awaited however long it takes: a
/// slow disk cannot be told from one that hangs, and a half-written file must not be reported as failed.
package final class CoordinatedFileThreads {
  /// The seconds added to the time limit for obtaining a file: the machine may be busy.
  static let patience = Limits.transferSeconds

  /// Decides what happens to a piece of work: its thread claims it and begins, or the client claims it and gives up.
  private final class Claim: Sendable {
    private let taken = Atomic(false)
    /// The device of the file's actual file system; 0 while that is the one that the path names.
    package let device = Atomic<UInt>(0)
    var isTaken: Bool { taken.load(ordering: .acquiring) }
    /// Claims the work.
    ///
    /// - Returns: whether this is the first claim.
    package func make() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
  }

  /// The result of a piece of work. The thread holds this and not the completion, which is released on the client's
  /// thread.
  private final class Answer<T: Sendable>: Sendable { let result = Mutex<Result<T, any Error>?>(nil) }

  private struct Work {
    let path: String
    /// The device of the file system that the path names. One of its folders may be a link to another.
    let named: UInt
    /// The device of the file's actual file system, if that is another one.
    var found: UInt? {
      let device = claim.device.load(ordering: .relaxed)
      return device == 0 ? nil : device
    }
    let claim: Claim
    /// The time limit for obtaining the file, and for reaching its turn after other work has ended.
    let time: Interval
    /// When the work is abandoned; nil once that is decided.
    var until: Instant?
    /// Begins the work on its thread; nil once begun.
    var start: (() throws(SystemError) -> Void)?
    /// Why the thread could not be created.
    var problem: FileCoordinationError?
    /// Reports the result, or else the error; nil once the work is abandoned.
    var tell: ((FileCoordinationError?) -> Void)?
  }

  private final class Weak: @unchecked Sendable {
    weak var threads: CoordinatedFileThreads?
    init(_ threads: CoordinatedFileThreads) { self.threads = threads }
  }

  private let completions: ClientQueue
  /// By number. Abandoned work stays until its thread ends.
  private var running: [Int: Work] = [:]
  /// The queue, first in, first out.
  private var waiting: [(number: Int, work: Work)] = []
  private var next = 0
  private var isOver = false
  /// Called when `nextDeadline` may have changed.
  package var onChange: () -> Void = {}

  package init(_ completions: ClientQueue) { self.completions = completions }

  /// Begins work, now or in turn. The result is always reported after this returns.
  ///
  /// - Parameters:
  ///   - place: the device number of the file system that the file should be on.
  ///   - seconds: how long to wait for other users of the file.
  package func begin<T: Sendable>(
    _ path: String, on place: UInt, isWriting: Bool, within seconds: Double,
    _ body: @escaping @Sendable (CInt) throws -> T, then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    guard !isOver else { return }
    let number = next
    next += 1
    let (claim, answer, this) = (Claim(), Answer<T>(), Weak(self))
    let completions = completions
    let time = Interval.seconds(FileCoordination.bounded(seconds) + Self.patience)
    let work = Work(
      path: path, named: place, claim: claim, time: time, until: MonotonicClock.now() + time,
      start: { () throws(SystemError) in
        try Worker.start {
          let result = Result {
            let file = try FileCoordination.begin(path, isWriting: isWriting, within: seconds)
            // Not by the file's device number: on btrfs it names a subvolume.
            let own = Files.link("/proc/self/fd/\(file.raw)").map { MountPoints.now.device(of: $0) } ?? place
            if own != place {
              claim.device.store(own, ordering: .relaxed)
              completions.add { this.threads?.isElsewhere(from: place) }
            }
            guard claim.make() else { throw FileCoordinationError.busy }
            return try body(file.raw)
          }
          answer.result.withLock { $0 = result }
          completions.add { this.threads?.hasReturned(number) }
        }
      },
      tell: { error in
        // An available result is reported even if the thread could not wait any longer.
        completion(answer.result.withLock { $0.take() } ?? .failure(error ?? .busy))
      })
    waiting.append((number, work))
    startNext()
    onChange()
  }

  private func hasReturned(_ number: Int) {
    let wasFull = running.count >= Limits.coordinatedFiles
    guard let work = running.removeValue(forKey: number) else { return }
    renew { wasFull || $0 == work.named || $0 == work.found }
    startNext()
    onChange()
    work.tell?(work.problem)
  }

  /// A file is on another file system than its path says: the named one has capacity again.
  private func isElsewhere(from place: UInt) {
    renew { $0 == place }
    startNext()
    onChange()
  }

  /// Extends the deadlines of queued work that moves up: however long the queue, nothing is abandoned while other
  /// work ends.
  private func renew(_ isNearer: (_ place: UInt) -> Bool) {
    let now = MonotonicClock.now()
    for i in waiting.indices where isNearer(waiting[i].work.named) {
      waiting[i].work.until = now + waiting[i].work.time
    }
  }

  /// The number of running pieces of work on each file system. A file that is elsewhere than its path says counts
  /// there while there is capacity: otherwise everything behind a link would run at once.
  private func counts() -> [UInt: Int] {
    // Abandoned work may be behind a link, on another file system than its path says.
    let counted = running.values.filter { $0.tell != nil }
    var counts = Dictionary(counted.filter { $0.found == nil }.map { ($0.named, 1) }, uniquingKeysWith: +)
    for work in counted {
      guard let found = work.found else { continue }
      counts[counts[found, default: 0] < Limits.coordinatedFilesPerMount ? found : work.named, default: 0] += 1
    }
    return counts
  }

  /// Starts queued work that has capacity.
  private func startNext() {
    var counts = counts()
    waiting.removeAll { number, work in
      guard running.count < Limits.coordinatedFiles, counts[work.named, default: 0] < Limits.coordinatedFilesPerMount
      else { return false }
      var work = work
      let start = work.start
      (work.start, work.until) = (nil, MonotonicClock.now() + work.time)
      do throws(SystemError) { try start?() } catch {
        work.problem = .failed("\(SafeText.displayable(work.path)): \(error.sentence)")
        let this = Weak(self)
        completions.add { this.threads?.hasReturned(number) }
      }
      counts[work.named, default: 0] += 1
      running[number] = work
      return true
    }
  }

  // MARK: Time

  package var nextDeadline: Instant? {
    .earliest(running.values.compactMap(\.until).min(), waiting.lazy.compactMap(\.work.until).min())
  }

  /// Abandons work that has not obtained its file in time.
  package func advance(to now: Instant) {
    var late: [(Work, String)] = []
    for (number, work) in running where work.until.map({ $0 <= now }) == true {
      running[number]?.until = nil
      if work.claim.make() {
        // The thread may never return: nothing of the caller's is retained for it.
        running[number]?.tell = nil
        late.append((work, "its file system does not answer"))
      }
    }
    waiting.removeAll { _, work in
      guard work.until.map({ $0 <= now }) == true else { return false }
      late.append((work, "too many other files are read and written"))
      return true
    }
    if !late.isEmpty { startNext() }
    for (work, why) in late { work.tell?(.failed("\(SafeText.displayable(work.path)): \(why)")) }
  }

  /// The client is closing. Work that has begun continues without reporting a result.
  package func end() {
    isOver = true
    let all = Array(running.values) + waiting.map(\.work)
    (running, waiting) = ([:], [])
    for work in all {
      _ = work.claim.make()
      work.tell?(.failed("\(SafeText.displayable(work.path)): the client was closed meanwhile"))
    }
  }
}
