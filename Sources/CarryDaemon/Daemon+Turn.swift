import CarryContacts
import CarryDisplay
import CarryGestures
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem
import CarryWireServer

/// What every turn of the loop ends with. Callbacks of what came, such as clients' requests, have run by then; here time
/// passes, what they asked for is decided and shown, and everything is sent.
extension Daemon {
  func finishTurn() {
    let now = MonotonicClock.now()
    sayThatAllIsWell(now)
    takeWhatHasCome(at: now)
    decide(at: now)
    guardWindows(at: now)
    draw(at: now)
    holdKeys(at: now)
    publishStatusIfChanged()
    display.flush()
    server.flush()
    stopIfReplayIsOver()
    // Flushing may have read events that the descriptor no longer tells of: another turn, at once.
    frameWaitedFor = displayIsBusy ? nil : stage.nextFrameInPlace().flatMap { $0 > now ? $0 : nil }
    server.loop.wake(at: display.hasReadAhead ? now : nextDeadline)
  }

  /// Recordings, devices and the X server.
  private func takeWhatHasCome(at now: Instant) {
    startRecordingsIfDue(now)
    reconnectIfDue(now)
    inputs.advance(to: now)
    if displayIsReadable || display.hasReadAhead {
      displayIsReadable = false
      display.dispatch { [unowned self] change in self.handle(change, at: now) }
    }
    // After a standstill more may have come than the clock tells: a finger that went up in time has not lifted anything.
    if let due = gestures.deadlineInPlace(), due <= now { inputs.readWhatHasCome() }
  }

  /// Gestures and sessions, with the regions and settings as they are now.
  private func decide(at now: Instant) {
    letTimePass(until: now)
    withEngine { $0.settleRegions(at: now, into: &$1) }
    if let settings = configuration.advance(to: now) { apply(settings) }
    server.advance(to: now)
  }

  /// The windows in which touches and clicks are to be held.
  private func guardWindows(at now: Instant) {
    display.watchPresses(touches: inputs.hasTouchGate, buttons: inputs.hasClickGate)
    guard regionsChanged, guardPace.due(at: now) <= now else { return }
    regionsChanged = false
    guardPace.told(at: now)
    inputs.guardWindows(engine.dragWindows)
  }

  /// Pictures and a frame that are due, unless the X server has still to draw what it was asked for.
  private func draw(at now: Instant) {
    displayIsBusy = display.isBusy
    askForWaitingOffers(at: now)
    if let due = pictures.changes.due, due <= now, !displayIsBusy { changePictures(at: now) }
    if let due = stage.nextFrameInPlace(), due <= now, !displayIsBusy {
      // One that was waited for; others became due by what has just happened.
      if let waited = frameWaitedFor, waited == due { lateness.note(now - due) }
      drawFrame(at: now)
    }
    display.askWhenDone()
    displayIsBusy = display.isBusy
  }

  /// The keys that are every application's own while nothing is dragged.
  private func holdKeys(at now: Instant) {
    advanceKeys(to: now)
    display.setHoldsCancelKey(engine.isCarryingInPlace())
    display.setHoldsDragKeys(keyboard.isActiveInPlace())
  }

  private func stopIfReplayIsOver() {
    guard isReplaying, !inputs.hasPendingRecordings, !inputs.isPlaying, engine.sessionCount == 0,
      gestures.fingerCount == 0, stage.nextFrameInPlace() == nil
    else { return }
    isRunning = false
  }

  /// From within the loop: an engine that hangs falls silent, and is started anew.
  private func sayThatAllIsWell(_ now: Instant) {
    guard let heartbeat, nextHeartbeat ?? now <= now else { return }
    ServiceManager.notify("WATCHDOG=1")
    nextHeartbeat = now + heartbeat
  }

  func drawFrame(at now: Instant) {
    for image in display.refreshImages() { stage.imageChanged(image) }
    stage.frame(at: now, into: &drawList)
    display.apply(drawList)
    stage.pace = display.pace(of: drawList, at: now)
    for session in stage.takeFinished() {
      withEngine { $0.animationFinished(session, at: now, into: &$1) }
    }
    for image in stage.takeUnusedImages() {
      pictures.released(image)
      display.releaseImage(image)
    }
  }

  private var nextDeadline: Instant? {
    var next: Instant?
    func consider(_ d: Instant?) {
      if let d, next == nil || d < next! { next = d }
    }
    consider(nextHeartbeat)
    consider(inputs.nextDeadline)
    consider(gestures.deadlineInPlace())
    consider(engine.deadlineInPlace())
    // While the X server draws, its answer is what is waited for.
    if !displayIsBusy {
      consider(stage.nextFrameInPlace())
      consider(pictures.changes.due)
      consider(pictures.offers.due)
    }
    consider(server.nextDeadline)
    if regionsChanged { consider(guardPace.due(at: MonotonicClock.now())) }
    consider(reconnection?.next)
    consider(configuration.due)
    consider(keyboard.deadlineInPlace())
    if inputs.hasPendingRecordings { consider(recordingStart) }
    return next
  }

  private var recordingStart: Instant? {
    if let delay = options.replayDelay { return startTime + delay }
    guard registrants.count >= options.replayClients else { return nil }
    return lastRegistration.map { $0 + Self.registrationSettles }
  }

  private func startRecordingsIfDue(_ now: Instant) {
    guard inputs.hasPendingRecordings, let due = recordingStart, due <= now else { return }
    do {
      try inputs.startRecordings(at: now)
    } catch {
      failure = error.description
      isRunning = false
    }
  }
}
