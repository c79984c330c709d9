import CarryGestures
import CarryModel

/// The region under a drag that may spring open: docs/behaviour.md, 2.4. `SpringDwell` measures how long the drag
/// dwells.
///
///     nowhere ──comes over one──▶ dwelling ──leaves it, or drops──▶ nowhere
///        ▲                          │ the region refuses
///        └──moves──── refused ◀─────┘
struct Spring {
  /// A region over which the drag dwells.
  struct Place {
    let region: RegionID
    let client: ClientID
    fileprivate var dwell: SpringDwell
    var state: SpringState { dwell.state }
  }

  private(set) var place: Place?
  /// The region under the finger that has refused to spring open here.
  private var refused: (region: RegionID, point: Point)?
  /// How many regions have sprung open where the finger rests.
  private var openedAtRest = 0
  private var rest = Point.zero

  /// The finger is at this point, over this region. The caller has already ended the dwell over any other region.
  ///
  /// - Parameter mayBegin: whether a finger carries the drag.
  /// - Returns: whether the drag has begun to dwell.
  mutating func moved(to point: Point, over region: Region?, slop: Double, mayBegin: Bool, at now: Instant) -> Bool {
    // A part of a region may refuse, and another part may not.
    if let old = refused, old.region != region?.id || point.distance(to: old.point) > slop { refused = nil }
    if openedAtRest > 0, point.distance(to: rest) > slop { openedAtRest = 0 }
    guard let region, mayBegin, refused == nil else { return false }
    guard place == nil else {
      place?.dwell.moved(to: point, time: now)
      return false
    }
    // Limits how many regions can open one another under a resting finger.
    guard openedAtRest < Limits.springDepth else { return false }
    place = Place(region: region.id, client: region.client, dwell: SpringDwell(at: point, slop: slop, time: now))
    return true
  }

  /// Ends the dwell.
  ///
  /// - Returns: the place of the dwell, so that the region can be told.
  mutating func leave() -> Place? {
    defer { place = nil }
    return place
  }

  /// The region refuses to spring open until the drag moves on.
  ///
  /// - Returns: whether the drag dwells there, so that the caller has to end the dwell.
  mutating func refuse(_ region: RegionID, by client: ClientID) -> Bool {
    guard let place, place.region == region, place.client == client else { return false }
    refused = (region, place.dwell.origin)
    return true
  }

  mutating func forget(_ region: RegionID) { if place?.region == region { place = nil } }
  mutating func forget(of client: ClientID) { if place?.client == client { place = nil } }

  func deadline(_ settings: Settings.Spring) -> Instant? { place?.dwell.deadline(settings) }

  /// Handles an expired deadline.
  ///
  /// - Parameter point: where the finger is.
  /// - Returns: the new state of the region; nil if nothing changed.
  mutating func advance(to now: Instant, at point: Point, _ settings: Settings.Spring) -> SpringState? {
    guard let state = place?.dwell.advance(to: now, settings) else { return nil }
    if state == .activated {
      openedAtRest += 1
      rest = point
    }
    return state
  }
}
