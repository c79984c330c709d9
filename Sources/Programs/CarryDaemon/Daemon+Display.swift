import CarryDirector
import CarryDisplay
import CarryModel
import CarrySystem
import CarryWireServer

/// Forwards the X server's events to the director.
extension Daemon {
  func handle(_ change: DisplayChange, at now: Instant) {
    switch change {
    case .windowDestroyed(let window):
      director.windowDestroyed(window, at: now)
    case .windowsChanged:
      director.windowsChanged(at: now)
    case .windowAppeared(let window):
      server.windowAppeared(window)
    case .windowsLookedUp:
      server.lookAgain()
    case .screenChanged:
      screenChanged()
    case .imagesChanged:
      director.pictures.setNeedsFrame()
    case .pressed:
      inputs.expectHeartbeat(at: now)
    case .cancelled:
      director.cancelDrags(at: now)
    case .screenLocked:
      director.screenLocked(at: now)
    case .panelPressed(let point):
      director.pressPanel(at: point, time: now)
    case .panelReleased(let point):
      director.releasePanel(at: point, time: now)
    case .undo(let window):
      director.undo(in: window)
    case .key(let step):
      director.handle(step, at: now)
    case .touchDevicesChanged:
      inputs.remap(ScreenLayout(display))
      let names = display.touchDevices.map { SafeText.displayable($0.name) }.joined(separator: ", ")
      Log.info("the X server's touchscreens changed: \(names.isEmpty ? "none" : names)")
    case .compositorChanged:
      Log.info(display.isComposited ? "a compositing manager runs" : "no compositing manager runs")
      // Show resting cards in the new way now, not only when they move next.
      director.pictures.setNeedsFrame()
    case .claimLost(let other):
      Log.warning(
        "\(other) has taken the selection by which X clients find the engine; the engine continues, and carry doctor does not "
          + "see it")
    case .claimWindowDestroyed:
      Log.warning("another program has destroyed the window by which X clients find the engine; there is a new one")
      _ = Self.claim(display, socket: server.socketPath)
      status = nil
    case .connectionLost:
      displayLost(at: now)
    }
  }

  func screenChanged() {
    director.screenChanged()
    inputs.remap(ScreenLayout(display))
  }
}
