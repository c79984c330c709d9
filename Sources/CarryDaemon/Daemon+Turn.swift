import CarryDirector
import CarryDisplay
import CarryLoop
import CarryModel
import CarryRecordings
import CarrySystem
import CarryWireServer

/// What every turn of the loop ends with. Callbacks of what came, such as clients' requests, have run by then; here time
/// passes, what they asked for is decided and shown, and everything is sent.
extension Daemon {
  func finishTurn() {
    let now = MonotonicClock.now()
    heartbeat.advance(to: now)
    takeWhatHasCome(at: now)
    director.advance(to: now)
    if let settings = configuration.advance(to: now) { apply(settings) }
    server.advance(to: now)
    guardWindows(at: now)
    director.draw(at: now)
    director.holdKeys(at: now)
    publishStatusIfChanged()
    display.flush()
    server.flush()
    stopIfReplayIsOver()
    director.pictures.endTurn(at: now)
    // Flushing may have read events that the descriptor no longer tells of: another turn, at once.
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
    if let due = director.nextGesture, due <= now { inputs.readWhatHasCome() }
  }

  /// The windows in which touches and clicks are to be held.
  private func guardWindows(at now: Instant) {
    display.watchPresses(touches: inputs.hasTouchGate, buttons: inputs.hasClickGate)
    guard director.dragWindowsChanged, guardPace.due(at: now) <= now else { return }
    guardPace.told(at: now)
    inputs.guardWindows(director.takeDragWindows())
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
    next = .earliest(next, configuration.due)
    return inputs.hasPendingRecordings ? .earliest(next, recordingStart) : next
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
