import CarryModel
import CarrySystem
import CarryWireClient

/// Work for a thread of its own, and the callbacks for its result.
struct BlockingWork {
  let places: Set<BlockingSlots.Place>
  /// The time limit.
  let time: Interval
  /// Whether to omit the warning if the work takes longer.
  let isQuiet: Bool
  let isUrgent: Bool
  let look = FileAccess()
  /// Whether late work may be abandoned. Otherwise its result is awaited.
  let mayAbandon: () -> Bool
  /// Does the work, on its thread. Returns a function that reports the result, called on the client's thread.
  let run: @Sendable () -> @Sendable () -> Void
  /// Reports, on the client's thread, that there is no result.
  let fail: (BlockingFailure) -> Void

  /// - Parameter paths: the files that the work accesses.
  init<T: Sendable>(
    lookingAt paths: [String], for time: Interval, isQuiet: Bool = false, isUrgent: Bool = false,
    mayAbandon: @escaping () -> Bool = { true }, _ work: @escaping @Sendable () -> T,
    then completion: @escaping (Result<T, BlockingFailure>) -> Void
  ) {
    let mounts = MountPoints.now
    places = Set(paths.map { BlockingSlots.Place(path: $0, mount: mounts.mount(of: $0)) })
    (self.time, self.isQuiet, self.isUrgent, self.mayAbandon) = (time, isQuiet, isUrgent, mayAbandon)
    let back = OnClientThread(completion)
    run = {
      let result = work()
      return { back.value(.success(result)) }
    }
    fail = { completion(.failure($0)) }
  }
}

/// Why work has no result, as a clause.
struct BlockingFailure: Error {
  let why: String

  static let late = BlockingFailure(why: "its file system does not answer")
}

/// The threads for work that may wait for a file system. Used on the client's thread only.
final class BlockingThreads {
  private let completions: ClientQueue
  private var slots = BlockingSlots()
  /// Running work by slot, without work that has exceeded its time limit.
  private var underWay: [Int: BlockingWork] = [:]
  /// Work that waits for its turn, by mount point.
  private var waiting: [String: PendingProvisions<BlockingWork>] = [:]
  /// The mount points of waiting work. The one served most recently is last.
  private var mounts: [String] = []
  /// Called when `nextDeadline` may have changed.
  var onChange: () -> Void = {}

  init(_ completions: ClientQueue) { self.completions = completions }

  /// - Returns: whether the work runs. It does not if earlier work is still blocked, or if no thread can be created.
  func begin(_ work: BlockingWork) -> Bool {
    do throws(BlockingFailure) { try begin(work, inTurn: false) } catch { return false }
    return true
  }

  /// Begins work as soon as its mount point has capacity. All files of the work are on one mount point.
  ///
  /// - Parameter provision: the load that the work is for, if any.
  func beginInTurn(_ work: BlockingWork, for provision: WireProvision? = nil) {
    let mount = work.places.first?.mount ?? ""
    if waiting[mount] == nil {
      waiting[mount] = PendingProvisions()
      mounts.append(mount)
    }
    if waiting[mount]?.isEmpty == true, slots.room(for: work.places, inTurn: true) != .later {
      start(work)
      return forgetEmpty()
    }
    waiting[mount]?.append(work, for: provision) {}
    onChange()
  }

  private func begin(_ work: BlockingWork, inTurn: Bool) throws(BlockingFailure) {
    let end = MonotonicClock.now() + work.time
    guard let number = slots.reserve(work.places, until: end, inTurn: inTurn) else { throw .late }
    underWay[number] = work
    let (look, run, back) = (work.look, work.run, OnClientThread(self))
    do throws(SystemError) {
      try Worker.start(isUrgent: work.isUrgent) { [completions] in
        let tell = FileAccess.$current.withValue(look) { run() }
        completions.add { back.value.hasReturned(number, tell) }
      }
    } catch {
      slots.release(number)
      underWay[number] = nil
      throw BlockingFailure(why: error.sentence)
    }
    onChange()
  }

  private func hasReturned(_ number: Int, _ tell: () -> Void) {
    slots.release(number)
    // A timeout has already been reported: the late result is discarded.
    if underWay.removeValue(forKey: number) != nil { tell() }
    startNext()
  }

  private func start(_ work: BlockingWork) {
    do throws(BlockingFailure) { try begin(work, inTurn: true) } catch { work.fail(error) }
  }

  /// Begins waiting work that may run now, mount points in rotation. A callback may add more work.
  private func startNext() {
    var found = true
    while found {
      found = false
      for mount in mounts {
        guard let next = waiting[mount]?.first, slots.room(for: next.places, inTurn: true) != .later,
          waiting[mount]?.popFirst() != nil
        else { continue }
        found = true
        mounts.removeAll { $0 == mount }
        mounts.append(mount)
        start(next)
      }
    }
    forgetEmpty()
  }

  private func forgetEmpty() {
    waiting = waiting.filter { !$1.isEmpty }
    mounts.removeAll { waiting[$0] == nil }
  }

  // MARK: Time

  var nextDeadline: Instant? { .earliest(slots.nextDeadline, waiting.values.compactMap(\.nextSign).min()) }

  /// Abandons work that has exceeded its time limit.
  func advance(to now: Instant) {
    let late = slots.advance(to: now, lookingAt: { underWay[$0]?.look.path })
    for (number, path) in late {
      guard let work = underWay[number] else { continue }
      guard work.mayAbandon() else {
        slots.await(number)
        continue
      }
      underWay[number] = nil
      // Otherwise users may wonder why files arrive as text.
      if !work.isQuiet {
        Warning.say("\(SafeText.displayable(path)) does not answer: until it does, it is passed on as an address")
      }
      work.fail(.late)
    }
    if !late.isEmpty { startNext() }
    for line in waiting.values { line.advance(to: now) }
  }

  /// The client is closing.
  func forgetWaiting() {
    for line in waiting.values { line.removeAll() }
    forgetEmpty()
  }
}
