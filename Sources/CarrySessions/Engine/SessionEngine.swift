package import CarryGestures
package import CarryModel

/// All drag and drop sessions of a display: what the feature table's section 2 draws, as one state machine.
///
/// Pure: gestures, clients' answers, deadlines and window changes come in with their time; actions come out, to be
/// carried out in their order. Nothing here waits for a client: every question has a serial and a deadline, and an
/// answer to another question than the one that is open is ignored, for the user may have moved on meanwhile.
package struct SessionEngine {
  package private(set) var settings: Settings
  var regions: RegionTable
  /// The mirror that hit tests ask.
  package private(set) var tree: WindowTree
  var sessions: [Session] = []
  var transfers: [Transfer] = []
  /// The drag region under each finger that is down, from its press on.
  var presses: [Press] = []
  /// Taps that wait for a choice between sessions.
  var choices: [Choice] = []
  var sessionIDs = IdentifierSource()
  var regionIDs = IdentifierSource()
  var transferIDs = IdentifierSource()
  var lastSerial: UInt32 = 0
  /// Whether regions changed since `settleRegions` looked what lies under the fingers.
  var regionsChanged = false
  /// Clients that do not read what they are told.
  var clientsBehind: Set<ClientID> = []
  /// How many targets refused since then.
  var refusalsThisTurn = 0
  /// Screen pixels per pixel at 96 dpi, for the thresholds of hovering.
  package var outputScale = 1.0
  /// Whether anybody reads monitor events; without it none are made on the path of a motion.
  package var isMonitored = false

  /// - Parameter tree: the mirror that hit tests ask; its owner keeps it current and calls `windowsChanged`.
  package init(settings: Settings, tree: WindowTree) {
    self.settings = settings
    self.tree = tree
    regions = RegionTable(tree)
  }

  package mutating func apply(_ settings: Settings) { self.settings = settings }

  package var sessionCount: Int { sessions.count }

  /// Whether another session may begin. Those of which nothing is seen any more, because they only wait for data, do
  /// not stand in anybody's way: large files would. Of those there are never too many: `limitTransferring` ends some.
  var hasRoom: Bool { sessions.count { !$0.onlyTransfers } < Limits.sessions }

  package var regionCount: Int { regions.count }
  package var transferCount: Int { transfers.count }

  mutating func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  // By index, here and wherever every motion comes along: a closure or a loop variable would copy whole sessions.

  func index(of session: SessionID) -> Int? {
    for s in sessions.indices where sessions[s].id == session { return s }
    return nil
  }

  func index(carriedBy contact: ContactID) -> Int? {
    for s in sessions.indices where sessions[s].contact == contact && !sessions[s].isOver { return s }
    return nil
  }

  // MARK: Regions

  /// Why a region was refused.
  package enum RegionProblem: Error, Equatable, Sendable {
    case tooMany
    case unknownWindow
  }

  /// A client registers a rectangle of a window. The caller has checked that the window is the client's.
  package mutating func addRegion(
    client: ClientID, window: WindowID, rect: Rect, roles: RegionRoles
  ) throws(RegionProblem) -> RegionID {
    guard regions.count(of: client) < Limits.regionsPerClient, regions.count < Limits.regions else { throw .tooMany }
    guard tree.contains(window) else { throw .unknownWindow }
    let id = RegionID(regionIDs.next())
    regions.insert(Region(id: id, client: client, window: window, rect: rect, roles: roles))
    return id
  }

  /// Whether the client has a region on the window already.
  package func hasRegion(of client: ClientID, on window: WindowID) -> Bool {
    regions.hasRegion(of: client, on: window)
  }

  /// The client moved a region or changed what it takes part in; drags over it see the change when
  /// `settleRegions` is called.
  package mutating func updateRegion(
    _ id: RegionID, rect: Rect? = nil, roles: RegionRoles? = nil, edgeZone: Double? = nil
  ) {
    regions.update(id, rect: rect, roles: roles, edgeZone: edgeZone)
    regionsChanged = true
  }

  /// The client put a region above the others of its window; drags over it see the change when `settleRegions` is
  /// called.
  package mutating func raiseRegion(_ id: RegionID) {
    regions.raise(id)
    regionsChanged = true
  }

  /// Tells drags of all that clients did to their regions since the last time. Called once a turn of the loop, however
  /// many changes there were: a client may send thousands at once.
  package mutating func settleRegions(at now: Instant, into actions: inout [SessionAction]) {
    refusalsThisTurn = 0
    guard regionsChanged else { return }
    windowsChanged(at: now, into: &actions)
  }

  package mutating func removeRegion(_ id: RegionID, at now: Instant, into actions: inout [SessionAction]) {
    guard regions.remove(id) != nil else { return }
    presses.removeAll { $0.region == id }
    forgetChoices(into: &actions) { $0.region == id }
    for s in sessions.indices {
      if sessions[s].spring?.region == id { sessions[s].spring = nil }
      guard let v = visitIndex(s, of: id) else { continue }
      // D12: the last call comes all the same, and with it whatever was begun there ends.
      tell(v, of: s, .didEnd(sessions[s].drop?.operation ?? .cancel), into: &actions)
      if forgetVisit(v, of: s), case .releasing = sessions[s].phase { finishRelease(s, at: now, into: &actions) }
    }
    regionsChanged = true
  }

  /// A window went away; its regions go with it, before its number can be used again.
  package mutating func windowDestroyed(
    _ window: WindowID, at now: Instant, into actions: inout [SessionAction]
  ) -> [RegionID] {
    let gone = regions.ids(ofWindow: window)
    for id in gone { removeRegion(id, at: now, into: &actions) }
    return gone
  }

  /// The display is gone and all windows with it: every session is cancelled, and every region is lost.
  package mutating func displayLost(at now: Instant, into actions: inout [SessionAction]) -> [RegionID] {
    stop(at: now, into: &actions)
    let gone = regions.ids
    for id in gone { removeRegion(id, at: now, into: &actions) }
    presses = []
    return gone
  }

  /// The windows of the display that has come back. There is no region then.
  package mutating func adopt(_ tree: WindowTree) {
    self.tree = tree
    regions = RegionTable(tree)
  }

  /// Windows or regions moved: a finger that rests may be over something else now.
  package mutating func windowsChanged(at now: Instant, into actions: inout [SessionAction]) {
    regionsChanged = false
    for s in sessions.indices {
      if sessions[s].isCarried, sessions[s].optionsAreKnown {
        updateTarget(s, because: .somethingMovedUnderTheFinger, at: now, into: &actions)
      } else if sessions[s].isCarried || sessions[s].releasedAt != nil && !sessions[s].isOver {
        let seen = sessions[s].windowUnderFinger
        noteWindowUnderFinger(s)
        if sessions[s].windowUnderFinger != seen { sessions[s].changedUnseen = now }
      }
    }
  }

  /// The region of a window that has this rectangle; of several the topmost.
  package func region(of window: WindowID, at rect: Rect) -> RegionID? {
    regions.ids(ofWindow: window).last { regions[$0]?.rect == rect }
  }

  /// While no target is looked for: which window the finger is over, by its own doing.
  mutating func noteWindowUnderFinger(_ s: Int) {
    sessions[s].windowUnderFinger = tree.window(at: sessions[s].point)?.window
  }

  /// A registered region.
  package func region(_ id: RegionID) -> Region? { regions[id] }

  /// The windows in which a press may lift something: whose touches must be held until they are decided.
  package var dragWindows: Set<WindowID> { regions.dragWindows }

  /// The region that a press at this point of the screen would be for.
  package mutating func dragRegion(at point: Point) -> Region? {
    var found: Region?
    regions.search(at: point, roles: .drag) { region, _ in
      found = region
      return true
    }
    return found
  }

  /// Calls `body` with each region that a point hits, the topmost first; for hit-test benchmarks and tests.
  package mutating func hitTest(_ point: Point, roles: RegionRoles, _ body: (Region, Point) -> Bool) {
    regions.search(at: point, roles: roles, body)
  }

  /// The session's visit of a region.
  func visitIndex(_ s: Int, of region: RegionID) -> Int? { sessions[s].visitIndex(of: region) }

  /// A point in a window's own coordinates; of a window that is gone, from where it was last.
  func local(_ point: Point, in window: WindowID, fallback: Point = .zero) -> Point {
    guard let frame = tree.screenFrame(of: window) else { return point - fallback }
    return point - frame.origin
  }

  // MARK: Gestures

  /// What a finger did.
  ///
  /// - Parameter stack: the session whose stack a finger came down on, for `.pressed`.
  package mutating func handle(
    _ event: GestureEvent, on stack: SessionID? = nil, into actions: inout [SessionAction]
  ) {
    // What slid under a finger did so before the finger moved on or went up.
    settleRegions(at: event.time, into: &actions)
    switch event.kind {
    case .pressed:
      if let stack, join(stack, event, into: &actions) { return }
      pressed(event, into: &actions)
    case .pressFailed:
      presses.removeAll { $0.contact == event.contact }
      actions.append(.yield(event.contact))
    case .liftBegan:
      liftBegan(event, into: &actions)
    case .lifted:
      guard let s = index(carriedBy: event.contact) else { return }
      sessions[s].isLifted = true
      if sessions[s].phase == .lifting {
        tellSource(s, .lifted, into: &actions)
        actions.append(.claim(event.contact, sessions[s].region))
        monitor(.lifted, s, at: event.time, into: &actions)
      }
    case .liftReversed:
      guard let s = index(carriedBy: event.contact) else { return }
      reverseLift(s, at: event.time, into: &actions)
    case .dragBegan:
      presses.removeAll { $0.contact == event.contact }
      guard let s = index(carriedBy: event.contact) else { return }
      sessions[s].point = event.point
      if sessions[s].phase == .asking {
        sessions[s].dragWanted = true
      } else {
        beginDrag(s, at: event.time, into: &actions)
      }
    case .dragMoved:
      dragMoved(event, into: &actions)
    case .dragEnded:
      guard let s = index(carriedBy: event.contact) else { return leaveStack(event, into: &actions) }
      sessions[s].point = event.point
      if handOff(s, at: event.time, into: &actions) { return }
      release(s, at: event.time, into: &actions)
    case .dragCancelled:
      guard let s = index(carriedBy: event.contact) else { return leaveStack(event, into: &actions) }
      if handOff(s, at: event.time, into: &actions) { return }
      cancel(s, .cancel, at: event.time, into: &actions)
    case .tapped:
      // A finger that has taken over within a tap's time, and lets go.
      if let s = index(carriedBy: event.contact), sessions[s].phase == .dragging {
        sessions[s].point = event.point
        if !handOff(s, at: event.time, into: &actions) { release(s, at: event.time, into: &actions) }
        return
      }
      forgetHelper(event.contact)
      tapped(event, into: &actions)
    }
  }

  private mutating func pressed(_ event: GestureEvent, into actions: inout [SessionAction]) {
    if let found = dragRegion(at: event.point)?.id, presses.count < 64 {
      presses.append(Press(contact: event.contact, region: found))
    } else {
      actions.append(.ignore(event.contact))
    }
  }

  // MARK: Time

  /// When `advance(to:)` wants to be called next, or nil when nothing is waited for.
  package var nextDeadline: Instant? {
    var next: Instant?
    func consider(_ d: Instant?) {
      if let d, next == nil || d < next! { next = d }
    }
    for s in sessions.indices {
      for q in sessions[s].questions.indices { consider(sessions[s].questions[q].deadline) }
      for v in sessions[s].visits.indices {
        if case .asked(_, let deadline) = sessions[s].visits[v].state { consider(deadline) }
      }
      if let spring = sessions[s].spring { consider(spring.dwell.deadline(settings)) }
      consider(edgeDeadline(s))
      consider(hoverDeadline(s))
      for h in sessions[s].helpers.indices { consider(sessions[s].helpers[h].mayTapUntil) }
      switch sessions[s].phase {
      case .releasing(let until), .settling(let until), .cancelling(_, let until):
        consider(until)
        if let ending = sessions[s].ending { consider(ending.due) }
      case .dropping:
        if let drop = sessions[s].drop {
          consider(drop.scopeEnds)
          if drop.isAnimating { consider(drop.landing == nil ? drop.animationEnds : drop.flightDue) }
        }
      case .asking, .lifting, .dragging: break
      }
    }
    for t in transfers.indices { consider(transfers[t].deadline) }
    for c in choices.indices { consider(choices[c].deadline) }
    return next
  }

  /// `nextDeadline` of an engine that an object holds: a getter would copy the whole engine out of the object first.
  package mutating func deadlineInPlace() -> Instant? { nextDeadline }

  /// Lets time pass: goes over every deadline up to `now`.
  package mutating func advance(to now: Instant, into actions: inout [SessionAction]) {
    guard let due = nextDeadline, due <= now else { return }
    for id in sessions.map(\.id) {
      guard let s = index(of: id) else { continue }
      advance(s, to: now, into: &actions)
    }
    forgetChoices(into: &actions) { $0.deadline <= now }
    for transfer in transfers where transfer.deadline <= now {
      end(transfer, .timedOut, at: now, into: &actions)
    }
  }

  private mutating func advance(_ s: Int, to now: Instant, into actions: inout [SessionAction]) {
    let id = sessions[s].id
    for q in sessions[s].questions where q.deadline <= now {
      // L4 and Z8: a source that never answers lifts nothing.
      answered(by: sessions[s].client, id, serial: q.serial, items: [], at: now, into: &actions)
    }
    guard let s = index(of: id) else { return }
    var isTargetSilent = false
    for v in sessions[s].visits.indices {
      guard case .asked(_, let deadline) = sessions[s].visits[v].state, deadline <= now else { continue }
      sessions[s].visits[v].state = .refused
      guard sessions[s].target == v else { continue }
      clearTarget(s)
      isTargetSilent = true
    }
    if isTargetSilent, sessions[s].isCarried {
      updateTarget(s, because: .targetChangedItsMind, at: now, into: &actions)
    } else if isTargetSilent, case .releasing = sessions[s].phase {
      // Who let go has waited long enough: nobody else is asked.
      finishRelease(s, at: now, into: &actions)
    }
    claimHelpers(s, at: now, into: &actions)
    advanceEdge(s, to: now, into: &actions)
    advanceSpring(s, to: now, into: &actions)
    if let ending = sessions[s].ending, ending.due <= now { flyHome(s, [], into: &actions) }
    advanceHover(s, to: now, into: &actions)
    switch sessions[s].phase {
    case .releasing(let until) where until <= now:
      finishRelease(s, at: now, into: &actions)
    case .settling(let until) where until <= now, .cancelling(_, let until) where until <= now:
      animationFinished(id, at: now, into: &actions)
    case .dropping:
      if let drop = sessions[s].drop {
        // Before the rest, which may end the session.
        if drop.landing != nil, drop.flightDue <= now { land(s, at: now, into: &actions) }
        if let scope = drop.scopeEnds, scope <= now {
          finishedPerforming(by: drop.client, id, serial: drop.serial, at: now, into: &actions)
        }
        if drop.isAnimating, drop.animationEnds <= now { animationFinished(id, at: now, into: &actions) }
      }
    case .asking, .lifting, .dragging, .releasing, .settling, .cancelling:
      break
    }
  }

  // MARK: Telling

  mutating func monitor(
    _ kind: MonitorEvent.Kind, _ s: Int, operation: DropOperation? = nil, target: ClientID? = nil, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard isMonitored else { return }
    switch kind {
    case .liftBegan, .lifted, .liftReversed: break
    case .began:
      guard !sessions[s].hasToldBeginning else { return }
      sessions[s].hasToldBeginning = true
    default:
      if !sessions[s].hasToldBeginning { monitor(.began, s, at: now, into: &actions) }
    }
    // In place: this is told of every motion, and a session is large.
    var target = target
    if target == nil, let t = sessions[s].target { target = sessions[s].visits[t].client }
    actions.append(
      .monitor(
        MonitorEvent(
          kind: kind, time: now, session: sessions[s].id, contact: sessions[s].contact, items: sessions[s].items.count,
          types: sessions[s].types, point: sessions[s].point, operation: operation, source: sessions[s].client,
          target: target, isPrivate: sessions[s].isPrivate)))
  }

  func tellSource(_ s: Int, _ message: SourceMessage, into actions: inout [SessionAction]) {
    guard !sessions[s].sourceIsGone else { return }
    actions.append(.source(sessions[s].client, sessions[s].id, message))
  }

  mutating func forget(_ s: Int, into actions: inout [SessionAction]) {
    ignoreHelpers(s, into: &actions)
    forgetQuestions(s, into: &actions)
    let id = sessions[s].id
    actions.append(.forget(id))
    sessions.remove(at: s)
  }
}
