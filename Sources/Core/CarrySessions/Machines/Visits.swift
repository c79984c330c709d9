import CarryModel

/// The drop regions that have seen a drag. The region under the finger is the target.
///
/// A drag may come over thousands of regions, and every motion looks some of them up, so a dictionary finds them by
/// number. Only few of them are awaited at a time, and every turn of the loop queries their deadline. A class,
/// because Swift would copy a value to query it.
final class Visits {
  /// Unordered.
  private var list: [Visit] = []
  /// Where each region's visit is in `list`.
  private var places: [RegionID: Int] = [:]
  private var targetPlace: Int?
  /// The regions that have an `answerDue`.
  private var awaited: [RegionID] = []

  /// The target's visit. Setting it changes the visit, not which region is the target.
  var target: Visit? {
    get { targetPlace.map { list[$0] } }
    set { if let targetPlace, let newValue { put(newValue, at: targetPlace) } }
  }

  /// The target's address, which every motion needs.
  var targetAddress: Visit.Address? {
    guard let targetPlace else { return nil }
    return list[targetPlace].address
  }

  var targetRegion: RegionID? { targetAddress?.region }

  var isInsideTarget: Bool {
    guard let targetPlace else { return false }
    return list[targetPlace].isInside
  }

  var targetProposal: Proposal? {
    guard let targetPlace else { return nil }
    return list[targetPlace].proposal
  }

  var targetOperation: DropOperation? {
    guard let targetPlace else { return nil }
    return list[targetPlace].proposal?.operation
  }

  var targetIsPrecise: Bool {
    guard let targetPlace else { return false }
    return list[targetPlace].proposal?.isPrecise == true
  }

  /// Changes the target's visit in place.
  ///
  /// - Parameter change: must not change whether the region is awaited.
  func changeTarget<R>(_ change: (inout Visit) -> R) -> R? { targetPlace.map { change(&list[$0]) } }

  /// A region's visit, to read and to change.
  subscript(region: RegionID) -> Visit? {
    get { places[region].map { list[$0] } }
    set { if let place = places[region], let newValue { put(newValue, at: place) } }
  }

  private func put(_ visit: Visit, at place: Int) {
    let wasAwaited = list[place].answerDue != nil
    list[place] = visit
    guard (visit.answerDue != nil) != wasAwaited else { return }
    if wasAwaited { awaited.removeAll { $0 == visit.region } } else { awaited.append(visit.region) }
  }

  var all: [Visit] { list }

  func isRefused(by region: RegionID) -> Bool {
    // The target first, because it needs no look-up.
    if let targetPlace, list[targetPlace].address.region.raw == region.raw { return list[targetPlace].isRefused }
    return places[region].map { list[$0].isRefused } ?? false
  }

  func isTarget(_ region: RegionID) -> Bool { targetAddress?.region.raw == region.raw }

  /// The earliest deadline of the regions that were asked.
  var answerDue: Instant? {
    var next: Instant?
    for region in awaited { next = .earliest(next, self[region]?.answerDue) }
    return next
  }

  /// The regions that have not answered yet whether they can handle the drag.
  var asked: [(serial: UInt32, client: ClientID, region: RegionID)] {
    awaited.compactMap { region in
      guard let visit = self[region], case .asked(let serial, _) = visit.state else { return nil }
      return (serial, visit.client, region)
    }
  }

  /// The drag comes over a region, which becomes the target.
  func arrive(at region: RegionID, of client: ClientID) {
    if let place = places[region] {
      targetPlace = place
      return
    }
    list.append(Visit(region, of: client))
    targetPlace = list.count - 1
    places[region] = targetPlace
  }

  /// Clears the target.
  func leaveTarget() { targetPlace = nil }

  /// Treats silence beyond the deadline as a refusal. A silent region stops being the target.
  ///
  /// - Returns: whether the target was silent.
  func giveUp(at now: Instant) -> Bool {
    var wasTarget = false
    for region in awaited where self[region]?.giveUp(at: now) == true && isTarget(region) { wasTarget = true }
    if wasTarget { targetPlace = nil }
    return wasTarget
  }

  /// A client has read everything.
  ///
  /// - Returns: whether the target is still to be asked.
  func hasRead(_ client: ClientID) -> Bool {
    var hasTargetWaited = false
    for i in list.indices where list[i].client == client {
      var visit = list[i]
      guard visit.hasRead() else { continue }
      put(visit, at: i)
      if i == targetPlace { hasTargetWaited = true }
    }
    return hasTargetWaited
  }

  /// The session has more items, so regions that refused it may be asked again.
  func itemsChanged() { for i in list.indices { list[i].itemsChanged() } }

  /// Forgets a region that is gone. The last visit moves to its place in the list.
  ///
  /// - Returns: whether the region was the target; the drag then has no target.
  @discardableResult
  func forget(_ region: RegionID) -> Bool {
    guard let place = places.removeValue(forKey: region) else { return false }
    if !awaited.isEmpty { awaited.removeAll { $0 == region } }
    let wasTarget = targetPlace == place
    if wasTarget { targetPlace = nil }
    let last = list.removeLast()
    if place < list.count {
      list[place] = last
      places[last.region] = place
      if targetPlace == list.count { targetPlace = place }
    }
    return wasTarget
  }

  /// Forgets the regions of a client that is gone.
  ///
  /// - Returns: whether the target was one of them.
  func forget(of client: ClientID) -> Bool {
    var wasTarget = false
    while let visit = list.first(where: { $0.client == client }) {
      if forget(visit.region) { wasTarget = true }
    }
    return wasTarget
  }
}
