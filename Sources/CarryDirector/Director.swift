import CarryGestures
package import CarryModel
import CarrySessions
import CarryStage
import CarrySystem

/// Directs a drag: fingers go to the gestures, gestures to the sessions, and what the sessions want is carried out on the
/// screen and with the clients. It knows no X server, no socket and no device, only what stands for them in `Seams`.
///
/// One thread calls. Every call comes with its time, but for those of clients, which come as they come.
package final class Director {
  /// Another one after the X server has died and come back.
  private(set) var screen: any Screen
  let clients: any Clients
  let fingers: any Fingers
  let clock: () -> Instant
  var gestures: GestureEngine
  var engine: SessionEngine
  package let pictures: Pictures
  let mediaTypes = MediaTypes()
  /// The time of the last finger's change that was taken in.
  package private(set) var lastTouch = Instant.zero
  /// What the engine wants done; emptied before anything else is taken in.
  var actions: [SessionAction] = []
  var gestureEvents: [GestureEvent] = []
  private var isCarryingOut = false
  /// Whether a deadline that stays has been spoken of.
  private var hasSaidWhatStays = false
  /// Z14: a session that keys drive.
  var keyboard = KeyboardDriver()
  var announcements: [KeyboardDriver.Announcement] = []
  /// The region that keys went to last.
  var spokenRegion: RegionID?
  /// The device of each session's finger, which may be up when the last words are said.
  var deviceOfSession: [SessionID: String] = [:]
  /// Windows whose owner the X server has told, until they are destroyed: each question is waited for.
  var ownedWindows: [WindowID: ClientID] = [:]
  /// Who has registered regions, and when the newest was.
  package internal(set) var registrants: Set<ClientID> = []
  package internal(set) var lastRegistration: Instant?
  /// Whether the windows with drag regions may be others since `takeDragWindows` was last asked for them, or who needs to
  /// know them is new.
  package var dragWindowsChanged = true

  /// What is due at one moment takes a few rounds; this many are a mistake of ours.
  private static let mostRoundsAtOnce = 1000

  /// - Parameter clock: tells the time of what clients ask, and how long making pictures takes.
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

  /// The constants as they are now.
  package var settings: Settings { engine.settings }

  /// New constants: for fingers that come down, and for steps of sessions that are yet to come.
  package func apply(_ settings: Settings) {
    gestures.apply(settings)
    engine.apply(settings)
    clients.apply(settings)
    pictures.apply(settings)
    screen.setPickUpKey(settings.keyboard.pickUp)
  }

  // MARK: What others ask

  /// Whether nobody touches anything and nothing is under way.
  package var isIdle: Bool { engine.sessionCount == 0 && gestures.fingerCount == 0 && pictures.nextFrame == nil }

  /// Whether any finger has come down on a drag region so far.
  package var hasMetDragRegion: Bool { engine.hasMetDragRegion }

  /// The windows that have drag regions. Asking for them is taking note of the change.
  package func takeDragWindows() -> Set<WindowID> {
    dragWindowsChanged = false
    return engine.dragWindows
  }

  /// Whether a touch that is not held is of any interest.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  package func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool {
    let now = clock()
    // A carrying finger that a flickering panel lost for a moment comes back wherever it is.
    if gestures.awaitsReturn(at: point, time: now) { return true }
    // So does one that may take a stack over: no window lies above that.
    if pictures.session(at: point, time: now) != nil { return true }
    guard let region = engine.dragRegion(at: point) else { return false }
    return region.roles.contains(.cooperative) || unguardable.contains(region.window)
  }

  // MARK: Time

  /// When there is something to do next, of gestures and sessions.
  package var nextDeadline: Instant? {
    var next = Instant.earliest(gestures.nextDeadline, engine.nextDeadline)
    next = .earliest(next, keyboard.nextDeadline)
    return .earliest(next, pictures.nextDeadline)
  }

  /// When a finger that rests is due to become something else.
  package var nextGesture: Instant? { gestures.nextDeadline }

  /// Everything that wanted to happen before `time`, in the order of its time.
  package func letTimePass(until time: Instant) {
    var last = Instant.zero
    var rounds = 0
    while true {
      var due = gestures.nextDeadline ?? .distantFuture
      if let other = engine.nextDeadline, other < due { due = other }
      guard due <= time, due != .distantFuture else { return }
      // A deadline that stays though its time has come would keep the engine here for ever, deaf to everybody.
      rounds = due == last ? rounds + 1 : 0
      last = due
      guard rounds < Self.mostRoundsAtOnce else {
        if !hasSaidWhatStays {
          hasSaidWhatStays = true
          Log.error("a deadline at \(due.microseconds) µs stays: that is a bug of carryd's, please report it")
        }
        return
      }
      gestures.advance(to: due, into: &gestureEvents)
      takeGestures()
      withEngine { $0.advance(to: due, into: &$1) }
    }
  }

  /// Lets time pass, and looks what lies under the fingers where regions have changed; once a turn.
  package func advance(to now: Instant) {
    letTimePass(until: now)
    withEngine { $0.settleRegions(at: now, into: &$1) }
  }

  /// Pictures and a frame that are due; once a turn, after everything else.
  package func draw(at now: Instant) {
    pictures.draw(at: now) { session in self.withEngine { $0.animationFinished(session, at: now, into: &$1) } }
  }

  /// The engine ends: every session is cancelled, everybody is told, nothing stays on the screen.
  package func stop(at now: Instant) {
    withEngine { $0.stop(at: now, into: &$1) }
    pictures.drawFrame(at: now) { session in self.withEngine { $0.animationFinished(session, at: now, into: &$1) } }
  }

  // MARK: Fingers

  /// What a finger did. All of a frame come with the same time, and everything that was due before it happens first.
  package func take(_ touch: Touch) {
    if touch.time != lastTouch {
      lastTouch = touch.time
      letTimePass(until: touch.time)
    }
    // One that comes back is carrying: no decision about it is to follow. The application below that has the touch as
    // well takes it for a new one.
    if gestures.take(touch, into: &gestureEvents), let number = fingers.claim(touch.id),
      let region = engine.dragRegion(at: touch.point), region.roles.contains(.cooperative)
    {
      clients.touchCancelled(region.id, number)
    }
    if touch.phase == .cancelled { engine.touchGivenAway(touch.id) }
    takeGestures()
  }

  private func takeGestures() {
    var i = 0
    while i < gestureEvents.count {
      let event = gestureEvents[i]
      fingers.note(event)
      engine.handle(
        event, on: event.kind == .pressed ? pictures.session(at: event.point, time: event.time) : nil, into: &actions)
      carryOut()
      i += 1
    }
    gestureEvents.removeAll(keepingCapacity: true)
  }

  /// Tells the engine something and carries out what it wants.
  func withEngine(_ body: (inout SessionEngine, inout [SessionAction]) -> Void) {
    body(&engine, &actions)
    carryOut()
  }

  /// Carries out all actions, those that come of it included, in their order.
  private func carryOut() {
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
    var lost: [RegionID] = []
    withEngine { lost = $0.windowDestroyed(window, at: now, into: &$1) }
    for region in lost { clients.lost(region) }
    if !lost.isEmpty { dragWindowsChanged = true }
  }

  package func windowsChanged(at now: Instant) { withEngine { $0.windowsChanged(at: now, into: &$1) } }

  /// The screen's size, an output, or how fine it is.
  package func screenChanged() {
    pictures.screenChanged()
    engine.outputScale = screen.dotsPerInch / 96
  }

  /// The X server is gone, and all windows with it: every session is cancelled and every region lost. Clients stay.
  package func screenLost(at now: Instant) {
    var lost: [RegionID] = []
    withEngine { lost = $0.displayLost(at: now, into: &$1) }
    for region in lost { clients.lost(region) }
    pictures.reset()
    ownedWindows = [:]
    clients.dropImages()
    // Those who wait for the X server's word on a window.
    clients.lookAgain()
  }

  /// The X server is back.
  package func adopt(_ screen: any Screen) {
    self.screen = screen
    pictures.screen = screen
    engine.adopt(screen.windows)
    screen.setPickUpKey(engine.settings.keyboard.pickUp)
    screenChanged()
  }
}

extension Director: SessionFacts {
  func item(_ position: Int, of session: SessionID) -> ItemID? { engine.item(position, of: session) }
  func isCarried(_ session: SessionID) -> Bool { engine.isCarried(session) }
  func dropRegion(of session: SessionID) -> RegionID? { engine.dropRegion(of: session) }
  func region(of window: WindowID, at rect: Rect) -> RegionID? { engine.region(of: window, at: rect) }
  func place(of region: RegionID) -> (window: WindowID, rect: Rect)? {
    engine.region(region).map { ($0.window, $0.rect) }
  }
}
