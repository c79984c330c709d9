package import CarryModel

/// Keeps the clients' regions, and updates sessions when regions or their windows change.
extension SessionEngine {
  /// Why a region was refused.
  package enum RegionProblem: Error, Equatable, Sendable {
    case tooMany
    case unknownWindow
  }

  /// Registers a rectangle of a window for a client. The caller has checked that the window belongs to the client, or
  /// that the client is the bridge.
  package mutating func addRegion(
    client: ClientID, window: WindowID, rect: Rect, roles: RegionRoles, isStandIn: Bool = false
  ) throws(RegionProblem) -> RegionID {
    defer { listener?(.addRegion(client: client, window: window, isStandIn: isStandIn), nil, []) }
    guard regions.count(of: client) < Limits.regionsPerClient, regions.count < Limits.regions else { throw .tooMany }
    guard tree.contains(window) else { throw .unknownWindow }
    let id = RegionID(regionIDs.next())
    regions.insert(
      Region(id: id, client: client, window: window, rect: rect, roles: roles, isStandIn: isStandIn))
    return id
  }

  /// Whether the client has a region on the window already.
  package func hasRegion(of client: ClientID, on window: WindowID) -> Bool {
    regions.hasRegion(of: client, on: window)
  }

  /// The clients that have a region in a mapped window, whether or not the window is covered.
  package var shownClients: Set<ClientID> {
    var clients: Set<ClientID> = []
    // A client may have thousands of regions in one hidden window.
    var hidden: Set<WindowID> = []
    for region in regions.all where !clients.contains(region.client) && !hidden.contains(region.window) {
      guard let frame = tree.screenFrame(of: region.window) else {
        hidden.insert(region.window)
        continue
      }
      if !region.rect.offset(by: frame.origin).intersection(frame).isEmpty { clients.insert(region.client) }
    }
    return clients
  }

  /// Changes a region's rectangle, roles or edge zone. Drags over it see the change at `settleRegions`.
  package mutating func updateRegion(
    _ id: RegionID, rect: Rect? = nil, roles: RegionRoles? = nil, edgeZone: Double? = nil
  ) {
    regions.update(id, rect: rect, roles: roles, edgeZone: edgeZone)
    regionsChanged = true
  }

  /// Raises a region above the others of its window. Drags over it see the change at `settleRegions`.
  package mutating func raiseRegion(_ id: RegionID) {
    regions.raise(id)
    regionsChanged = true
  }

  /// Whether `settleRegions` has something to do.
  package var needsSettling: Bool {
    regionsChanged || guestsMayEnd || kept.mayForget || refusalsThisTurn > 0
  }

  /// Finds the targets again after clients have changed their regions. Called once a turn of the loop, because a
  /// client may send thousands of changes at once.
  package mutating func settleRegions(at now: Instant, into actions: inout [SessionAction]) {
    refusalsThisTurn = 0
    settleGuests(at: now, into: &actions)
    settleKept(at: now, into: &actions)
    guard regionsChanged else { return }
    windowsChanged(at: now, into: &actions)
  }

  package mutating func removeRegion(_ id: RegionID, at now: Instant, into actions: inout [SessionAction]) {
    guard regions.remove(id) != nil else { return }
    programs.forget(id)
    presses.removeAll { $0.region == id }
    forgetChoices(into: &actions) { $0.region == id }
    for session in sessions {
      if session.drop?.region != id { session.views.forget(id) }
      // The region still receives its last call, to end whatever it began for this session.
      if let drop = session.drop, drop.region == id, drop.isWatched {
        session.drop?.regionGone()
        actions.append(.destination(drop.client, session.id, id, .didEnd(drop.operation)))
      }
      guard let drag = session.drag else { continue }
      drag.spring.forget(id)
      guard let visit = drag.visits[id] else { continue }
      tell(visit.address, of: session, .didEnd(.cancel), into: &actions)
      guard drag.visits.forget(id) else { continue }
      drag.visits.leaveTarget()
      if session.isReleasing { finishRelease(drag, of: session, at: now, into: &actions) }
    }
    regionsChanged = true
  }

  /// Removes the regions of a destroyed window, before the window's number can be reused.
  package mutating func windowDestroyed(
    _ window: WindowID, at now: Instant, into actions: inout [SessionAction]
  ) -> [RegionID] {
    let first = actions.count
    defer { listener?(.windowDestroyed(window: window), now, actions[first...]) }
    let gone = regions.ids(ofWindow: window)
    for id in gone { removeRegion(id, at: now, into: &actions) }
    return gone
  }

  /// Cancels every session and removes every region, because the display is lost with all its windows.
  package mutating func displayLost(at now: Instant, into actions: inout [SessionAction]) -> [RegionID] {
    let first = actions.count
    defer { listener?(.displayLost, now, actions[first...]) }
    stop(at: now, into: &actions)
    let gone = regions.ids
    for id in gone { removeRegion(id, at: now, into: &actions) }
    presses = []
    return gone
  }

  /// Uses the windows of a display that has come back. There are no regions yet.
  package mutating func adopt(_ tree: WindowTree) {
    self.tree.onChange = nil
    self.tree = tree
    regions = RegionTable(tree)
    recordWindows()
  }

  /// Windows or regions moved: finds the targets of resting fingers again.
  package mutating func windowsChanged(at now: Instant, into actions: inout [SessionAction]) {
    regionsChanged = false
    for session in sessions {
      guard let drag = session.drag else { continue }
      if session.isCarried, session.optionsAreKnown {
        updateTarget(drag, of: session, because: .somethingMovedUnderTheFinger, at: now, into: &actions)
      } else {
        drag.aim.windowsChanged(under: windowUnderFinger(session), at: now)
      }
    }
  }

  /// The region of a window with exactly this rectangle; the topmost of several.
  package func region(of window: WindowID, at rect: Rect) -> RegionID? {
    regions.ids(ofWindow: window).last { regions[$0]?.rect == rect }
  }

  func windowUnderFinger(_ session: Session) -> WindowID? { tree.window(at: session.point)?.window }

  /// A registered region.
  package func region(_ id: RegionID) -> Region? { regions[id] }

  /// The windows with drag regions, in which a press may lift something. Touches there are held until they are
  /// decided.
  package var dragWindows: DragWindows { regions.dragWindows }

  /// The windows with drop regions of Carry applications.
  package var dropWindows: Set<WindowID> { regions.dropWindows }

  /// The drag region that a press at this point of the screen would lift from.
  ///
  /// - Parameter isHeld: whether the application receives the press only when the engine lets it. Only such a press
  ///   may be for a region that represents a foreign application, and only where that application has no region of
  ///   its own.
  package mutating func dragRegion(at point: Point, isHeld: Bool = false) -> Region? {
    var found: Region?
    var isOthers = true
    regions.search(at: point, roles: isHeld ? .all : [.drag, .obstacle]) { region, _ in
      if !region.isStandIn { isOthers = false }
      if region.roles.contains(.drag), !region.isStandIn || (isHeld && isOthers) { found = region }
      return found != nil || region.roles.contains(.obstacle)
    }
    return found
  }

  package mutating func setLabel(_ label: String, of region: RegionID) { regions.setLabel(label, of: region) }

  /// The name of a region, for people; nil if it has none.
  package func label(of region: RegionID) -> String? { regions.labels[region] }

  /// Every region, as developers see it.
  ///
  /// - Parameter max: how many regions to look at: each costs nine hit tests.
  /// - Returns: those, and the number of all.
  package mutating func listRegions(max: Int) -> (list: [RegionListing], count: Int) {
    (regions.all.prefix(max).map { listing(of: $0) }, regions.count)
  }

  private mutating func listing(of region: Region) -> RegionListing {
    let rect = tree.screenFrame(of: region.window).map { region.rect.offset(by: $0.origin) }
    var (reached, tried) = (0, 0)
    var covers: [WindowID: Int] = [:]
    if let rect, !rect.isEmpty {
      for i in 0..<9 {
        let point = Point(
          x: rect.x + rect.width * Double(i % 3 * 2 + 1) / 6, y: rect.y + rect.height * Double(i / 3 * 2 + 1) / 6)
        tried += 1
        var top: Region?
        regions.search(at: point, roles: .all) { found, _ in
          // Roles that do not compete, such as a spring above a source, leave the region reachable.
          guard
            found.id == region.id || found.roles.contains(.obstacle)
              || !found.roles.isDisjoint(with: region.roles.intersection([.drag, .drop, .spring]))
          else { return false }
          top = found
          return true
        }
        if top?.id == region.id {
          reached += 1
        } else if let cover = top?.window ?? tree.window(at: point)?.window {
          covers[cover, default: 0] += 1
        }
      }
    }
    return RegionListing(
      region.id, of: region.client, window: region.window, rect: rect, roles: region.roles,
      acceptedTypes: regions.acceptedTypes[region.id] ?? [], isStandIn: region.isStandIn,
      reachable: tried == 0 ? 0 : Double(reached) / Double(tried),
      cover: covers.max { ($0.value, $1.key.raw) < ($1.value, $0.key.raw) }?.key)
  }

  /// Calls `body` with each region that a point hits, the topmost first; for hit-test benchmarks and tests.
  package mutating func hitTest(_ point: Point, roles: RegionRoles, _ body: (Region, Point) -> Bool) {
    regions.search(at: point, roles: roles, body)
  }
}

extension WindowTree {
  /// Converts a point to a window's own coordinates. If the window is gone, `fallback` is used as its origin on the
  /// screen.
  func local(_ point: Point, in window: WindowID, fallback: Point = .zero) -> Point {
    guard let frame = screenFrame(of: window) else { return point - fallback }
    return point - frame.origin
  }
}
