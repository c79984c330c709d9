import CarryModel
import CarrySystem
import CarryWireClient

/// Work for a thread of its own, and who is told of its result.
struct AsideWork {
  let places: Set<AsideSlots.Place>
  /// How long it may take.
  let time: Interval
  /// Whether nobody is warned where it takes longer.
  let isQuiet: Bool
  let isUrgent: Bool
  let look = AsideLook()
  /// Does it, on its thread. What comes back tells of the result, on the client's thread.
  let run: @Sendable () -> @Sendable () -> Void
  /// Tells that there is no result, on the client's thread.
  let fail: () -> Void

  /// - Parameter paths: of the files that it looks at.
  init<T: Sendable>(
    lookingAt paths: [String], for time: Interval, isQuiet: Bool = false, isUrgent: Bool = false,
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) {
    let mounts = MountPoints.now
    places = Set(Set(paths.map(AsideLook.folder)).map { AsideSlots.Place(folder: $0, mount: mounts.mount(of: $0)) })
    (self.time, self.isQuiet, self.isUrgent) = (time, isQuiet, isUrgent)
    let back = OnClientThread(completion)
    run = {
      let result = work()
      return { back.value(result) }
    }
    fail = { completion(nil) }
  }
}

/// The threads for work that may wait for a file system. Only the client's thread uses it.
final class AsideThreads {
  private let completions: CompletionQueue
  private var slots = AsideSlots()
  /// By slot. Work that has taken too long is not among it.
  private var underWay: [Int: AsideWork] = [:]
  /// Work that waits for its turn, by the mount point it is on.
  private var waiting: [String: WaitingLoads<AsideWork>] = [:]
  /// The mount points of that. The one that was served last comes last.
  private var mounts: [String] = []
  /// Called when `nextDeadline` may have changed.
  var onChange: () -> Void = {}

  init(_ completions: CompletionQueue) { self.completions = completions }

  /// - Returns: whether it runs. It does not where work that was begun before still waits, or no thread can be made.
  func begin(_ work: AsideWork) -> Bool { begin(work, inTurn: false) }

  /// Begins work as soon as less runs on its mount point. All of its files are on one.
  func beginInTurn(_ work: AsideWork, for provision: WireProvision) {
    let mount = work.places.first?.mount ?? ""
    if waiting[mount] == nil {
      waiting[mount] = WaitingLoads()
      mounts.append(mount)
    }
    if waiting[mount]?.isEmpty == true, slots.room(for: work.places, inTurn: true) != .later {
      start(work)
      return forgetEmpty()
    }
    waiting[mount]?.append(work, for: provision) {}
    onChange()
  }

  private func begin(_ work: AsideWork, inTurn: Bool) -> Bool {
    let end = MonotonicClock.now() + work.time
    guard let number = slots.take(work.places, until: end, inTurn: inTurn) else { return false }
    underWay[number] = work
    let (look, run, back) = (work.look, work.run, OnClientThread(self))
    do {
      try Worker.start(isUrgent: work.isUrgent) { [completions] in
        let tell = AsideLook.$current.withValue(look) { run() }
        completions.add { back.value.hasReturned(number, tell) }
      }
    } catch {
      slots.giveBack(number)
      underWay[number] = nil
      return false
    }
    onChange()
    return true
  }

  private func hasReturned(_ number: Int, _ tell: () -> Void) {
    slots.giveBack(number)
    // Who has been told that it takes too long is told no more.
    if underWay.removeValue(forKey: number) != nil { tell() }
    goOn()
  }

  private func start(_ work: AsideWork) {
    if slots.room(for: work.places, inTurn: true) == .none || !begin(work, inTurn: true) { work.fail() }
  }

  /// Begins what waits for its turn, and may begin now, one of each mount point after the other. What is told may lead to
  /// more.
  private func goOn() {
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

  /// Ends what has taken too long.
  func advance(to now: Instant) {
    let late = slots.advance(to: now, lookingAt: { underWay[$0]?.look.folder })
    for (number, folder) in late {
      guard let work = underWay.removeValue(forKey: number) else { continue }
      // The user may wonder why files come as text.
      if !work.isQuiet {
        Warning.say("\(folder) does not answer: until it does, files there are passed on as addresses")
      }
      work.fail()
    }
    if !late.isEmpty { goOn() }
    for line in waiting.values { line.advance(to: now) }
  }

  /// The client is going.
  func forgetWaiting() {
    for line in waiting.values { line.removeAll() }
    forgetEmpty()
  }
}
