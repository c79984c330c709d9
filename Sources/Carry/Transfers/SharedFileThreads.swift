import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// The threads that read and write files which several programs share. Only the client's thread uses it.
///
/// Each piece of work has a thread, a few on one file system at a time, and the others stand in line. Work that has not got its
/// file in time is given up, and does not begin any more. Work that has begun is waited for, however long it takes: nobody can
/// tell a slow disk from one that hangs, and what is half written must not be taken for failed.
final class SharedFileThreads {
  static let most = 64
  static let mostOfOnePlace = 8
  /// How many seconds longer than for others it may take to get a file: a machine may be busy.
  static let patience = Limits.transferSeconds

  /// Who may decide what becomes of a piece of work: its thread, which begins then, or the client, which gives up.
  private final class Claim: Sendable {
    private let taken = Atomic(false)
    /// The file system that the file turned out to be on; 0 while that is the one that its path names.
    let device = Atomic<UInt>(0)
    var isTaken: Bool { taken.load(ordering: .acquiring) }
    /// - Returns: whether nobody has taken it before.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
  }

  /// What has come of a piece of work. Its thread holds this and not the completion, which is released on the client's thread.
  private final class Answer<T: Sendable>: Sendable { let result = Mutex<Result<T, any Error>?>(nil) }

  private struct Work {
    let path: String
    /// The file system that the path names. A folder of it may be a link to another one.
    let named: UInt
    /// Where the file turned out to be, if that is another one.
    var found: UInt? {
      let device = claim.device.load(ordering: .relaxed)
      return device == 0 ? nil : device
    }
    let claim: Claim
    /// How long it may take to get its file, and to come to its turn after another piece of work has ended.
    let time: Interval
    /// When it is given up; nil once that is decided.
    var until: Instant?
    /// Begins it on its thread; nil once it has begun.
    var start: (() throws(SystemError) -> Void)?
    /// Why its thread could not be made.
    var problem: FileCoordinationError?
    /// Tells what has come of it, or else the error; nil once it was given up.
    var tell: ((FileCoordinationError?) -> Void)?
  }

  private final class Weak: @unchecked Sendable {
    weak var threads: SharedFileThreads?
    init(_ threads: SharedFileThreads) { self.threads = threads }
  }

  private let completions: CompletionQueue
  /// By number. Work that was given up stays for as long as its thread does.
  private var running: [Int: Work] = [:]
  /// Those that stand in line, the first first.
  private var waiting: [(number: Int, work: Work)] = []
  private var next = 0
  private var isOver = false
  /// Called when `nextDeadline` may have changed.
  var onChange: () -> Void = {}

  init(_ completions: CompletionQueue) { self.completions = completions }

  /// Begins, now or in turn. What comes of it is told later, never before this returns.
  ///
  /// - Parameters:
  ///   - place: the number of the file system that the file should be on.
  ///   - seconds: how long to wait for others at the file.
  func begin<T: Sendable>(
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
            // Not by the file's number, which with btrfs is of a part of the file system.
            let own = Files.link("/proc/self/fd/\(file.raw)").map { MountPoints.now.device(of: $0) } ?? place
            if own != place {
              claim.device.store(own, ordering: .relaxed)
              completions.add { this.threads?.isElsewhere(from: place) }
            }
            guard claim.take() else { throw FileCoordinationError.busy }
            return try body(file.raw)
          }
          answer.result.withLock { $0 = result }
          completions.add { this.threads?.hasReturned(number) }
        }
      },
      tell: { error in
        // What is there is told, also where nobody could wait for it any longer.
        completion(answer.result.withLock { $0.take() } ?? .failure(error ?? .busy))
      })
    waiting.append((number, work))
    goOn()
    onChange()
  }

  private func hasReturned(_ number: Int) {
    let wasFull = running.count >= Self.most
    guard let work = running.removeValue(forKey: number) else { return }
    renew { wasFull || $0 == work.named || $0 == work.found }
    goOn()
    onChange()
    work.tell?(work.problem)
  }

  /// A file is on another file system than its path says: there is room for those that are where it says.
  private func isElsewhere(from place: UInt) {
    renew { $0 == place }
    goOn()
    onChange()
  }

  /// Those in line come nearer to their turn: however long the line is, they are not given up while others end.
  private func renew(_ isNearer: (_ place: UInt) -> Bool) {
    let now = MonotonicClock.now()
    for i in waiting.indices where isNearer(waiting[i].work.named) {
      waiting[i].work.until = now + waiting[i].work.time
    }
  }

  /// How many there are on each file system. What is elsewhere than its path says counts there as long as there is room: else
  /// everything behind a link would go on at once.
  private func counts() -> [UInt: Int] {
    // Who has been given up may be on another file system than its path says, behind a link.
    let counted = running.values.filter { $0.tell != nil }
    var counts = Dictionary(counted.filter { $0.found == nil }.map { ($0.named, 1) }, uniquingKeysWith: +)
    for work in counted {
      guard let found = work.found else { continue }
      counts[counts[found, default: 0] < Self.mostOfOnePlace ? found : work.named, default: 0] += 1
    }
    return counts
  }

  /// Starts those in line that have room.
  private func goOn() {
    var counts = counts()
    waiting.removeAll { number, work in
      guard running.count < Self.most, counts[work.named, default: 0] < Self.mostOfOnePlace else { return false }
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

  var nextDeadline: Instant? {
    .earliest(running.values.compactMap(\.until).min(), waiting.lazy.compactMap(\.work.until).min())
  }

  /// Gives up what has not got its file in time.
  func advance(to now: Instant) {
    var late: [(Work, String)] = []
    for (number, work) in running where work.until.map({ $0 <= now }) == true {
      running[number]?.until = nil
      if work.claim.take() {
        // Its thread may never return: nothing of the caller's is kept for it.
        running[number]?.tell = nil
        late.append((work, "its file system does not answer"))
      }
    }
    waiting.removeAll { _, work in
      guard work.until.map({ $0 <= now }) == true else { return false }
      late.append((work, "too many other files are read and written"))
      return true
    }
    if !late.isEmpty { goOn() }
    for (work, why) in late { work.tell?(.failed("\(SafeText.displayable(work.path)): \(why)")) }
  }

  /// The client is going. What has begun goes on, and nobody hears of it.
  func end() {
    isOver = true
    let all = Array(running.values) + waiting.map(\.work)
    (running, waiting) = ([:], [])
    for work in all {
      _ = work.claim.take()
      work.tell?(.failed("\(SafeText.displayable(work.path)): the client was closed meanwhile"))
    }
  }
}
