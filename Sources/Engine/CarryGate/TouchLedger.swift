package import CarryModel

/// Maps the X server's touches to contacts, and records the owner of each touch. Pure.
///
/// Every touch comes as raw events. A touch that began in a guarded window also comes as grabbed events, with the
/// same number and after the raw event.
///
///     raw begin ─▶ waiting ──grabbed begin──▶ held ──claim──▶ claimed
///                     │                         └──yield──▶ yielded
///                     └──8 ms without one──▶ observed: seen, not held; the application receives it as well
///
/// A grabbed touch moves and ends by its grabbed events, which have the server's own position. All other touches move
/// and end by raw events.
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
    /// Screen pixels.
    var last: Point
    /// The touchscreen, and where the touch began in its units; unknown if no raw begin was seen.
    var device = DeviceID.unknown
    var raw = Point.zero
    /// Whether the finger is up. A tap is decided after that.
    var hasEnded = false
    /// Whether the touch was claimed while it was seen but not held.
    var isTaken = false
    /// When a grabbed touch counts as ended although only its raw end was seen, because its window may be gone.
    var endsAt: Instant?
  }

  /// The consequence of a decision for the touch.
  package enum Verdict: Equatable, Sendable {
    case accept(UInt32)
    case reject(UInt32)
    /// The touch is not held: tell the application that receives it that the touch is cancelled.
    case cancelled(UInt32)
    /// The touch is not held, and wanted: request its motion from this point on, in the units of its device.
    case observe(UInt32, from: Point)
    /// The touch is not held, and its motion is no longer wanted.
    case unobserve(UInt32)
  }

  /// How long after the raw begin the grabbed begin may come.
  private static let grabWait = Interval.milliseconds(8)
  /// How long after the raw end the grabbed end may come.
  private static let endWait = Interval.milliseconds(60)

  private var entries: [Entry] = []
  /// Screen pixels per pixel at 96 dpi, copied into every touch.
  package var scale = 1.0

  package init() {}

  package var count: Int { entries.count }

  private func index(_ touch: UInt32) -> Int? { entries.firstIndex { $0.touch == touch } }

  /// The touch event of the entry's finger; nil while the entry is not a finger.
  private func finger(_ entry: Entry, _ phase: Touch.Phase, _ time: Instant) -> Touch? {
    guard let contact = entry.contact else { return nil }
    return Touch(
      id: contact, phase: phase, point: entry.last, scale: scale, device: entry.device, time: time)
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    guard entries.count > Touch.most else { return }
    // An entry that ended long ago has had its decision, or the gate's deadline has decided it.
    entries.remove(at: entries.firstIndex { $0.hasEnded } ?? 0)
  }

  // MARK: Raw

  /// - Parameters:
  ///   - point: screen pixels.
  ///   - raw: the position in the units of the device.
  package mutating func rawBegan(
    _ touch: UInt32, on device: DeviceID, at point: Point, raw: Point, time: Instant
  ) {
    guard index(touch) == nil else { return }
    append(
      Entry(touch: touch, state: .waiting(until: time + Self.grabWait), last: point, device: device, raw: raw))
  }

  package mutating func rawMoved(_ touch: UInt32, to point: Point, time: Instant) -> Touch? {
    guard let i = index(touch) else { return nil }
    switch entries[i].state {
    case .waiting: entries[i].last = point
    case .observed:
      entries[i].last = point
      return finger(entries[i], .moved, time)
    case .held, .claimed, .yielded: break
    }
    return nil
  }

  /// - Parameter next: allocates a new contact's number if one is needed.
  package mutating func rawEnded(_ touch: UInt32, time: Instant, next: () -> ContactID) -> [Touch] {
    guard let i = index(touch) else { return [] }
    let entry = entries[i]
    switch entry.state {
    case .waiting:
      entries[i].contact = next()
      entries[i].state = .observed
      entries[i].hasEnded = true
      return [finger(entries[i], .began, time), finger(entries[i], .ended, time)].compactMap { $0 }
    case .observed:
      guard !entry.hasEnded else { return [] }
      entries[i].hasEnded = true
      return end(entry, time)
    case .yielded:
      entries.remove(at: i)
      return entry.hasEnded ? [] : end(entry, time)
    case .held, .claimed:
      if !entry.hasEnded { entries[i].endsAt = time + Self.endWait }
      return []
    }
  }

  private func end(_ entry: Entry, _ time: Instant) -> [Touch] { finger(entry, .ended, time).map { [$0] } ?? [] }

  // MARK: Grabbed

  package mutating func began(_ touch: UInt32, at point: Point, time: Instant, next: () -> ContactID) -> Touch? {
    if let i = index(touch) {
      entries[i].last = point
      switch entries[i].state {
      case .waiting:
        entries[i].contact = next()
        entries[i].state = .held
        return finger(entries[i], .began, time)
      case .observed: entries[i].state = entries[i].isTaken ? .claimed : .held
      case .held, .claimed, .yielded: break
      }
      return nil
    }
    let entry = Entry(touch: touch, contact: next(), state: .held, last: point)
    append(entry)
    return finger(entry, .began, time)
  }

  /// The verdict for a touch whose grabbed begin made no new finger. Another client, such as a desktop's gestures,
  /// had the touch until now, and the engine may have decided about it meanwhile. The engine does not decide again.
  package func lateVerdict(_ touch: UInt32) -> Verdict? {
    switch index(touch).map({ entries[$0].state }) {
    case .claimed: .accept(touch)
    case .yielded: .reject(touch)
    case .waiting, .observed, .held, nil: nil
    }
  }

  package mutating func moved(_ touch: UInt32, to point: Point, time: Instant) -> Touch? {
    guard let i = index(touch), entries[i].state == .held || entries[i].state == .claimed else { return nil }
    entries[i].last = point
    return finger(entries[i], .moved, time)
  }

  package mutating func ended(_ touch: UInt32, at point: Point, time: Instant) -> Touch? {
    guard let i = index(touch), entries[i].state == .held || entries[i].state == .claimed, !entries[i].hasEnded
    else { return nil }
    entries[i].last = point
    entries[i].hasEnded = true
    entries[i].endsAt = nil
    let ended = finger(entries[i], .ended, time)
    if entries[i].state == .claimed { entries.remove(at: i) }
    return ended
  }

  /// The touch is no longer one of our fingers: the application has it, or it was a palm.
  package mutating func cancel(_ touch: UInt32, time: Instant) -> Touch? {
    guard let i = index(touch) else { return nil }
    let entry = entries[i]
    if entry.hasEnded || entry.endsAt != nil {
      entries.remove(at: i)
    } else {
      // Keep the entry until the touch goes up: a grabbed begin may be on its way, and must not make it a finger
      // again.
      entries[i].state = .yielded
      entries[i].contact = nil
    }
    guard !entry.hasEnded || entry.state == .held else { return nil }
    return finger(entry, .cancelled, time)
  }

  /// The gate is gone, and every touch with it.
  package mutating func cancelAll(time: Instant) -> [Touch] {
    let all = entries
    entries = []
    return all.filter { !$0.hasEnded || $0.state == .held }.compactMap { finger($0, .cancelled, time) }
  }

  // MARK: Decisions

  /// The undecided touch of a finger that the gate holds; nil if it holds none.
  package func held(_ contact: ContactID) -> UInt32? {
    entries.first { $0.contact == contact && $0.state == .held }?.touch
  }

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
    // Keep the entry until the finger goes up, which only raw events report from now on.
    entries[i].state = .yielded
    if entry.hasEnded { entries.remove(at: i) }
    return entry.state == .held ? .reject(entry.touch) : .unobserve(entry.touch)
  }

  /// The verdict for a finger that has just begun and that the engine wants: requests the motion of a touch that is
  /// not held.
  package func observation(of contact: ContactID) -> Verdict? {
    guard let entry = entries.first(where: { $0.contact == contact }), entry.state == .observed else { return nil }
    return .observe(entry.touch, from: entry.raw)
  }

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

  /// Handles deadlines: touches that turn out not to be grabbed, and grabbed ends that never came.
  ///
  /// - Parameter wanted: whether the engine wants to see a touch that is not held.
  package mutating func advance(
    to now: Instant, next: () -> ContactID, wanted: (Point) -> Bool
  ) -> [Touch] {
    var changes: [Touch] = []
    var i = 0
    while i < entries.count {
      let entry = entries[i]
      if case .waiting(let until) = entry.state, until <= now {
        guard wanted(entry.last) else {
          entries.remove(at: i)
          continue
        }
        entries[i].contact = next()
        entries[i].state = .observed
        if let began = finger(entries[i], .began, until) { changes.append(began) }
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
