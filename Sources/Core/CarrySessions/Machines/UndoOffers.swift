import CarryModel

/// Moves that can be undone (Z16).
///
///     expected ──the source offers──▶ shown ──the user undoes it, or six seconds──▶ gone
///        └──three seconds without an offer──▶ gone
///
/// An offer may outlive its session. The source's object for the session then lasts as long as the offer.
struct UndoOffers {
  struct Offer {
    let session: SessionID
    let source: ClientID
    /// The windows in which the undo key counts: where the drag began, and where it ended.
    let windows: [WindowID]
    /// The place of the drop, in screen pixels.
    let point: Point
    fileprivate(set) var isShown = false
    /// Whether the session itself is over.
    fileprivate(set) var isAlone = false
    fileprivate(set) var until: Instant
  }

  /// How long a source may take to make an offer.
  static let wait = Interval.seconds(3)
  /// How long the user may take to accept one.
  static let stay = Interval.seconds(6)
  /// Maximum number of offers; beyond it, the oldest is dropped.
  static let most = 8

  private(set) var all: [Offer] = []

  /// Queried in every turn, so nothing is collected.
  var deadline: Instant? {
    var next: Instant?
    for offer in all { next = Instant.earliest(next, offer.until) }
    return next
  }

  /// A move was made; its source may offer to undo it from now on.
  ///
  /// - Returns: the offer that is dropped to make room.
  mutating func expect(
    _ session: SessionID, from source: ClientID, in windows: [WindowID], at point: Point, time: Instant
  ) -> Offer? {
    let old = all.count >= Self.most ? all.removeFirst() : nil
    all.append(
      Offer(session: session, source: source, windows: windows, point: point, until: time + Self.wait))
    return old
  }

  /// The source offers to undo a move. Only its first offer counts.
  ///
  /// - Returns: the offer; nil if it is too late, or not the client's to make.
  mutating func offer(_ session: SessionID, by client: ClientID, at now: Instant) -> Offer? {
    guard let i = all.firstIndex(where: { $0.session == session && $0.source == client && !$0.isShown }) else {
      return nil
    }
    all[i].isShown = true
    all[i].until = now + Self.stay
    return all[i]
  }

  /// The session is over.
  ///
  /// - Returns: whether its source must not be told yet.
  mutating func outlive(_ session: SessionID) -> Bool {
    guard let i = all.firstIndex(where: { $0.session == session }) else { return false }
    all[i].isAlone = true
    return true
  }

  /// Removes and returns the offers that satisfy a condition.
  mutating func take(where condition: (Offer) -> Bool) -> [Offer] {
    let taken = all.filter(condition)
    if !taken.isEmpty { all.removeAll(where: condition) }
    return taken
  }
}
