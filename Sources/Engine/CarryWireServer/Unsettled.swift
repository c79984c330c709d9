import CarryModel
import CWaylandServer

/// A client's request that waits for the X server's reply about a window, or must not overtake such a request.
enum Unsettled {
  case region(RegionObject)
  /// Raises a region. Only a region's newest raise counts.
  case raise(RegionObject, number: Int)
  case answer(ManagerObject, serial: UInt32)
}

/// What a client has requested of a region.
struct RegionWishes {
  var rect: Rect?
  var roles: RegionRoles?
  var edgeZone: Double?
  var acceptedTypes: [String]?
  var label: String?
}

/// A region that a client was refused.
struct RefusedRegion {
  let window: WindowID
  let label: String?
  let why: RegionRefusal
}

extension WireClient {
  private static let maxRemembered = 8

  /// How many of a client's windows are looked up at a time, so that other clients' windows do not wait.
  private static let maxLookedUp = 16

  /// Carries out a request, or keeps it until the requests before it are settled.
  func settle(_ next: Unsettled) {
    guard unsettled.count < Limits.unsettledRequests else {
      return offend(
        next.resource, CARRY_MANAGER_ERROR_TOO_MANY,
        "more than \(Limits.unsettledRequests) requests wait for the X server")
    }
    unsettled.append(next)
    if unsettled.count <= Self.maxLookedUp { settle() }
  }

  /// Carries out the waiting requests that are ready, in order.
  func settle() {
    var done = 0
    while done < unsettled.count, carryOut(unsettled[done]) { done += 1 }
    // Look up the windows of the next requests early, so that the replies are available in time.
    unsettled.removeFirst(min(done, unsettled.count))
    for case .region(let region) in unsettled.dropFirst().prefix(Self.maxLookedUp - 1) where region.isWaiting {
      server.delegate?.lookUp(region.window)
    }
  }

  /// Carries out one request if it is ready.
  ///
  /// - Returns: whether the request is done.
  private func carryOut(_ what: Unsettled) -> Bool {
    switch what {
    case .region(let region):
      // The region was withdrawn meanwhile.
      guard region.isWaiting else { return true }
      guard let delegate = server.delegate else { return true }
      // The region joins the others that wait for the same window, on top.
      if awaits(region) { return true }
      let hasRoom = process.regionCount < Limits.regionsPerProcess
      guard
        let answer = hasRoom
          ? delegate.addRegion(id, window: region.window, isStandIn: region.isStandIn) : .failure(.tooMany)
      else { return false }
      if case .new = region.state, answer == .failure(.notThere), keep(region) { return true }
      region.state = .over
      switch answer {
      case .success(let number):
        region.state = .registered(number)
        refused.removeAll { $0.window == region.window }
        server.regions[number] = region
        let wishes = region.wishes
        if wishes.rect != nil || wishes.roles != nil {
          delegate.updateRegion(number, rect: wishes.rect, roles: wishes.roles)
        }
        if let zone = wishes.edgeZone { delegate.setEdgeZone(number, zone) }
        if let types = wishes.acceptedTypes { delegate.setAcceptedTypes(number, types) }
        if let label = wishes.label { delegate.setLabel(number, label) }
      case .failure(let why): refuse(region, why)
      }
    case .raise(let region, let number):
      guard region.raises == number else { return true }
      if let id = region.id { server.delegate?.raise(id) } else { raiseAwaited(region) }
    case .answer(let manager, let serial):
      refuseAwaited(at: nil)
      if let resource = manager.resource { carry_manager_send_synchronized(resource, serial) }
    }
    return true
  }

  /// The connection to the X server is lost: these regions, and those that wait for a window, wait for the next one.
  func waitForServer(_ regions: [RegionObject]) {
    for region in regions { region.state = .waitsForServer }
    let waiting = regions + awaited.values.flatMap(\.inOrder)
    awaited = [:]
    unsettled.insert(contentsOf: waiting.map { .region($0) }, at: 0)
  }

  func refuse(_ region: RegionObject, _ why: RegionRefusal, costs: Bool = true) {
    guard let resource = region.resource else { return }
    carry_region_send_refused(resource, why.raw, why.sentence)
    refused =
      refused.suffix(Self.maxRemembered - 1) + [
        RefusedRegion(window: region.window, label: region.wishes.label, why: why)
      ]
    // Count only refusals that required a query to the X server. If other clients have all the regions, this client
    // is not at fault; nor is the bridge, if a window of another program is gone by now.
    guard why != .tooMany, costs, companion != .bridge else { return }
    refusals += 1
    if refusals > Self.maxRefusals {
      offend(resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Self.maxRefusals) regions were refused")
    }
  }
}

extension Unsettled {
  fileprivate var resource: OpaquePointer? {
    switch self {
    case .region(let object), .raise(let object, _): object.resource
    case .answer(let object, _): object.resource
    }
  }
}
