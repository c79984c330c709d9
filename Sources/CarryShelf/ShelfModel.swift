package import CarryModel

/// What lies on the shelf, and how much of the shelf is seen. Pure: its owner draws what it says.
///
///     hidden ──a drag begins──▶ open ──nothing is dragged──▶ hidden, if nothing lies on it
///                                ▲ └──nothing is dragged, and a moment later──▶ tab, if something does
///                                └──a drag begins, or a click on the tab
///
/// Under the mouse's pointer the open shelf stays, and what was removed can be put back as long as the shelf is open.
package struct ShelfModel: Equatable, Sendable {
  /// One item.
  package struct Entry: Equatable, Sendable {
    package let id: Int
    /// What people call it: its name, or what kind of thing it is.
    package var name: String
    /// Whether it can be had no more, so that it can only be removed.
    package var isGone = false
    /// Whether it came with another program's own drag, so that it needs no program any more.
    package var isForeign = false
    /// Whether a drag of the shelf's has it, or a drop that still loads it.
    package var isAway = false
    /// Whether it was on the shelf before: there may have been no room for it, or its program had ended.
    package var wasKept = true

    /// Why it is gone.
    package var whyGone: String { wasKept ? isForeign ? "no longer there" : "program ended" : "not kept" }

    /// Whether it can be lifted.
    package var isThere: Bool { !isGone && !isAway }
  }

  /// How much of the shelf is seen.
  package enum Look: Equatable, Sendable {
    case hidden
    /// A small handle at the edge.
    case tab
    case open
  }

  /// How long the end of a drag waits to be seen. As a drop begins the X server has more to do than to draw what lay beneath the
  /// shelf (docs/decisions/0018).
  static let endWaits = Interval.milliseconds(100)
  /// How long the shelf stays open once nothing is dragged.
  static let lingers = Interval.milliseconds(1500)
  /// How long the shelf stays open after a click on its tab.
  static let staysOpened = Interval.seconds(20)
  /// How long removed items can be put back once the shelf is closed, or a drag is under way. Before, as long as it is open.
  static let undoLasts = Interval.seconds(6)
  /// How long nothing can be cleared after the button that puts back has gone: a click on that may come late, or twice.
  static let clearRests = Interval.seconds(1)

  package private(set) var entries: [Entry] = []
  /// What was removed and can still be put back; empty for nothing.
  package private(set) var removed: [Entry] = []
  /// Where the shelf is; nil before the first drag.
  package private(set) var place: ShelfPlace?
  /// Whether something is dragged, or was a moment ago.
  package private(set) var isDragging = false
  /// When the drag has ended, until that is seen.
  private var hasEnded: Instant?
  private var isUnderPointer = false
  /// Until when the shelf stays open; nil while it is closed, or a drag keeps it open.
  private var opensUntil: Instant?
  /// When what was removed is forgotten, unless the open shelf keeps it.
  private var forgetsAt: Instant?
  /// From when on all can be cleared; nil for now.
  private var clearsFrom: Instant?
  private var lastID = 0

  package init() {}

  package var look: Look {
    guard place != nil else { return .hidden }
    if isDragging || opensUntil != nil { return .open }
    return entries.isEmpty ? .hidden : .tab
  }

  /// Whether there is nothing to keep a process for.
  package var isIdle: Bool { look == .hidden && removed.isEmpty }

  package subscript(id: Int) -> Entry? { entries.first { $0.id == id } }

  /// How many gone items are still shown, so that people see what they have lost.
  static let mostGone = 16

  /// The items in the order in which they are seen: the newest first, and what is gone at the end.
  package var shown: [Entry] { entries.reversed().filter { !$0.isGone } + entries.reversed().filter(\.isGone) }

  /// How many items there are to be had, those that a drag has among them.
  package var count: Int { entries.count { !$0.isGone } }

  /// How many items are gone.
  package var goneCount: Int { entries.count(where: \.isGone) }

  /// The items that a drag of all would have.
  package var present: [Entry] { entries.filter(\.isThere) }

  // MARK: What happens

  /// A drag begins, or, with nil, nothing is dragged any more.
  package mutating func dragChanged(_ place: ShelfPlace?, at now: Instant) {
    if let place {
      self.place = place
      // What the drag brings may need the room.
      if !isDragging { removedRest(at: now) }
      (isDragging, opensUntil, hasEnded) = (true, nil, nil)
    } else if isDragging {
      hasEnded = hasEnded ?? now
    }
  }

  private mutating func endDrag(at end: Instant) {
    (isDragging, hasEnded) = (false, nil)
    opensUntil = entries.isEmpty && removed.isEmpty ? nil : max(end + Self.lingers, forgetsAt ?? end)
  }

  /// - Parameter isForeign: whether it came with another program's own drag.
  /// - Returns: the number of the new item.
  package mutating func add(_ name: String, isForeign: Bool = false, at now: Instant) -> Int {
    // It came with a drop, after which the shelf is seen for a moment.
    if !isDragging { opensUntil = max(opensUntil ?? now, now + Self.lingers) }
    lastID += 1
    entries.append(Entry(id: lastID, name: name, isForeign: isForeign))
    return lastID
  }

  /// An item can be had no more.
  ///
  /// - Returns: which item is shown no longer, since too many are gone; nil for none.
  package mutating func gone(_ id: Int) -> Int? {
    change(id) { $0.isGone = true }
    return forgetGone()
  }

  /// An item was dropped that could not be kept: people see that it is not there.
  ///
  /// - Returns: its number, and which item is shown no longer, since too many are gone; nil for none.
  package mutating func addMissing(_ name: String, at now: Instant) -> (id: Int, forgotten: Int?) {
    let id = add(name, at: now)
    change(id) { ($0.isGone, $0.wasKept) = (true, false) }
    return (id, forgetGone())
  }

  private mutating func forgetGone() -> Int? {
    let gone = entries.filter(\.isGone)
    // What was never kept goes first: a drop may bring much of that, and people look for what they have lost.
    guard gone.count > Self.mostGone, let oldest = gone.first(where: { !$0.wasKept }) ?? gone.first else { return nil }
    entries.removeAll { $0.id == oldest.id }
    return oldest.id
  }

  package mutating func setAway(_ id: Int, _ isAway: Bool) { change(id) { $0.isAway = isAway } }

  private mutating func change(_ id: Int, _ body: (inout Entry) -> Void) {
    if let i = entries.firstIndex(where: { $0.id == id }) { body(&entries[i]) }
    if let i = removed.firstIndex(where: { $0.id == id }) { body(&removed[i]) }
  }

  /// An item has arrived elsewhere: it is on the shelf no longer.
  package mutating func arrived(_ id: Int) {
    entries.removeAll { $0.id == id }
    removed.removeAll { $0.id == id }
    // Nothing is left to be looked at.
    if entries.isEmpty, removed.isEmpty { opensUntil = nil }
  }

  /// The user takes hold of something on the open shelf.
  package mutating func touched(at now: Instant) { if opensUntil != nil { opensUntil = now + Self.staysOpened } }

  /// The mouse's pointer comes over the shelf, or leaves it.
  package mutating func pointerChanged(isOver: Bool, at now: Instant) {
    guard isOver != isUnderPointer else { return }
    isUnderPointer = isOver
    if !isOver, let until = opensUntil { opensUntil = max(until, now + Self.lingers) }
  }

  /// Whether a drag has something of the shelf's, which can be dropped on its bin.
  package var isLending: Bool { isDragging && entries.contains { $0.isAway && !$0.isGone } }

  /// Whether cards can be removed one by one.
  package var canRemoveOne: Bool { look == .open && !isDragging }

  /// Whether all can be removed at once.
  package var canClear: Bool { !entries.isEmpty && !isLending && clearsFrom == nil }

  /// Whether what was removed can be put back.
  package var canUndo: Bool { !removed.isEmpty && !isLending }

  /// Whether so many items more can be kept.
  package func hasRoom(for count: Int) -> Bool {
    self.count + removed.count { !$0.isGone } + count <= Limits.keptItems
  }

  /// The user opens the shelf by its tab, or closes it.
  package mutating func toggle(at now: Instant) {
    guard !isDragging else { return }
    if opensUntil != nil { close(at: now) } else { opensUntil = now + Self.staysOpened }
  }

  private mutating func close(at now: Instant) {
    opensUntil = nil
    removedRest(at: now)
  }

  /// The open shelf keeps what was removed no longer.
  private mutating func removedRest(at now: Instant) { if !removed.isEmpty { forgetsAt = now + Self.undoLasts } }

  /// The user removes one item, or all items. What was removed before can still be put back with it.
  package mutating func remove(_ ids: [Int], at now: Instant) {
    let taken = entries.filter { ids.contains($0.id) && !$0.isAway }
    guard !taken.isEmpty else { return }
    entries.removeAll { entry in taken.contains { $0.id == entry.id } }
    removed += taken
    removedRest(at: now)
    if !isDragging { opensUntil = now + Self.undoLasts }
  }

  /// The user puts back all that was removed.
  package mutating func undo(at now: Instant) {
    guard !removed.isEmpty else { return }
    entries = (entries + removed).sorted { $0.id < $1.id }
    (removed, forgetsAt) = ([], nil)
    clearsFrom = now + Self.clearRests
    if !isDragging { opensUntil = now + Self.staysOpened }
  }

  // MARK: Time

  package var deadline: Instant? {
    let next = Instant.earliest(isUnderPointer ? nil : opensUntil, forgetting)
    return .earliest(.earliest(next, clearsFrom), hasEnded.map { $0 + Self.endWaits })
  }

  /// When what was removed is forgotten. On an open shelf the button that puts it back stays: it may be about to be clicked.
  private var forgetting: Instant? { opensUntil == nil ? forgetsAt : nil }

  /// - Returns: what can no longer be put back.
  package mutating func advance(to now: Instant) -> [Int] {
    if let clearsFrom, clearsFrom <= now { self.clearsFrom = nil }
    if let hasEnded, hasEnded + Self.endWaits <= now { endDrag(at: hasEnded) }
    if let opensUntil, opensUntil <= now, !isUnderPointer { close(at: now) }
    guard let forgetting, forgetting <= now else { return [] }
    let forgotten = removed.map(\.id)
    (removed, forgetsAt) = ([], nil)
    if look == .open { clearsFrom = now + Self.clearRests }
    return forgotten
  }
}
