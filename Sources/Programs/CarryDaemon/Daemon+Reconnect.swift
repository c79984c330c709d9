import CarryDirector
import CarryDisplay
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Handles the X server's exit and return: display managers restart the server under a running engine.
extension Daemon {
  /// The first and the longest wait between two attempts, and the time after which the engine gives up.
  private static let firstWait = Interval.milliseconds(50)
  private static let longestWait = Interval.milliseconds(500)
  private static let patience = Interval.seconds(120)

  /// The state between the loss of the X server and its return.
  struct Reconnection {
    let since: Instant
    var next: Instant
    var wait: Interval
  }

  /// Handles the loss of the server, or of the connection to it: cancels every session. Clients stay connected, and
  /// their regions are registered again if their windows are there on the next connection.
  func displayLost(at now: Instant) {
    // A recording needs its display, so the engine does not wait for another one.
    guard !isReplaying else {
      failure = "the connection to the X server was lost"
      isRunning = false
      return
    }
    Log.warning("the connection to the X server was lost; waiting for it to come back")
    ServiceManager.notify("STATUS=Waiting for the X server to come back")
    director.screenLost(at: now)
    inputs.displayLost(at: now)
    displaySource?.cancel()
    displaySource = nil
    reconnection = Reconnection(since: now, next: now + Self.firstWait, wait: Self.firstWait)
  }

  /// Tries to connect again when it is time.
  func reconnectIfDue(_ now: Instant) {
    guard var attempt = reconnection, attempt.next <= now else { return }
    do {
      let new = try Display(name: options.display)
      guard Self.claim(new, socket: server.socketPath) == nil else {
        failure = "another engine serves the display that came back"
        isRunning = false
        return
      }
      reconnection = nil
      display = new
      status = nil
      director.adopt(new)
      watchDisplay()
      Log.notice("connected to the X server again")
      ServiceManager.notify("STATUS=\(readiness)")
      inputs.remap(ScreenLayout(new))
      inputs.displayIsBack()
    } catch {
      guard now - attempt.since < Self.patience else {
        failure = "the X server did not come back: \(error.sentence)"
        isRunning = false
        return
      }
      attempt.wait = min(Interval(microseconds: attempt.wait.microseconds &* 2), Self.longestWait)
      attempt.next = now + attempt.wait
      reconnection = attempt
    }
  }
}
