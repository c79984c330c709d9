package import CarryGestures
package import CarryModel

/// All drag and drop sessions of a display: section 2 of docs/behaviour.md as one state machine.
///
/// Pure: gestures, clients' answers, deadlines and window changes come in with their times. Actions come out, and the
/// owner carries them out in order. Nothing here waits for a client: every question has a serial, and a deadline
/// where the user waits.
///
/// Late input and impossible input differ. A client may answer a question that is no longer open, because the user
/// has moved on, and may send anything else at any time; the engine ignores that. The recognisers and the stage are
/// our own code: if their events do not fit a session's phase, the engine reports a bug.
///
/// The engine is not copyable, so that its owner always changes it in place.
package struct SessionEngine: ~Copyable {
  package private(set) var settings: Settings
  var regions: RegionTable
  /// The window mirror for hit tests.
  package internal(set) var tree: WindowTree
  var sessions: [Session] = []
  var transfers: [Transfer] = []
  /// The drag region of the press, for each finger that is down.
  var presses: [Press] = []
  /// Taps that wait for a choice between sessions.
  var choices: [Choice] = []
  /// Moves that their sources may still offer to undo, or that the user may still undo.
  var undoOffers = UndoOffers()
  /// The items that the shelf keeps.
  var kept = KeptItems()
  var sessionIDs = IdentifierSource()
  var regionIDs = IdentifierSource()
  var transferIDs = IdentifierSource()
  /// Numbers for guests' items in the stacks of their hosts.
  var guestItemIDs = IdentifierSource()
  /// Whether a session that may have had guests is gone.
  var guestsMayEnd = false
  var lastSerial: UInt32 = 0
  /// Whether regions changed since the last `settleRegions`.
  var regionsChanged = false
  /// How many targets have refused in this turn.
  var refusalsThisTurn = 0
  /// Clients that do not read their messages.
  var clientsBehind: Set<ClientID> = []
  /// The impossible pairs of phase and event that have been reported.
  private var reported: Set<String> = []
  /// Screen pixels per pixel at 96 dpi, for the thresholds of hovering.
  package var outputScale = 1.0
  /// Whether monitor events are read. Without a reader, motions make no monitor events.
  package var isMonitored = false
  /// The clients that have monitors.
  var monitoringClients: Set<ClientID> = []
  /// Records the session, if it is recorded.
  package var listener: InputListener?
  /// The lift out of a foreign application that is being tried; one at a time.
  var trial: Trial?
  /// The identities of the clients, and the policy.
  let programs = Programs()
  /// Whether any finger has come down on a drag region so far.
  package private(set) var hasMetDragRegion = false
  /// Where the first finger came down that met no drag region.
  package private(set) var firstMiss: Point?

  /// - Parameter tree: the window mirror for hit tests. Its owner keeps it current and calls `windowsChanged`.
  package init(settings: Settings, tree: WindowTree) {
    self.settings = settings
    self.tree = tree
    regions = RegionTable(tree)
  }

  package mutating func apply(_ settings: Settings) { self.settings = settings }

  package var sessionCount: Int { sessions.count }
  /// The number of sessions, without those of which only a promise on the shelf remains.
  package var activeSessionCount: Int { sessions.count { !($0.onlyTransfers && kept.holds($0.id)) } }

  /// Whether another session may begin. Sessions that are no longer visible because they only wait for data do not
  /// count, or large files would block new drags; `limitTransferring` limits their number. Guests are limited by what
  /// their hosts can hold.
  var hasRoom: Bool { sessions.count { !$0.onlyTransfers && $0.host == nil } < Limits.sessions }

  package var regionCount: Int { regions.count }
  package var transferCount: Int { transfers.count }

  mutating func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  // MARK: Gestures

  /// Handles the gesture of a finger.
  ///
  /// - Parameters:
  ///   - stack: the session whose stack a finger came down on, for `.pressed`.
  ///   - isHeld: for `.pressed`, whether the application below receives the touch only when the engine lets it.
  package mutating func handle(
    _ event: GestureEvent, on stack: SessionID? = nil, isHeld: Bool = false, into actions: inout [SessionAction]
  ) {
    // Regions that slid under a finger did so before this event.
    settleRegions(at: event.time, into: &actions)
    let session = sessions.find(carriedBy: event.contact)
    if let session, !session.expects(event.kind) { reportImpossible("\(event.kind)", session, into: &actions) }
    switch event.kind {
    case .pressed:
      if let stack, join(stack, event, into: &actions) { return }
      pressed(event, isHeld: isHeld, into: &actions)
    case .pressFailed:
      presses.removeAll { $0.contact == event.contact }
      actions.append(.yield(event.contact))
    case .liftBegan:
      liftBegan(event, into: &actions)
    case .lifted:
      if let session { lifted(session, at: event.time, into: &actions) } else { tryLift(event, into: &actions) }
    case .liftReversed:
      if let session {
        reverseLift(session, at: event.time, into: &actions)
      } else {
        leavePress(event.contact, into: &actions)
      }
    case .dragBegan:
      presses.removeAll { $0.contact == event.contact }
      guard let session else { return }
      session.point = event.point
      dragBegan(session, at: event.time, into: &actions)
    case .dragMoved:
      guard let session else { return helperMoved(event) }
      dragMoved(session, event, into: &actions)
    case .dragEnded:
      guard let session else { return leaveStack(event, into: &actions) }
      session.point = event.point
      if handOff(session, at: event.time, into: &actions) { return }
      release(session, at: event.time, into: &actions)
    case .dragCancelled:
      guard let session else { return leaveStack(event, into: &actions) }
      if handOff(session, at: event.time, into: &actions) { return }
      cancel(session, .cancel, at: event.time, into: &actions)
    case .tapped:
      // The tap comes from a finger that has taken over and went up within a tap's time.
      if let session, session.isCarried {
        session.point = event.point
        if !handOff(session, at: event.time, into: &actions) { release(session, at: event.time, into: &actions) }
        return
      }
      forgetHelper(event.contact)
      tapped(event, into: &actions)
    }
  }

  private mutating func pressed(_ event: GestureEvent, isHeld: Bool, into actions: inout [SessionAction]) {
    if let found = dragRegion(at: event.point, isHeld: isHeld), presses.count < 64 {
      let serial = found.roles.contains(.asks) ? nextSerial() : nil
      presses.append(Press(contact: event.contact, region: found.id, serial: serial))
      if let serial {
        let point = tree.local(event.point, in: found.window)
        actions.append(.press(found.client, found.id, serial: serial, point))
      }
      if !found.isStandIn { hasMetDragRegion = true }
    } else {
      firstMiss = firstMiss ?? event.point
      actions.append(.ignore(event.contact))
    }
  }

  // MARK: Telling

  mutating func monitor(
    _ kind: MonitorEvent.Kind, _ session: Session, operation: DropOperation? = nil, target: ClientID? = nil,
    targetRegion: RegionID? = nil, type: String? = nil, nearest: MonitorEvent.Nearest? = nil, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    // Monitors see the host, not its guests.
    guard isMonitored, session.host == nil else { return }
    switch kind {
    case .liftBegan, .lifted, .liftReversed: break
    case .began:
      guard !session.hasToldBeginning else { return }
      session.hasToldBeginning = true
    default:
      if !session.hasToldBeginning { monitor(.began, session, at: now, into: &actions) }
    }
    let place = session.drag?.visits.targetAddress
    var seen = typesOfMonitors(session)
    if let type { seen = seen.mapValues { $0.contains(type) ? [type] : [] } }
    actions.append(
      .monitor(
        MonitorEvent(
          kind: kind, time: now, session: session.id, contact: session.contact, items: session.items.count,
          types: type.map { [$0] } ?? session.types, seen: seen, point: session.point, operation: operation,
          source: session.client, target: target ?? place?.client, sourceRegion: session.region,
          targetRegion: targetRegion ?? session.drop?.region ?? place?.region, nearest: nearest,
          isPrivate: session.isPrivate)))
  }

  func tellSource(_ session: Session, _ message: SourceMessage, into actions: inout [SessionAction]) {
    guard !session.sourceIsGone else { return }
    actions.append(.source(session.client, session.id, message))
  }

  /// Reports an event of our own code that does not fit the session's phase, once for each pair of phase and event.
  mutating func reportImpossible(_ event: String, _ session: Session, into actions: inout [SessionAction]) {
    let pair = "\(event) while \(session.phase.name)"
    if reported.insert(pair).inserted { actions.append(.bug(pair)) }
  }

  mutating func forget(_ session: Session, into actions: inout [SessionAction]) {
    if let drag = session.drag { ignoreHelpers(drag, into: &actions) }
    forgetAdditions(session, into: &actions)
    session.phase = .gone
    // The source of a move is told of the session's end only once the move can no longer be undone.
    if !undoOffers.outlive(session.id) { actions.append(.forget(session.id)) }
    sessions.removeAll { $0 === session }
    kept.sessionEnded()
    if session.isLifted { guestsMayEnd = true }
  }
}
