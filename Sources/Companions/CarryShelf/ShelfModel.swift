package import CarryModel

/// The contents and visibility of the shelf. Pure; its owner draws it.
///
///     hidden ──a drag begins──▶ open ──nothing is dragged──▶ hidden, if nothing lies on it
///                                ▲ └──nothing is dragged, and a moment later──▶ tab, if something does
///                                └──a drag begins, or a click on the tab
///
/// The open shelf stays open while the mouse pointer is over it, and removed items can be restored as long as it is
/// open.
package struct ShelfModel: Equatable, Sendable {
  /// An item on the shelf.
  package struct Entry: Equatable, Sendable {
    package let id: Int
    /// The user-visible name or kind of the item.
    package var name: String
    /// Whether the item is no longer available and can only be removed.
    package var isGone = false
    /// Whether another program's own drag brought it, so that it needs no program any more.
    package var isForeign = false
    /// Whether it is part of a drag from the shelf, or of a drop that is still loading it.
    package var isAway = false
    /// Whether it was on the shelf before. False if there was no room for it, or its program had ended.
    package var wasKept = true

    /// Why it is gone.
    package var whyGone: String { wasKept ? isForeign ? "no longer there" : "program ended" : "not kept" }

    /// Whether it can be lifted.
    package var isThere: Bool { !isGone && !isAway }
  }

  /// The visible state of the shelf.
  package enum Look: Equatable, Sendable {
    case hidden
    /// A small handle at the edge.
    case tab
    case open
  }

  /// How long the end of a drag waits before it takes effect. When a drop begins the X server has more urgent work
  /// than redrawing the area under the shelf (docs/decisions/0018).
  static let endWaits = Interval.milliseconds(100)
  /// How long the shelf stays open after a drag.
  static let lingers = Interval.milliseconds(1500)
  /// How long the shelf stays open after a click on its tab.
  static let staysOpened = Interval.seconds(20)
  /// How long removed items can be restored after the shelf has closed or a drag has begun. Until then the limit does
  /// not apply.
  static let undoLasts = Interval.seconds(6)
  /// How long clearing is disabled after the undo button has disappeared: a click on that button may come late, or
  /// twice.
  static let clearRests = Interval.seconds(1)

  package private(set) var entries: [Entry] = []
  /// Removed items that can still be restored.
  package private(set) var removed: [Entry] = []
  /// The shelf's location; nil before the first drag.
  package private(set) var place: ShelfPlace?
  /// Whether a drag is under way, or was a moment ago.
  package private(set) var isDragging = false
  /// When the drag ended, until that takes effect.
  private var hasEnded: Instant?
  private var isUnderPointer = false
  /// When the shelf closes; nil while it is closed, or a drag keeps it open.
  private var opensUntil: Instant?
  /// When removed items are discarded, unless the open shelf keeps them.
  private var forgetsAt: Instant?
  /// When clearing is enabled again; nil if it is.
  private var clearsFrom: Instant?
  private var lastID = 0

  package init() {}

  package var look: Look {
    guard place != nil else { return .hidden }
    if isDragging || opensUntil != nil { return .open }
    return entries.isEmpty ? .hidden : .tab
  }

  /// Whether the process has nothing to keep.
  package var isIdle: Bool { look == .hidden && removed.isEmpty }

  package subscript(id: Int) -> Entry? { entries.first { $0.id == id } }

  /// The maximum number of unavailable items shown to tell the user what has been lost.
  static let maxGone = 16

  /// The items in display order: the newest first, unavailable ones last.
  package var shown: [Entry] { entries.reversed().filter { !$0.isGone } + entries.reversed().filter(\.isGone) }

  /// The number of available items, including those in a drag.
  package var count: Int { entries.count { !$0.isGone } }

  /// The number of unavailable items.
  package var goneCount: Int { entries.count(where: \.isGone) }

  /// The items that a drag of all items would contain.
  package var present: [Entry] { entries.filter(\.isThere) }

  // MARK: Events

  /// A drag begins, or, with nil, the last drag has ended.
  package mutating func dragChanged(_ place: ShelfPlace?, at now: Instant) {
    if let place {
      self.place = place
      // The dragged items may need the room.
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

  /// - Parameter isForeign: Whether another program's own drag brought it.
  /// - Returns: The ID of the new item.
  package mutating func add(_ name: String, isForeign: Bool = false, at now: Instant) -> Int {
    // It comes from a drop, after which the shelf stays open for a moment.
    if !isDragging { opensUntil = max(opensUntil ?? now, now + Self.lingers) }
    lastID += 1
    entries.append(Entry(id: lastID, name: name, isForeign: isForeign))
    return lastID
  }

  /// An item has become unavailable.
  ///
  /// - Returns: The unavailable item removed to make room; nil for none.
  package mutating func gone(_ id: Int) -> Int? {
    change(id) { $0.isGone = true }
    return forgetGone()
  }

  /// Adds an item that could not be kept, so that the user sees that it is missing.
  ///
  /// - Returns: Its ID, and the unavailable item removed to make room; nil for none.
  package mutating func addMissing(_ name: String, at now: Instant) -> (id: Int, forgotten: Int?) {
    let id = add(name, at: now)
    change(id) { ($0.isGone, $0.wasKept) = (true, false) }
    return (id, forgetGone())
  }

  private mutating func forgetGone() -> Int? {
    let gone = entries.filter(\.isGone)
    // Items that were never kept go first: one drop may add many of them, and the user looks for lost items.
    guard gone.count > Self.maxGone, let oldest = gone.first(where: { !$0.wasKept }) ?? gone.first else { return nil }
    entries.removeAll { $0.id == oldest.id }
    return oldest.id
  }

  package mutating func setAway(_ id: Int, _ isAway: Bool) { change(id) { $0.isAway = isAway } }

  private mutating func change(_ id: Int, _ body: (inout Entry) -> Void) {
    if let i = entries.firstIndex(where: { $0.id == id }) { body(&entries[i]) }
    if let i = removed.firstIndex(where: { $0.id == id }) { body(&removed[i]) }
  }

  /// An item has been delivered elsewhere and leaves the shelf.
  package mutating func arrived(_ id: Int) {
    entries.removeAll { $0.id == id }
    removed.removeAll { $0.id == id }
    // Nothing is left to show.
    if entries.isEmpty, removed.isEmpty { opensUntil = nil }
  }

  /// The user touches an item on the open shelf.
  package mutating func touched(at now: Instant) { if opensUntil != nil { opensUntil = now + Self.staysOpened } }

  /// The mouse pointer enters or leaves the shelf.
  package mutating func pointerChanged(isOver: Bool, at now: Instant) {
    guard isOver != isUnderPointer else { return }
    isUnderPointer = isOver
    if !isOver, let until = opensUntil { opensUntil = max(until, now + Self.lingers) }
  }

  /// Whether a drag contains an item of the shelf, which can be dropped on the bin.
  package var isLending: Bool { isDragging && entries.contains { $0.isAway && !$0.isGone } }

  /// Whether items can be removed one by one.
  package var canRemoveOne: Bool { look == .open && !isDragging }

  /// Whether all items can be removed at once.
  package var canClear: Bool { !entries.isEmpty && !isLending && clearsFrom == nil }

  /// Whether removed items can be restored.
  package var canUndo: Bool { !removed.isEmpty && !isLending }

  /// Whether this many more items can be kept.
  package func hasRoom(for count: Int) -> Bool {
    self.count + removed.count { !$0.isGone } + count <= Limits.keptItems
  }

  /// The user opens or closes the shelf with its tab.
  package mutating func toggle(at now: Instant) {
    guard !isDragging else { return }
    if opensUntil != nil { close(at: now) } else { opensUntil = now + Self.staysOpened }
  }

  private mutating func close(at now: Instant) {
    opensUntil = nil
    removedRest(at: now)
  }

  /// Starts the time after which removed items are discarded.
  private mutating func removedRest(at now: Instant) { if !removed.isEmpty { forgetsAt = now + Self.undoLasts } }

  /// The user removes one or all items. Items removed earlier can still be restored together with them.
  package mutating func remove(_ ids: [Int], at now: Instant) {
    let taken = entries.filter { ids.contains($0.id) && !$0.isAway }
    guard !taken.isEmpty else { return }
    entries.removeAll { entry in taken.contains { $0.id == entry.id } }
    removed += taken
    removedRest(at: now)
    if !isDragging { opensUntil = now + Self.undoLasts }
  }

  /// The user restores all removed items.
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

  /// When removed items are discarded. The undo button stays on an open shelf, since it may be about to be clicked.
  private var forgetting: Instant? { opensUntil == nil ? forgetsAt : nil }

  /// - Returns: The items that can no longer be restored.
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
