package import CarryModel

/// Which touch of the X server is which contact, and whose it is. Pure.
///
/// A touch comes in two ways: as a raw event, wherever it is, and as a grabbed one if it began in a guarded window;
/// both have the same number, the raw one comes first.
///
///     raw begin ─▶ waiting ──grabbed begin──▶ held ──claim──▶ claimed
///                     │                         └──yield──▶ yielded
///                     └──8 ms without one──▶ observed: seen, not held; the application has it as well
///
/// Grabbed touches move and end by their grabbed events, whose position is the server's own; all others by raw ones.
package struct TouchLedger: Sendable {
  private enum State: Equatable {
    case waiting(until: Instant)
    case observed
    case held
    case claimed
    case yielded
  }

  private struct Entry {
    let touch: UInt32
    var contact: ContactID?
    var state: State
    var last: Point
    /// The finger is up; a tap is decided after that.
    var hasEnded = false
    /// Claimed while it was only seen.
    var isTaken = false
    /// When a grabbed touch counts as ended though only its raw end was seen: its window may be gone.
    var endsAt: Instant?
  }

  /// What a finger did, for the recognisers.
  package struct Change: Equatable, Sendable {
    package enum Phase: Sendable { case began, moved, ended, cancelled }
    package var contact: ContactID
    package var phase: Phase
    /// Screen pixels.
    package var point: Point
    package var time: Instant
  }

  /// What a decision means for the touch.
  package enum Verdict: Equatable, Sendable {
    case accept(UInt32)
    case reject(UInt32)
    /// The touch is only seen: an application that has it must be told that it is none of its business any more.
    case cancelled(UInt32)
    /// The touch is only seen, and nobody wants to see more of it.
    case unobserve(UInt32)
  }

  /// How long the grabbed begin may come after the raw one.
  private static let grabWait = Interval.milliseconds(8)
  /// How long the grabbed end may come after the raw one.
  private static let endWait = Interval.milliseconds(60)
  private static let capacity = 128

  private var entries: [Entry] = []

  package init() {}

  package var count: Int { entries.count }

  private func index(_ touch: UInt32) -> Int? { entries.firstIndex { $0.touch == touch } }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    guard entries.count > Self.capacity else { return }
    // What has ended long ago has had its decision, or the gate gave it.
    entries.remove(at: entries.firstIndex { $0.hasEnded } ?? 0)
  }

  // MARK: Raw

  package mutating func rawBegan(_ touch: UInt32, at point: Point, time: Instant) {
    guard index(touch) == nil else { return }
    append(Entry(touch: touch, state: .waiting(until: time + Self.grabWait), last: point))
  }

  package mutating func rawMoved(_ touch: UInt32, to point: Point, time: Instant) -> Change? {
    guard let i = index(touch) else { return nil }
    switch entries[i].state {
    case .waiting: entries[i].last = point
    case .observed:
      entries[i].last = point
      return entries[i].contact.map { Change(contact: $0, phase: .moved, point: point, time: time) }
    case .held, .claimed, .yielded: break
    }
    return nil
  }

  /// - Parameter next: a new contact's number, asked for when one is needed.
  package mutating func rawEnded(_ touch: UInt32, time: Instant, next: () -> ContactID) -> [Change] {
    guard let i = index(touch) else { return [] }
    let entry = entries[i]
    switch entry.state {
    case .waiting:
      let contact = next()
      entries[i].contact = contact
      entries[i].state = .observed
      entries[i].hasEnded = true
      return [
        Change(contact: contact, phase: .began, point: entry.last, time: time),
        Change(contact: contact, phase: .ended, point: entry.last, time: time),
      ]
    case .observed:
      guard !entry.hasEnded, let contact = entry.contact else { return [] }
      entries[i].hasEnded = true
      return [Change(contact: contact, phase: .ended, point: entry.last, time: time)]
    case .yielded:
      entries.remove(at: i)
      return entry.hasEnded ? [] : end(entry, time)
    case .held, .claimed:
      if !entry.hasEnded { entries[i].endsAt = time + Self.endWait }
      return []
    }
  }

  private func end(_ entry: Entry, _ time: Instant) -> [Change] {
    entry.contact.map { [Change(contact: $0, phase: .ended, point: entry.last, time: time)] } ?? []
  }

  // MARK: Grabbed

  package mutating func began(_ touch: UInt32, at point: Point, time: Instant, next: () -> ContactID) -> Change? {
    if let i = index(touch) {
      entries[i].last = point
      switch entries[i].state {
      case .waiting:
        let contact = next()
        entries[i].contact = contact
        entries[i].state = .held
        return Change(contact: contact, phase: .began, point: point, time: time)
      case .observed: entries[i].state = entries[i].isTaken ? .claimed : .held
      case .held, .claimed, .yielded: break
      }
      return nil
    }
    let contact = next()
    append(Entry(touch: touch, contact: contact, state: .held, last: point))
    return Change(contact: contact, phase: .began, point: point, time: time)
  }

  /// What is to become of a touch whose grabbed begin made no new finger: somebody else had it until now, as a desktop's
  /// gestures do, and it may have been decided meanwhile. Nobody decides it again.
  package func lateVerdict(_ touch: UInt32) -> Verdict? {
    switch index(touch).map({ entries[$0].state }) {
    case .claimed: .accept(touch)
    case .yielded: .reject(touch)
    case .waiting, .observed, .held, nil: nil
    }
  }

  package mutating func moved(_ touch: UInt32, to point: Point, time: Instant) -> Change? {
    guard let i = index(touch), entries[i].state == .held || entries[i].state == .claimed else { return nil }
    entries[i].last = point
    return entries[i].contact.map { Change(contact: $0, phase: .moved, point: point, time: time) }
  }

  package mutating func ended(_ touch: UInt32, at point: Point, time: Instant) -> Change? {
    guard let i = index(touch), entries[i].state == .held || entries[i].state == .claimed, !entries[i].hasEnded
    else { return nil }
    entries[i].last = point
    entries[i].hasEnded = true
    entries[i].endsAt = nil
    let contact = entries[i].contact
    if entries[i].state == .claimed { entries.remove(at: i) }
    return contact.map { Change(contact: $0, phase: .ended, point: point, time: time) }
  }

  /// The touch is no finger of ours any more: it is the application's, or it was none (a palm).
  package mutating func cancel(_ touch: UInt32, time: Instant) -> Change? {
    guard let i = index(touch) else { return nil }
    let entry = entries[i]
    if entry.hasEnded || entry.endsAt != nil {
      entries.remove(at: i)
    } else {
      // Known until it goes up: its grabbed begin may be on its way, and must not make it a finger again.
      entries[i].state = .yielded
      entries[i].contact = nil
    }
    guard !entry.hasEnded || entry.state == .held else { return nil }
    return entry.contact.map { Change(contact: $0, phase: .cancelled, point: entry.last, time: time) }
  }

  /// The gate is gone and every touch with it.
  package mutating func cancelAll(time: Instant) -> [Change] {
    let all = entries
    entries = []
    return all.filter { !$0.hasEnded || $0.state == .held }.compactMap { entry in
      entry.contact.map { Change(contact: $0, phase: .cancelled, point: entry.last, time: time) }
    }
  }

  // MARK: Decisions

  package mutating func claim(_ contact: ContactID) -> Verdict? {
    guard let i = entries.firstIndex(where: { $0.contact == contact }) else { return nil }
    let entry = entries[i]
    switch entry.state {
    case .held:
      entries[i].state = .claimed
      if entry.hasEnded { entries.remove(at: i) }
      return .accept(entry.touch)
    case .observed:
      entries[i].isTaken = true
      if entry.hasEnded { entries.remove(at: i) }
      return .cancelled(entry.touch)
    case .waiting, .claimed, .yielded: return nil
    }
  }

  package mutating func yield(_ contact: ContactID) -> Verdict? {
    guard let i = entries.firstIndex(where: { $0.contact == contact }) else { return nil }
    let entry = entries[i]
    guard entry.state == .held || entry.state == .observed else { return nil }
    // Until the finger goes up, which only the raw events tell from now on.
    entries[i].state = .yielded
    if entry.hasEnded { entries.remove(at: i) }
    return entry.state == .held ? .reject(entry.touch) : .unobserve(entry.touch)
  }

  /// Whether the touch is only seen.
  package func isObserved(_ contact: ContactID) -> Bool {
    entries.contains { $0.contact == contact && $0.state == .observed }
  }

  /// The touch that is this contact.
  package func touch(of contact: ContactID) -> UInt32? { entries.first { $0.contact == contact }?.touch }

  // MARK: Time

  package var nextDeadline: Instant? {
    var next: Instant?
    for e in entries {
      var due = e.endsAt
      if case .waiting(let until) = e.state { due = until }
      if let due, due < next ?? .distantFuture { next = due }
    }
    return next
  }

  /// What time brings: touches that no grab holds, and ends that never came.
  ///
  /// - Parameter wanted: whether anybody wants to see a touch that is not held.
  package mutating func advance(
    to now: Instant, next: () -> ContactID, wanted: (Point) -> Bool
  ) -> [Change] {
    var changes: [Change] = []
    var i = 0
    while i < entries.count {
      let entry = entries[i]
      if case .waiting(let until) = entry.state, until <= now {
        guard wanted(entry.last) else {
          entries.remove(at: i)
          continue
        }
        let contact = next()
        entries[i].contact = contact
        entries[i].state = .observed
        changes.append(Change(contact: contact, phase: .began, point: entry.last, time: until))
      } else if let due = entry.endsAt, due <= now {
        entries[i].endsAt = nil
        entries[i].hasEnded = true
        changes += end(entry, due)
        if entry.state == .claimed {
          entries.remove(at: i)
          continue
        }
      }
      i += 1
    }
    return changes
  }
}
