import CarryGestures
package import CarryModel
package import CarrySessions
import CarryStage
import CarrySystem

/// Directs a drag: passes fingers to the gestures and gestures to the sessions, and carries out the sessions' actions
/// on the screen and with the clients. It does not depend on an X server, socket or device, only on the protocols of
/// `Seams.swift`.
///
/// All calls come from one thread. Every call has its time as a parameter, except clients' requests.
package final class Director {
  /// Replaced by a new object after the X server has died and come back.
  private(set) var screen: any Screen
  let clients: any Clients
  let fingers: any Fingers
  let clock: () -> Instant
  var gestures: GestureEngine
  var engine: SessionEngine
  package let pictures: Pictures
  let mediaTypes = MediaTypes()
  /// The time of the newest touch that was handled.
  package private(set) var lastTouch = Instant.zero
  /// The engine's actions; all of them are carried out before the next input is handled.
  var actions: [SessionAction] = []
  var gestureEvents: [GestureEvent] = []
  private var isCarryingOut = false
  /// Whether the log has mentioned a deadline that persists.
  private var hasSaidWhatStays = false
  /// The session driven by keys.
  var keyboard = KeyboardDriver()
  var announcements: [KeyboardDriver.Announcement] = []
  /// The region that was announced last while keys drove a session.
  var spokenRegion: RegionID?
  /// The device of each session's finger. Kept, because monitors are told of the session after the finger is up.
  var deviceOfSession: [SessionID: String] = [:]
  /// The owners of windows, cached until the windows are destroyed: asking the X server for an owner waits.
  var ownedWindows: [WindowID: ClientID] = [:]
  /// The window for slow transfers.
  var panel = TransferPanel()
  /// The panel as shown on the screen; nil if hidden.
  var shownPanel: PanelPicture?
  /// The finger that is down on it.
  var panelFinger: ContactID?
  /// Where the shelf appears; nil while nothing is dragged.
  private(set) var shelfPlace: ShelfPlace?
  /// The fingers that are a mouse or a pen and are down. A trackpad's finger may carry with no button down.
  package private(set) var pointers: Set<ContactID> = []
  /// Whether one of them carries a session, as last reported to the bridge.
  private var pointerCarries = false
  /// Where the drag of another application that is under way began, in screen pixels; nil if there is none.
  var otherDrag: Point?
  /// The copies of pictures that the shelf may read.
  var keptPictures: [KeptItemID: UInt32] = [:]
  /// The clients that have registered regions, and the time of the newest registration.
  package internal(set) var registrants: Set<ClientID> = []
  /// The registered clients that have a region in a mapped window, whether or not the window is covered.
  package var shownRegistrants: Set<ClientID> { engine.shownClients.intersection(registrants) }
  package internal(set) var lastRegistration: Instant?
  /// Whether the gates need the windows with drag regions: the windows may have changed since the last
  /// `takeDragWindows`, or a gate is new.
  package var dragWindowsChanged = true
  /// Whether a bridge has been connected before the next one.
  var hasHadBridge = false
  /// What tools that look into the engine know; nil without such tools.
  var reported: ReportedDetails?
  /// The mirror's count of reparentings when it was last checked.
  private var reparentings: UInt64 = 0

  /// Handling everything due at one moment takes a few rounds. This many rounds indicate a bug of ours.
  private static let maxRoundsAtOnce = 1000

  /// - Parameter clock: provides the time of clients' requests, and measures how long making pictures takes.
  package init(
    settings: Settings, screen: any Screen, clients: any Clients, fingers: any Fingers,
    clock: @escaping () -> Instant = { MonotonicClock.now() }
  ) {
    self.screen = screen
    self.clients = clients
    self.fingers = fingers
    self.clock = clock
    gestures = GestureEngine(settings: settings)
    engine = SessionEngine(settings: settings, tree: screen.windows)
    pictures = Pictures(settings: settings, screen: screen, clients: clients, clock: clock)
    actions.reserveCapacity(64)
    gestureEvents.reserveCapacity(32)
    pictures.sessions = self
    clients.apply(settings)
    screen.setPickUpKey(settings.keyboard.pickUp)
    screenChanged()
  }

  /// The current settings.
  package var settings: Settings { engine.settings }

  /// The edge of the shelf; nil if there is no shelf. Queried in every turn, so it avoids copying all settings.
  package var shelfEdge: ShelfPlace.Edge? { engine.settings.shelf.edge }

  /// Applies new settings: to fingers that come down from now on, and to later steps of sessions.
  package func apply(_ settings: Settings) {
    gestures.apply(settings)
    send(.settings(settings), at: clock())
    clients.apply(settings)
    pictures.apply(settings)
    screen.setPickUpKey(settings.keyboard.pickUp)
  }

  /// Applies another policy: to targets that a session meets from now on.
  package func apply(_ policy: Policy) { send(.policy(policy), at: clock()) }

  /// Tells a listener everything that the session engine is told, with its actions.
  package func record(_ listener: @escaping InputListener) { engine.record(listener) }

  // MARK: Queries

  /// Whether nothing is touched and nothing is under way.
  package var isIdle: Bool { engine.activeSessionCount == 0 && gestures.fingerCount == 0 && pictures.nextFrame == nil }

  /// Whether any finger has come down on a drag region so far.
  package var hasMetDragRegion: Bool { engine.hasMetDragRegion }
  /// Where the first finger came down that met no drag region.
  package var firstMiss: Point? { engine.firstMiss }

  /// Returns the windows that have drag regions, and resets `dragWindowsChanged`.
  package func takeDragWindows() -> DragWindows {
    dragWindowsChanged = false
    return engine.dragWindows
  }

  /// Whether the engine needs to see a touch that the gate does not hold.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  package func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool {
    let now = clock()
    // A carrying finger that a flickering panel has lost for a moment may come back anywhere.
    if gestures.awaitsReturn(at: point, time: now) { return true }
    if isPanel(at: point) { return true }
    // A finger that may take over a stack may come down on any window: stacks lie above all windows.
    if pictures.session(at: point, time: now) != nil { return true }
    guard let region = engine.dragRegion(at: point) else { return false }
    return region.roles.contains(.cooperative) || unguardable.contains(region.window)
  }

  /// Whether a mouse or a pen may lift something here.
  package func mayLift(clickAt point: Point) -> Bool {
    guard !isPanel(at: point), let region = engine.dragRegion(at: point) else { return false }
    return !region.roles.contains(.ownPointer)
  }

  /// Whether a click here may add an item to a session.
  package func mayAdd(clickAt point: Point) -> Bool { mayLift(clickAt: point) && engine.mayAdd(at: point) }

  // MARK: Time

  /// The next deadline of the gestures, the sessions, the keyboard driver and the pictures.
  package var nextDeadline: Instant? {
    var next = Instant.earliest(gestures.nextDeadline, engine.nextDeadline)
    next = .earliest(next, keyboard.nextDeadline)
    // While the screen draws, its reply wakes the loop.
    if !pictures.screenIsBusy { next = .earliest(next, panel.deadline) }
    return .earliest(next, pictures.nextDeadline)
  }

  /// When a resting finger will become another gesture, such as a lift.
  package var nextGesture: Instant? { gestures.nextDeadline }

  /// Handles every deadline up to `time`, in order.
  package func letTimePass(until time: Instant) {
    var last = Instant.zero
    var rounds = 0
    while true {
      var due = gestures.nextDeadline ?? .distantFuture
      if let other = engine.nextDeadline, other < due { due = other }
      guard due <= time, due != .distantFuture else { return }
      // A deadline that persists after it was handled would keep the engine in this loop for ever and block all
      // input.
      rounds = due == last ? rounds + 1 : 0
      last = due
      guard rounds < Self.maxRoundsAtOnce else {
        if !hasSaidWhatStays {
          hasSaidWhatStays = true
          Log.error("a deadline at \(due.microseconds) µs stays: that is a bug of carryd's, please report it")
        }
        return
      }
      gestures.advance(to: due, into: &gestureEvents)
      takeGestures()
      send(.advance, at: due)
    }
  }

  /// Handles the deadlines up to `now`, and finds the targets again if regions have changed. Called once a turn.
  package func advance(to now: Instant) {
    letTimePass(until: now)
    if engine.needsSettling { send(.settleRegions, at: now) }
    updateShelf()
    tellWhetherPointerCarries()
  }

  private func tellWhetherPointerCarries() {
    let carries = pointers.contains { engine.isCarrying($0) }
    guard carries != pointerCarries else { return }
    pointerCarries = carries
    clients.setPointerCarries(carries)
  }

  /// Shows the shelf while something is dragged. It stays on the monitor where the drag began.
  private func updateShelf() {
    let edge = settings.shelf.edge
    let point = edge == nil ? nil : engine.dragPoint ?? otherDrag
    guard (point == nil) != (shelfPlace == nil) else { return }
    shelfPlace = point.flatMap { point in
      edge.map { ShelfPlace(monitor: screen.monitor(at: point), scale: pictures.stage.scale, edge: $0) }
    }
    clients.showShelf(shelfPlace)
  }

  /// Makes pictures and draws a frame if they are due. Called once a turn, after everything else.
  package func draw(at now: Instant) {
    pictures.draw(at: now) { self.send(.animationFinished(session: $0), at: now) }
    drawPanel(at: now)
    reportDetails(at: now)
  }

  /// Stops the engine: cancels every session, tells all participants, and clears the screen.
  package func stop(at now: Instant) {
    send(.stop, at: now)
    if shownPanel != nil { screen.showPanel(nil) }
    pictures.drawFrame(at: now) { self.send(.animationFinished(session: $0), at: now) }
  }

  // MARK: Fingers

  /// Handles a touch, after every earlier deadline. All touches of one frame have the same time.
  package func handle(_ touch: Touch) {
    if touch.time != lastTouch {
      lastTouch = touch.time
      letTimePass(until: touch.time)
    }
    // A cancelled touch does not state its tool.
    switch touch.phase {
    case .began: if touch.tool == .mouse || touch.tool == .pen { pointers.insert(touch.id) }
    case .moved: break
    case .ended, .cancelled: pointers.remove(touch.id)
    }
    if takeForPanel(touch) { return }
    // A finger that comes back is already carrying, so no decision about it will follow. It has a new touch number,
    // and an application that also receives the touch must be told.
    if gestures.handle(touch, into: &gestureEvents), let number = fingers.claim(touch.id),
      let region = engine.dragRegion(at: touch.point), region.roles.contains(.cooperative)
    {
      clients.touchCancelled(region.id, number)
    }
    if touch.phase == .cancelled { send(.touchGivenAway(contact: touch.id), at: touch.time) }
    takeGestures()
  }

  private func takeGestures() {
    var i = 0
    while i < gestureEvents.count {
      let event = gestureEvents[i]
      fingers.handle(event)
      let isPress = event.kind == .pressed
      send(
        .gesture(
          event: event, on: isPress ? pictures.session(at: event.point, time: event.time) : nil,
          isHeld: isPress && fingers.isHeld(event.contact)),
        at: event.time)
      i += 1
    }
    gestureEvents.removeAll(keepingCapacity: true)
  }

  /// Tells the engine something, and carries out the resulting actions.
  func send(_ input: SessionInput, at now: Instant) {
    engine.handle(input, at: now, into: &actions)
    carryOut()
  }

  /// Carries out all actions in order, including the actions that follow from them.
  func carryOut() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    var i = 0
    while i < actions.count {
      let action = actions[i]
      carryOut(action)
      i += 1
    }
    actions.removeAll(keepingCapacity: true)
    isCarryingOut = false
  }

  // MARK: The screen

  package func windowDestroyed(_ window: WindowID, at now: Instant) {
    ownedWindows[window] = nil
    let lost = engine.windowDestroyed(window, at: now, into: &actions)
    carryOut()
    for region in lost { clients.lost(region) }
    if !lost.isEmpty { dragWindowsChanged = true }
  }

  package func windowsChanged(at now: Instant) {
    // The outermost windows may have changed.
    if reparentings != screen.windows.reparentings {
      reparentings = screen.windows.reparentings
      dragWindowsChanged = true
    }
    send(.windowsChanged, at: now)
  }

  /// The screen's size, its outputs or its scale changed.
  package func screenChanged() {
    pictures.screenChanged()
    send(.outputScale(screen.dotsPerInch / 96), at: clock())
  }

  /// The connection to the X server is lost, perhaps with all windows: cancels every session. Clients stay, and their
  /// regions wait for the next connection.
  package func screenLost(at now: Instant) {
    let lost = engine.displayLost(at: now, into: &actions)
    carryOut()
    clients.waitForServer(lost)
    pictures.reset()
    (panel, shownPanel, panelFinger) = (TransferPanel(), nil, nil)
    ownedWindows = [:]
    keptPictures = [:]
    clients.dropImages()
  }

  /// The X server is back.
  package func adopt(_ screen: any Screen) {
    self.screen = screen
    pictures.screen = screen
    engine.adopt(screen.windows)
    screen.setPickUpKey(engine.settings.keyboard.pickUp)
    screenChanged()
    clients.lookAgain()
  }
}

extension Director: SessionFacts {
  func item(_ position: Int, of session: SessionID) -> (session: SessionID, item: ItemID)? {
    engine.item(position, of: session)
  }
  func isCarried(_ session: SessionID) -> Bool { engine.isCarried(session) }
  func dropRegion(of session: SessionID) -> RegionID? { engine.dropRegion(of: session) }
  func region(of window: WindowID, at rect: Rect) -> RegionID? { engine.region(of: window, at: rect) }
  func place(of region: RegionID) -> (window: WindowID, rect: Rect)? {
    engine.region(region).map { ($0.window, $0.rect) }
  }
}
