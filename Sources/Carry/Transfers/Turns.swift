import CarryModel

/// Who goes on with bulk work now, and who waits for that: first come, first served, so many at a time.
///
/// A member that does not come back for a while is elsewhere, in code of the application's that waits for something. Its
/// place goes to the next one; it has none to give back then, and asks again as anybody does. So nobody waits for ever, not
/// even for one who waits for him.
///
/// No clock and no thread: the time comes with each call, and who is to look again is the answer. Of those who wait, one
/// watches the time for all.
struct Turns {
  typealias Member = Int

  /// What one who asks does.
  enum Answer: Equatable {
    case go
    /// Waits until it is woken, or until then. It looks again in both cases.
    case wait(until: Instant?)
  }

  private struct Holder {
    let member: Member
    /// Since when it is at work; nil until it has noticed that it may be. One that waits for a processor is not elsewhere.
    var since: Instant?
  }

  private let places: Int
  private let patience: Interval
  private var holders: [Holder] = []
  private var queue: [Member] = []
  private var watcher: Member?

  /// - Parameters:
  ///   - places: how many go on at a time.
  ///   - patience: after what time one that does not come back is elsewhere.
  init(places: Int, patience: Interval) { (self.places, self.patience) = (places, patience) }

  /// How many wait.
  var waitingCount: Int { queue.count }

  /// Asks for a turn, or looks again whether it has come.
  ///
  /// - Returns: who else is to look again besides.
  mutating func ask(_ member: Member, at now: Instant) -> (answer: Answer, woken: [Member]) {
    if !holders.contains(where: { $0.member == member }), !queue.contains(member) { queue.append(member) }
    var woken = relieve(at: now)
    woken.removeAll { $0 == member }
    if let i = holders.firstIndex(where: { $0.member == member }) {
      holders[i].since = holders[i].since ?? now
      return (.go, woken)
    }
    guard watcher == member else { return (.wait(until: nil), woken) }
    return (.wait(until: holders.map { ($0.since ?? now) + patience }.min()), woken)
  }

  /// Gives a turn back, or gives up waiting for one. One that has neither loses nothing.
  ///
  /// - Returns: who is to look again.
  mutating func leave(_ member: Member, at now: Instant) -> [Member] {
    holders.removeAll { $0.member == member }
    queue.removeAll { $0 == member }
    if watcher == member { watcher = nil }
    return relieve(at: now)
  }

  /// Takes the places of those that are elsewhere, and gives away all that are free.
  private mutating func relieve(at now: Instant) -> [Member] {
    guard !queue.isEmpty else { return [] }
    holders.removeAll { holder in holder.since.map { now >= $0 + patience } ?? false }
    let next = queue.prefix(places - min(places, holders.count))
    queue.removeFirst(next.count)
    holders += next.map { Holder(member: $0, since: nil) }
    var woken = Array(next)
    if let old = watcher, next.contains(old) { watcher = nil }
    // The last one, as it is the one that watches for longest.
    if watcher == nil, let last = queue.last {
      watcher = last
      woken.append(last)
    }
    return woken
  }
}
