package import CarryGestures
package import CarryModel

/// All drag and drop sessions of a display: what the feature table's section 2 draws, as one state machine.
///
/// Pure: gestures, clients' answers, deadlines and window changes come in with their time; actions come out, to be
/// carried out in their order. Nothing here waits for a client: every question has a serial and a deadline.
///
/// What comes too late and what cannot come are two things. A client may answer another question than the one that is
/// open, for the user may have moved on meanwhile, and may say anything else at any time: that is ignored. The recognisers
/// and the stage are our own: what they say about a session that is there fits to its phase, or is told as a bug.
///
/// An engine is not copied: an object that holds one asks it where it is.
package struct SessionEngine: ~Copyable {
  package private(set) var settings: Settings
  var regions: RegionTable
  /// The mirror that hit tests ask.
  package internal(set) var tree: WindowTree
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
  /// How many targets refused since then.
  var refusalsThisTurn = 0
  /// Clients that do not read what they are told.
  var clientsBehind: Set<ClientID> = []
  /// Pairs of phase and event that cannot be, and that have been told.
  private var reported: Set<String> = []
  /// Screen pixels per pixel at 96 dpi, for the thresholds of hovering.
  package var outputScale = 1.0
  /// Whether anybody reads monitor events; without it none are made on the path of a motion.
  package var isMonitored = false
  /// Whether any finger has come down on a drag region so far.
  package private(set) var hasMetDragRegion = false

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

  func find(_ id: SessionID) -> Session? { sessions.first { $0.id == id } }

  func find(carriedBy contact: ContactID) -> Session? { sessions.first { $0.contact == contact && !$0.isOver } }

  // MARK: Gestures

  /// What a finger did.
  ///
  /// - Parameter stack: the session whose stack a finger came down on, for `.pressed`.
  package mutating func handle(
    _ event: GestureEvent, on stack: SessionID? = nil, into actions: inout [SessionAction]
  ) {
    // What slid under a finger did so before the finger moved on or went up.
    settleRegions(at: event.time, into: &actions)
    let session = find(carriedBy: event.contact)
    if let session, !session.expects(event.kind) { reportImpossible("\(event.kind)", session, into: &actions) }
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
      if let session { lifted(session, at: event.time, into: &actions) }
    case .liftReversed:
      if let session { reverseLift(session, at: event.time, into: &actions) }
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
      // A finger that has taken over within a tap's time, and lets go.
      if let session, session.isCarried {
        session.point = event.point
        if !handOff(session, at: event.time, into: &actions) { release(session, at: event.time, into: &actions) }
        return
      }
      forgetHelper(event.contact)
      tapped(event, into: &actions)
    }
  }

  private mutating func pressed(_ event: GestureEvent, into actions: inout [SessionAction]) {
    if let found = dragRegion(at: event.point)?.id, presses.count < 64 {
      presses.append(Press(contact: event.contact, region: found))
      hasMetDragRegion = true
    } else {
      actions.append(.ignore(event.contact))
    }
  }

  // MARK: Telling

  mutating func monitor(
    _ kind: MonitorEvent.Kind, _ session: Session, operation: DropOperation? = nil, target: ClientID? = nil,
    at now: Instant, into actions: inout [SessionAction]
  ) {
    guard isMonitored else { return }
    switch kind {
    case .liftBegan, .lifted, .liftReversed: break
    case .began:
      guard !session.hasToldBeginning else { return }
      session.hasToldBeginning = true
    default:
      if !session.hasToldBeginning { monitor(.began, session, at: now, into: &actions) }
    }
    actions.append(
      .monitor(
        MonitorEvent(
          kind: kind, time: now, session: session.id, contact: session.contact, items: session.items.count,
          types: session.types, point: session.point, operation: operation, source: session.client,
          target: target ?? session.drag?.visits.target?.client, isPrivate: session.isPrivate)))
  }

  func tellSource(_ session: Session, _ message: SourceMessage, into actions: inout [SessionAction]) {
    guard session.drop?.sourceIsGone != true else { return }
    actions.append(.source(session.client, session.id, message))
  }

  /// What a part of ours has said cannot be as the session is, unless we made a mistake. Said once of each such pair.
  mutating func reportImpossible(_ event: String, _ session: Session, into actions: inout [SessionAction]) {
    let pair = "\(event) while \(session.phase.name)"
    if reported.insert(pair).inserted { actions.append(.bug(pair)) }
  }

  mutating func forget(_ session: Session, into actions: inout [SessionAction]) {
    if let drag = session.drag { ignoreHelpers(drag, into: &actions) }
    forgetAdditions(session, into: &actions)
    session.phase = .gone
    actions.append(.forget(session.id))
    sessions.removeAll { $0 === session }
  }
}
