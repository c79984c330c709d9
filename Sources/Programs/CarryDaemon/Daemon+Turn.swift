import CarryDirector
import CarryDisplay
import CarryLoop
import CarryModel
import CarryRecordings
import CarrySystem
import CarryWireServer

/// The end of every turn of the loop. Callbacks for input, such as clients' requests, have run by then. Here
/// deadlines are handled, the director decides and shows the results, and everything is sent.
extension Daemon {
  func finishTurn() {
    let now = MonotonicClock.now()
    heartbeat.advance(to: now)
    takeWhatHasCome(at: now)
    director.advance(to: now)
    if let settings = configuration.advance(to: now) { apply(settings) }
    if let change = access.advance(to: now) { apply(change) }
    bridge.advance(to: now)
    shelf.advance(to: now)
    server.advance(to: now)
    guardWindows(at: now)
    // Applications process their messages while the engine draws.
    server.flush()
    director.draw(at: now)
    director.holdKeys(at: now)
    publishStatusIfChanged()
    display.flush()
    server.flush()
    stopIfReplayIsOver()
    director.pictures.endTurn(at: now)
    startupCode.advance(to: now)
    paceDisplay(at: now)
    // Flushing may have read events, for which the descriptor does not become readable: take another turn at once.
    mustNotBlock = displayPace.due == nil && display.hasReadAhead
    if !mustNotBlock { server.loop.wake(at: nextDeadline) }
  }

  /// Batches the server's reports while it draws.
  private func paceDisplay(at now: Instant) {
    displayPace.turnEnded(
      at: now, isBusy: display.isBusy && !display.awaitsAnswers, nextFrame: director.pictures.nextFrame)
    let isPaused = displayPace.due != nil
    if let displaySource, displaySource.isPaused != isPaused { displaySource.isPaused = isPaused }
  }

  /// Reads recordings, devices and the X server.
  private func takeWhatHasCome(at now: Instant) {
    startRecordingsIfDue(now)
    reconnectIfDue(now)
    inputs.advance(to: now)
    if displayPace.mayRead(at: now), displayIsReadable || displayPace.due != nil || display.hasReadAhead {
      displayIsReadable = false
      display.dispatch { [unowned self] change in self.handle(change, at: now) }
    }
    if inputs.hasPendingRecordings, options.replayDelay == nil {
      replayStart.see(director.shownRegistrants, of: director.registrants.count, at: now)
      if replayStart.isReportDue(at: now) { reportWait() }
    }
    // After a stall, read all input before handling deadlines: a finger that went up in time must not lift anything.
    if let due = director.nextGesture, due <= now { inputs.readWhatHasCome() }
  }

  /// Tells the gates the windows in which to hold touches and clicks, and the bridge the windows that accept drops.
  private func guardWindows(at now: Instant) {
    display.watchPresses(touches: inputs.hasTouchGate, buttons: inputs.hasClickGate)
    guard director.dragWindowsChanged, guardPace.due(at: now) <= now else { return }
    guardPace.told(at: now)
    inputs.guardWindows(director.takeDragWindows())
    director.tellDropWindows()
  }

  private func stopIfReplayIsOver() {
    guard isReplaying, !inputs.hasPendingRecordings, !inputs.isPlaying, director.isIdle else { return }
    isRunning = false
  }

  private var nextDeadline: Instant? {
    var next = Instant.earliest(heartbeat.nextDeadline, inputs.nextDeadline)
    next = .earliest(next, director.nextDeadline)
    next = .earliest(next, server.nextDeadline)
    if director.dragWindowsChanged { next = .earliest(next, guardPace.due(at: MonotonicClock.now())) }
    next = .earliest(next, reconnection?.next)
    next = .earliest(next, displayPace.due)
    next = .earliest(next, configuration.due)
    next = .earliest(next, access.due)
    next = .earliest(next, bridge.nextDeadline)
    next = .earliest(next, shelf.nextDeadline)
    next = .earliest(next, startupCode.due)
    return inputs.hasPendingRecordings ? .earliest(next, .earliest(recordingStart, replayStart.nextReport)) : next
  }

  /// Says which applications the recordings have found, as one that is missing is what people look for.
  private func reportWait() {
    let shown = director.shownRegistrants.map { client in
      SafeText.displayable(server.name(of: client)) + (server.runningProcess(of: client).map { " (pid \($0))" } ?? "")
    }
    let wanted = replayStart.clients
    Log.notice(
      "the recording waits for \(wanted) application\(wanted == 1 ? "" : "s") with a region in a window on the screen; "
        + "there \(shown.count == 1 ? "is" : "are") \(shown.isEmpty ? "none" : shown.sorted().joined(separator: ", "))")
  }

  private var recordingStart: Instant? {
    replayStart.due(registrants: director.registrants.count, lastRegistration: director.lastRegistration)
  }

  private func startRecordingsIfDue(_ now: Instant) {
    guard inputs.hasPendingRecordings, let due = recordingStart, due <= now else { return }
    do {
      try inputs.startRecordings(at: now)
    } catch {
      failure = error.sentence
      isRunning = false
    }
  }
}
