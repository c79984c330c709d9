import CarryModel

/// Decides which members do bulk work now and which wait: first come, first served, a fixed number at a time.
///
/// A member that does not return for a while is occupied elsewhere, in application code that waits for something. Its
/// place passes to the next member; it then has none to give back, and asks again like any other. So no member waits
/// forever, not even if two wait for each other.
///
/// No clock and no thread: each call receives the time, and returns which members are to look again. One of the
/// waiting members watches the time for all.
struct Turns {
  typealias Member = Int

  /// How a member proceeds after asking.
  enum Answer: Equatable {
    case go
    /// Wait until woken, or until this time, and ask again in both cases.
    case wait(until: Instant?)
  }

  private struct Holder {
    let member: Member
    /// When it started working; nil until it has noticed its turn. A member that waits for a processor is not
    /// elsewhere.
    var since: Instant?
  }

  private let places: Int
  private let patience: Interval
  private var holders: [Holder] = []
  private var queue: [Member] = []
  private var watcher: Member?

  /// - Parameters:
  ///   - places: the number of members that work at a time.
  ///   - patience: the time after which a member that has not returned counts as elsewhere.
  init(places: Int, patience: Interval) { (self.places, self.patience) = (places, patience) }

  /// The number of waiting members.
  var waitingCount: Int { queue.count }

  /// Asks for a turn, or whether it has come.
  ///
  /// - Returns: also the other members that are to look again.
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

  /// Gives a turn back, or stops waiting for one. No effect if the member has neither.
  ///
  /// - Returns: the members that are to look again.
  mutating func leave(_ member: Member, at now: Instant) -> [Member] {
    holders.removeAll { $0.member == member }
    queue.removeAll { $0 == member }
    if watcher == member { watcher = nil }
    return relieve(at: now)
  }

  /// Reclaims the places of members that are elsewhere, and assigns all free places.
  private mutating func relieve(at now: Instant) -> [Member] {
    guard !queue.isEmpty else { return [] }
    holders.removeAll { holder in holder.since.map { now >= $0 + patience } ?? false }
    let next = queue.prefix(places - min(places, holders.count))
    queue.removeFirst(next.count)
    holders += next.map { Holder(member: $0, since: nil) }
    var woken = Array(next)
    if let old = watcher, next.contains(old) { watcher = nil }
    // The last one, since it can watch for longest.
    if watcher == nil, let last = queue.last {
      watcher = last
      woken.append(last)
    }
    return woken
  }
}
