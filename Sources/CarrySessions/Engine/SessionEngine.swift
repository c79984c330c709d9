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
  /// Clients that do not read what they are told.
  var clientsBehind: Set<ClientID> = []
  /// How many targets refused since then.
  var refusalsThisTurn = 0
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

  // By index, here and wherever every motion comes along: a closure or a loop variable would copy whole sessions.

  func index(of session: SessionID) -> Int? {
    for s in sessions.indices where sessions[s].id == session { return s }
    return nil
  }

  func index(carriedBy contact: ContactID) -> Int? {
    for s in sessions.indices where sessions[s].contact == contact && !sessions[s].isOver { return s }
    return nil
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
      hasMetDragRegion = true
    } else {
      actions.append(.ignore(event.contact))
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
