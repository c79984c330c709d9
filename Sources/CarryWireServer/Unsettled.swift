import CarryModel
import CWaylandServer

/// What a client asked for that waits until the X server has told of a window, and what must not come before that.
enum Unsettled {
  case region(RegionObject)
  /// The newest of a region's counts.
  case raise(RegionObject, number: Int)
  case answer(ManagerObject, serial: UInt32)
}

/// What was asked of a region before it could be registered: the newest of each counts.
struct RegionWishes {
  var rect: Rect?
  var roles: RegionRoles?
  var edgeZone: Double?
  var acceptedTypes: [String]?
}

extension WireClient {
  /// So many of a client's windows are looked up at a time; those of others do not wait for them.
  private static let mostLookedUp = 16

  /// Does what was asked for, or keeps it until what was asked for before it is settled.
  func settle(_ next: Unsettled) {
    guard unsettled.count < Limits.unsettledRequests else {
      return offend(
        next.resource, CARRY_MANAGER_ERROR_TOO_MANY,
        "more than \(Limits.unsettledRequests) requests wait for the X server")
    }
    unsettled.append(next)
    if unsettled.count <= Self.mostLookedUp { settle() }
  }

  /// Does what can be done by now, in its order.
  func settle() {
    var done = 0
    while done < unsettled.count, settles(unsettled[done]) { done += 1 }
    // Asks for the windows of those behind it; what is found out is known when their turn comes.
    unsettled.removeFirst(min(done, unsettled.count))
    for case .region(let region) in unsettled.dropFirst().prefix(Self.mostLookedUp - 1) where region.wishes != nil {
      server.delegate?.lookUp(region.window)
    }
  }

  /// - Returns: whether nothing is left to do.
  private func settles(_ what: Unsettled) -> Bool {
    switch what {
    case .region(let region):
      // Withdrawn by now.
      guard let wishes = region.wishes else { return true }
      guard let delegate = server.delegate else { return true }
      // It comes above those that wait for the same window.
      if awaits(region) { return true }
      let hasRoom = process.regionCount < Limits.regionsPerProcess
      guard let answer = hasRoom ? delegate.addRegion(id, window: region.window) : .failure(.tooMany) else {
        return false
      }
      if answer == .failure(.notThere), keep(region) { return true }
      region.wishes = nil
      switch answer {
      case .success(let number):
        region.id = number
        server.regions[number] = region
        if wishes.rect != nil || wishes.roles != nil {
          delegate.updateRegion(number, rect: wishes.rect, roles: wishes.roles)
        }
        if let zone = wishes.edgeZone { delegate.setEdgeZone(number, zone) }
        if let types = wishes.acceptedTypes { delegate.setAcceptedTypes(number, types) }
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

  func refuse(_ region: RegionObject, _ why: RegionRefusal, costs: Bool = true) {
    guard let resource = region.resource else { return }
    carry_region_send_refused(resource, why.raw, why.sentence)
    // Only those that cost the X server a question: that others have all the regions is no fault of this one.
    guard why != .tooMany, costs else { return }
    refusals += 1
    if refusals > Self.mostRefusals {
      offend(resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Self.mostRefusals) regions were refused")
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
