import CarryModel

/// Finds the region that a session is over: docs/behaviour.md, 2.3.
extension SessionEngine {
  /// A constant, because Swift builds an array for an option list, and every motion needs this one.
  private static let rolesUnderADrag: RegionRoles = [.drop, .spring, .obstacle]

  /// The regions under a session's finger.
  private struct Sight {
    var drop: Region?
    var dropPoint = Point.zero
    var spring: Region?
    var springPoint = Point.zero
    /// The topmost region with an edge zone: the target, or one of its program beneath it.
    var edge: Region?
    var edgePoint = Point.zero
  }

  /// Looks down through the regions under the finger, and collects in `busy` the regions that handle another session.
  private mutating func look(_ drag: Drag, of session: Session, busy: inout [RegionID]) -> Sight {
    let sessions = self.sessions
    var sight = Sight()
    let programs = self.programs
    // If an application accepts drops itself, its stand-in is skipped.
    var takesDropsItself = false
    regions.search(at: session.point, in: session.foreign?.over, roles: Self.rolesUnderADrag) { region, local in
      let isObstacle = region.roles.contains(.obstacle)
      guard programs.shows(session, to: region) else { return isObstacle }
      // A foreign drag would meet its own protocol there.
      if region.isStandIn, takesDropsItself || session.isForeign { return false }
      if !region.isStandIn, region.roles.contains(.drop) { takesDropsItself = true }
      if sight.spring == nil, region.roles.contains(.spring) {
        sight.spring = region
        sight.springPoint = local
      }
      // A region that cannot handle the session counts as absent (D5), and a region handles one session at a time
      // (D2).
      if sight.drop == nil, region.roles.contains(.drop),
        !drag.visits.isRefused(by: region.id),
        !drag.passedOver.contains(region.id)
      {
        if !region.roles.contains(.simultaneous),
          sessions.contains(where: { $0 !== session && $0.isHandled(by: region.id) })
        {
          busy.append(region.id)
        } else {
          sight.drop = region
          sight.dropPoint = local
        }
      }
      if sight.edge == nil, region.edgeZone > 0, sight.drop?.client == region.client {
        sight.edge = region
        sight.edgePoint = local
      }
      return isObstacle || sight.drop != nil && sight.spring != nil && sight.edge != nil
    }
    return sight
  }

  /// Keeps ignoring regions that were busy when this session came over them, until it has left their rectangles.
  mutating func updatePassedOver(_ drag: Drag, of session: Session, _ busy: [RegionID]) {
    for i in drag.passedOver.indices.reversed() {
      if let region = region(drag.passedOver[i]),
        region.rect.contains(tree.local(session.point, in: region.window))
      {
        continue
      }
      drag.passedOver.remove(at: i)
    }
    drag.passedOver += busy
  }

  /// Why the target may change.
  enum TargetCause {
    case fingerMoved
    /// A window or region was mapped, moved or raised. The region that was under the finger before is not told.
    case somethingMovedUnderTheFinger
    /// The target refused, was silent, or is told of more items: a region beneath it may be the target now.
    case targetChangedItsMind
  }

  /// Finds the region under the finger, and notifies the regions and clients concerned.
  mutating func updateTarget(
    _ drag: Drag, of session: Session, because cause: TargetCause, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard session.optionsAreKnown else { return }
    if !drag.passedOver.isEmpty { updatePassedOver(drag, of: session, []) }
    var busy: [RegionID] = []
    let sight = look(drag, of: session, busy: &busy)
    reportForbidden(session, into: &actions)
    if !busy.isEmpty { updatePassedOver(drag, of: session, busy) }
    updateSpring(drag, of: session, sight.spring, sight.springPoint, at: now, into: &actions)
    updateHover(drag, of: session, at: now)
    if let edge = sight.edge {
      let depth = Self.depth(sight.edgePoint, in: edge)
      drag.edge.moved(to: depth, in: edge.id, at: now, dwell: settings.drop.edgeDwell)
    } else {
      drag.edge.leave()
    }
    var left: (client: ClientID, program: ProgramIdentity?)?
    if let target = drag.visits.targetAddress, target.region.raw != sight.drop?.id.raw {
      left = (target.client, region(target.region).map { programs[$0] })
      leaveTarget(drag, of: session, at: now, into: &actions)
    }
    if let found = sight.drop {
      if drag.visits.targetRegion != nil {
        if cause != .somethingMovedUnderTheFinger, drag.visits.isInsideTarget {
          tellUpdate(drag, of: session, drag.reported(sight.dropPoint, in: found, settings.drop), into: &actions)
        }
      } else {
        // The settling time continues whatever becomes the target meanwhile, because a client that slides one region
        // under a finger may have another region beneath or beside it. But a region of the same client, such as a row
        // of a list that scrolls under the finger, does not count as slid under.
        if cause == .somethingMovedUnderTheFinger, !isOfWhoWasLeft(found, left) { drag.aim.targetSlidUnder(at: now) }
        arrive(drag, of: session, found, sight.dropPoint, at: now, into: &actions)
      }
    }
    updateBadge(session, into: &actions)
    if drag.isFullSize { updateSize(drag, of: session, into: &actions) }
  }

  /// Whether a region belongs to the application whose region was under the finger before. The bridge is the client
  /// of many.
  private func isOfWhoWasLeft(_ found: Region, _ left: (client: ClientID, program: ProgramIdentity?)?) -> Bool {
    guard let left, found.client == left.client else { return false }
    return !found.isStandIn || (left.program?.process != .unknown && programs[found] == left.program)
  }

  /// Updates the picture's size. It keeps its full size while the source prefers that and the finger is over a window
  /// of the source application, or while a destination of that application prefers it.
  mutating func updateSize(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    if session.options.prefersFullSize, isOverSource(session) { return }
    if let target = drag.visits.targetAddress, programs.isLocal(target, in: session) {
      // A target that has not answered yet may still prefer the full size.
      guard let proposal = drag.visits.targetProposal else { return }
      if proposal.prefersFullSize { return }
    }
    drag.isFullSize = false
    show(session, .scaleDown, into: &actions)
  }

  /// Whether the finger is over the source's window, or over another window in which the source has regions.
  private func isOverSource(_ session: Session) -> Bool {
    let own = tree.toplevel(of: session.window)
    var next = tree.window(at: session.point)?.window
    while let window = next {
      if window == own || regions.hasRegion(of: session.client, on: window) { return true }
      next = tree.parent(of: window)
    }
    return false
  }

  mutating func arrive(
    _ drag: Drag, of session: Session, _ region: Region, _ local: Point, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    drag.visits.arrive(at: region.id, of: region.client)
    guard let target = drag.visits.target, case .outside = target.state else { return }
    if target.knowsAll(session.items.count) {
      enterTarget(drag, of: session, local, at: now, into: &actions)
    } else {
      askTarget(drag, of: session, local, at: now, into: &actions)
    }
  }

  /// Tells the target that the drag has left it.
  mutating func leaveTarget(_ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]) {
    guard let target = drag.visits.targetAddress else { return }
    if drag.visits.target?.leave() == true {
      tell(target, of: session, .didExit, into: &actions)
      monitor(.exited, session, at: now, into: &actions)
    }
    drag.visits.leaveTarget()
  }

  /// The target refused: asks the region beneath it. A client with thousands of refusing regions must not delay the
  /// others, so after some refusals the search continues only once a turn.
  mutating func lookBeneath(_ drag: Drag, of session: Session, at now: Instant, into actions: inout [SessionAction]) {
    refusalsThisTurn += 1
    guard refusalsThisTurn <= 16 else {
      regionsChanged = true
      return
    }
    updateTarget(drag, of: session, because: .targetChangedItsMind, at: now, into: &actions)
  }

  /// Updates the stack's badge.
  mutating func updateBadge(_ session: Session, into actions: inout [SessionAction]) {
    if session.isForeign { return tellProposal(session, into: &actions) }
    let n = session.items.count
    let badge: Badge
    var reason: String?
    switch session.carriedDrag.map({ programs.operation($0, of: session) }) ?? .cancel {
    case .copy: badge = .copy(n)
    case .forbidden:
      badge = .forbidden
      reason = session.drag?.visits.targetProposal?.reason
    case .cancel, .move: badge = n > 1 ? .count(n) : .none
    }
    if reason != nil || session.reason != nil, reason != session.reason {
      session.reason = reason
      show(session, .reason(reason), into: &actions)
    }
    guard badge != session.badge else { return }
    session.badge = badge
    show(session, .badge(badge), into: &actions)
  }
}
