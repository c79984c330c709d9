import CarryContacts
import CarryDisplay
import CarryGate
import CarryGestures
import CarryModel
import CarrySystem

/// The gates that hold touches and clicks, and the decisions about them.
extension Input {
  /// Starts the touch gate, if the X server can hold touches. Fingers then come from the server, with its positions,
  /// and no node has to be read.
  func startTouchGate() {
    guard touches == nil, options.nodes.isEmpty, !options.isPlayed, !layout.touchDevices.isEmpty else { return }
    let source = GateSource(runner(guarding: guarded, trials: guardedForTrials), identifiers, self, now: options.now)
    // A gate that cannot be started now is started later.
    touches = source
    source.runner.start()
  }

  /// Starts the click gate if trackpads, or mice and pens, are enabled: their clicks are held like touches.
  func startClickGate() {
    let isWanted = settings.trackpad.isEnabled || settings.pointer.isEnabled
    guard isWanted, !options.isPlayed, layout.touchDevices.isEmpty else {
      // If a window has both a button grab and a touch grab, the X server honours only the newer one for a touch that
      // emulates a click: touches would slip through.
      if settings.trackpad.isEnabled, !options.isPlayed, !hasSaidThatClicksPass {
        hasSaidThatClicksPass = true
        Log.notice("the X server has a touchscreen: the clicks of trackpads are not held, and seen by applications too")
      }
      stopClickGate()
      return
    }
    if clicks == nil { clicks = HeldClicks(runner(guarding: guardedFromClicks), identifiers, self, now: options.now) }
    runClickGate()
  }

  /// Starts the click gate's process as soon as it is needed: for a mouse not before there is a window to guard, so
  /// that an engine without applications has no second process.
  private func runClickGate() {
    if settings.trackpad.isEnabled || !guardedFromClicks.isEmpty { clicks?.start() }
  }

  private func stopClickGate() {
    clicks?.stop()
    clicks = nil
  }

  private func runner<Event: GateEvent>(
    guarding windows: Set<WindowID>, trials: Set<WindowID> = []
  ) -> GateRunner<Event> {
    let gate = Gate<Event>(
      displayName: options.displayName, patience: settings.gatePatience, spawner: options.spawner,
      now: options.now)
    let runner = GateRunner(gate, loop, now: options.now)
    runner.guardWindows(windows, trials: trials)
    return runner
  }

  func stopGates() {
    touches?.stop()
    touches = nil
    stopClickGate()
    (guarded, guardedForTrials, guardedFromClicks) = ([], [], [])
  }

  /// Holds touches and clicks in exactly these windows from now on.
  func guardWindows(_ windows: DragWindows) {
    (guarded, guardedForTrials, guardedFromClicks) = (windows.touches, windows.trials, windows.clicks)
    touches?.runner.guardWindows(guarded, trials: guardedForTrials)
    clicks?.runner.guardWindows(guardedFromClicks)
    runClickGate()
  }

  /// The screen was touched or a button was pressed, so a living gate must report soon.
  func expectHeartbeat(at now: Instant) {
    touches?.runner.expectHeartbeat(at: now)
    clicks?.runner.expectHeartbeat(at: now)
  }

  // MARK: Status

  var hasTouchGate: Bool { touches != nil }
  var hasClickGate: Bool { clicks?.runner.hasRun == true }

  /// Whether touches are held.
  var gateStatus: EngineStatus.Gate {
    touches.map { $0.runner.isRunning ? .running : .failed } ?? .unused
  }

  /// Windows whose touches another client holds.
  var unguardable: Set<WindowID> { touches?.runner.unguardable ?? [] }

  // MARK: Decisions

  /// Whether the application receives the finger's touch only when the engine passes it on.
  func isHeld(_ contact: ContactID) -> Bool { touches?.isHeld(contact) == true }

  /// Asks the gate to hold the finger's touch for longer, because something may lift with it. A click is not held for
  /// longer: while it is held, the X server stops the pointer for all applications, and they must not wait for a slow
  /// source.
  func liftBegan(_ contact: ContactID) { touches?.liftBegan(contact) }

  /// Claims the finger for a drag: the application below must not act on it.
  ///
  /// - Returns: the X server's number of the touch if the application also receives the touch.
  @discardableResult
  func claim(_ contact: ContactID) -> UInt32? {
    clicks?.claim(contact)
    return touches?.claim(contact)
  }

  /// Passes the finger to the application.
  func yield(_ contact: ContactID) {
    clicks?.yield(contact)
    touches?.yield(contact)
  }
}

extension Input: GateSourceOwner {
  func addDevice(_ name: String) -> DeviceID { fingers.addDevice(name) }

  func lose(_ device: DeviceID, at now: Instant) {
    for contact in fingers.removeDevice(device) {
      handle(Touch(id: contact, phase: .cancelled, point: .zero, device: device, time: now))
    }
  }

  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool {
    delegate?.wantsToSee(touchAt: point, unguardable: unguardable) ?? false
  }
}

extension Input: ClickOwner {
  /// Reads the devices first: the kernel sent their events to all readers before the X server could make a click of
  /// them.
  func clickedFinger() -> (contact: ContactID, isCarrying: Bool)? {
    for node in nodes where pads.contains(where: { $0 === node.source }) { read(node) }
    return pads.lazy.compactMap(\.clicked).first
  }

  func use(ofClickAt point: Point, isAdding: Bool) -> ClickUse {
    guard settings.pointer.isEnabled, let delegate else { return .none }
    if isAdding { return delegate.mayAdd(clickAt: point) ? .adds : .none }
    return delegate.mayLift(clickAt: point) ? .lifts : .none
  }

  var clickScale: Double { layout.scale }
}

extension Input: CompanionReceiver {
  func handle(_ contact: Contact, of node: String, at point: Point, time: Instant) {
    guard let device = layout.touchDevices.first(where: { $0.node == node }) else { return }
    touches?.nodeContact(contact, device: device.id, at: point, time: time)
  }
}
