import CarryDisplay
import CarryGestures
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem
import CarryWireServer

/// Fingers, as the input hands them on.
extension Daemon: InputDelegate {
  func take(_ touch: Touch) {
    let time = touch.time
    // Once for all fingers of a frame.
    if time != lastTouch {
      lastTouch = time
      if isReplaying { handling.note(MonotonicClock.now() - time) }
      letTimePass(until: time)
    }
    let hasReturned = gestures.take(touch, into: &gestureEvents)
    // One that comes back is carrying: no decision about it is to follow. The application below that has the touch as
    // well takes it for a new one.
    if hasReturned, let number = inputs.claim(touch.id), let region = engine.dragRegion(at: touch.point),
      region.roles.contains(.cooperative)
    {
      server.touchCancelled(region.id, number)
    }
    if touch.phase == .cancelled { engine.touchGivenAway(touch.id) }
    takeGestures()
  }

  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool {
    let now = MonotonicClock.now()
    // A carrying finger that a flickering panel lost for a moment comes back wherever it is.
    if gestures.awaitsReturn(at: point, time: now) { return true }
    // So does one that may take a stack over: no window lies above that.
    if stage.session(at: point, time: now) != nil { return true }
    guard let region = engine.dragRegion(at: point) else { return false }
    return region.roles.contains(.cooperative) || unguardable.contains(region.window)
  }
}

/// What gestures and windows do, handed on to the sessions, and what those want, carried out.
extension Daemon {
  /// What is due at one moment takes a few rounds; this many are a mistake of ours.
  private static let mostRoundsAtOnce = 1000

  /// Everything that wanted to happen before `time`, in the order of its time.
  func letTimePass(until time: Instant) {
    var last = Instant.zero
    var rounds = 0
    while true {
      var due = gestures.deadlineInPlace() ?? .distantFuture
      if let other = engine.deadlineInPlace(), other < due { due = other }
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

  // MARK: Gestures

  func takeGestures() {
    var i = 0
    while i < gestureEvents.count {
      let event = gestureEvents[i]
      inputs.note(event)
      engine.handle(
        event, on: event.kind == .pressed ? stage.session(at: event.point, time: event.time) : nil, into: &actions)
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

  // MARK: The display

  func handle(_ change: DisplayChange, at now: Instant) {
    switch change {
    case .windowDestroyed(let window):
      ownedWindows[window] = nil
      var lost: [RegionID] = []
      withEngine { lost = $0.windowDestroyed(window, at: now, into: &$1) }
      for region in lost { server.lost(region) }
      if !lost.isEmpty { regionsChanged = true }
    case .windowsChanged:
      withEngine { $0.windowsChanged(at: now, into: &$1) }
    case .windowAppeared(let window):
      server.windowAppeared(window)
    case .windowsLookedUp:
      server.lookAgain()
    case .screenChanged:
      screenChanged()
    case .imagesChanged:
      stage.setNeedsFrame()
    case .pressed:
      inputs.expectsSign(at: now)
    case .cancelled:
      cancelDrags(at: now)
    case .key(let step):
      handle(step, at: now)
    case .touchDevicesChanged:
      inputs.remap(ScreenLayout(display))
      let names = display.touchDevices.map { SafeText.displayable($0.name) }.joined(separator: ", ")
      Log.info("the X server's touchscreens changed: \(names.isEmpty ? "none" : names)")
    case .compositorChanged:
      Log.info(display.isComposited ? "a compositing manager runs" : "no compositing manager runs")
      // What rests on the screen is shown the other way now, not when it moves next.
      stage.setNeedsFrame()
    case .connectionLost:
      displayLost(at: now)
    }
  }

  func screenChanged() {
    stage.pace = FramePace(interval: display.refreshInterval)
    engine.outputScale = display.dotsPerInch / 96
    inputs.remap(ScreenLayout(display))
  }
}
