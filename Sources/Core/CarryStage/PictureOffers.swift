package import CarryModel

/// Pictures that sources have offered for their items, until they are requested (P15, P16). Pure.
///
/// A source may offer a picture with every motion. It is asked only once for each frame, and its last offer counts.
package struct PictureOffers: Sendable {
  private var offered: [SessionID: Set<Int>] = [:]
  private var asked: [SessionID: [Int: Instant]] = [:]
  /// When to request the offered pictures that had to wait.
  package private(set) var due: Instant?

  package init() {}

  package mutating func offer(_ item: Int, of session: SessionID) { offered[session, default: []].insert(item) }

  /// The sessions with offers.
  package var sessions: [SessionID] { Array(offered.keys) }

  package func hasSome(of session: SessionID) -> Bool { offered[session]?.isEmpty == false }

  /// Removes and returns the items whose pictures are to be requested now. The others of `seen` wait until `due`.
  ///
  /// - Parameter seen: the items that are, or could be, visible.
  package mutating func takeDue(_ session: SessionID, seen: [Int], at now: Instant) -> [Int] {
    guard let some = offered[session] else { return [] }
    var taken: [Int] = []
    for item in seen where some.contains(item) {
      let earliest = asked[session]?[item].map { $0 + PictureChanges.pause } ?? now
      if earliest <= now {
        taken.append(item)
        asked[session, default: [:]][item] = now
        offered[session]?.remove(item)
      } else {
        due = min(due ?? earliest, earliest)
      }
    }
    if offered[session]?.isEmpty == true { offered[session] = nil }
    return taken
  }

  /// Whether offers that had to wait are due.
  package mutating func isDue(at now: Instant) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  package mutating func forget(_ session: SessionID) {
    offered[session] = nil
    asked[session] = nil
    if offered.isEmpty { due = nil }
  }
}
