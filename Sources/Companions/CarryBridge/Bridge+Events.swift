import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
import CarryXdnd

/// Events from the X server.
extension Bridge {
  /// Handles events from the X server up to the limit of a turn. The rest stays in Xlib's queue, and `EventWait` then
  /// does not wait: the engine and pending output get their turn in between.
  func dispatch() {
    defer { x.endTurn() }
    var event = XEvent()
    var budget = TurnBudget(at: MonotonicClock.now())
    // The events that are read must not become more than are handled: the others wait in the socket.
    while XEventsQueued(x.display, CInt(QueuedAlready)) > 0 || XEventsQueued(x.display, CInt(QueuedAfterReading)) > 0,
      budget.spend(at: MonotonicClock.now())
    {
      let isServers = ServerEvents.take(from: x.display, into: &event)
      let now = MonotonicClock.now()
      switch event.type {
      case ClientMessage: handle(event.xclient, at: now)
      case SelectionNotify:
        arrivals.handle(event.xselection, at: now)
        lifts.handle(event.xselection, at: now)
      case SelectionClear where isServers:
        guard event.xselectionclear.selection == selectionAtom else { break }
        ownsSelectionSince = nil
        // Another program drags. Retry only after a pause, or two programs could take the selection from each other
        // forever.
        looksAgain = now + Self.pause
        arrange(at: now)
      default:
        // Programs can forge the server's own events.
        guard isServers else { break }
        handle(event, at: now)
        arrivals.handle(event, at: now)
        windows.handle(event, at: now)
        lifts.handle(event, at: now)
        foreignDrags.handle(event, isOurs: lifts.isActive, at: now)
        if event.type == DestroyNotify { x.forget(UInt32(truncatingIfNeeded: event.xdestroywindow.window)) }
      }
    }
    guard !newestStatus.isEmpty else { return }
    let now = MonotonicClock.now()
    for drag in Array(drags.values) { handleStatus(of: drag, at: now) }
    newestStatus = [:]
  }

  /// Handles an event sent by the X server itself.
  private func handle(_ event: XEvent, at now: Instant) {
    switch event.type {
    case SelectionRequest:
      let e = event.xselectionrequest
      guard UInt32(truncatingIfNeeded: e.owner) == selection.window else { return }
      serve(
        SelectionServer.Request(
          requestor: UInt32(truncatingIfNeeded: e.requestor), property: UInt32(truncatingIfNeeded: e.property),
          target: UInt32(truncatingIfNeeded: e.target), time: UInt32(truncatingIfNeeded: e.time),
          selection: UInt32(truncatingIfNeeded: e.selection)))
    case PropertyNotify:
      let window = UInt32(truncatingIfNeeded: event.xproperty.window)
      if event.xproperty.state == PropertyDelete {
        keepAlive(window, at: now)
        selection.propertyDeleted(
          UInt32(truncatingIfNeeded: event.xproperty.atom), of: window,
          after: UInt32(truncatingIfNeeded: event.xproperty.serial), at: now)
      }
    case DestroyNotify:
      let window = UInt32(truncatingIfNeeded: event.xdestroywindow.window)
      selection.windowGone(window)
      if window == selection.window { lose("destroyed") }
    case ReparentNotify:
      let e = event.xreparent
      if e.parent != Window(x.root), e.window == Window(selection.window) { lose("taken away") }
    default: break
    }
  }

  /// The bridge has lost the window that all drags and the watch for foreign drags need; only a restarted bridge has
  /// a new one.
  private func lose(_ how: String) {
    Log.warning("the bridge starts anew, since another program has \(how) its window")
    isLost = true
  }

  /// Data sent in parts keeps its drop alive.
  private func keepAlive(_ window: UInt32, at now: Instant) {
    let program = x.connection(of: window)
    for drag in drags.values where drag.isServing && x.connection(of: drag.target.receiver) == program {
      drag.markActive(at: now)
    }
  }

  /// Handles a message from a target to the window of one of the drags, or from a source that drags over a window of
  /// Carry's.
  private func handle(_ event: XClientMessageEvent, at now: Instant) {
    guard event.format == 32, let kind = kinds[UInt32(truncatingIfNeeded: event.message_type)] else { return }
    let window = UInt32(truncatingIfNeeded: event.window)
    let l = event.data.l
    let words = XdndMessage.Words(
      UInt32(truncatingIfNeeded: l.0), UInt32(truncatingIfNeeded: l.1), UInt32(truncatingIfNeeded: l.2),
      UInt32(truncatingIfNeeded: l.3), UInt32(truncatingIfNeeded: l.4))
    guard !arrivals.handle(kind, words, about: window, at: now), !lifts.handle(kind, words, about: window, at: now),
      let drag = drags.values.first(where: { $0.window == window }) ?? drag(finishedAtRoot: kind, words, window)
    else { return }
    // Toolkits name their own window or the one for which they answer.
    guard words.w0 == drag.target.window || words.w0 == drag.target.receiver else { return }
    if kind == .status { return newestStatus[window] = words }
    handleStatus(of: drag, at: now)
    drag.handle(XdndMessage(kind, words), at: now)
    arrange(at: now)
  }

  /// The drop that a target reports as finished to the root window, as pyglet does.
  private func drag(
    finishedAtRoot kind: XdndMessage.Kind, _ words: XdndMessage.Words, _ window: UInt32
  ) -> BridgedDrag? {
    guard kind == .finished, window == x.root else { return nil }
    return drags.values.first { $0.machine.isDropped && words.w0 == $0.target.window }
  }

  /// Of the replies received together only the newest counts: a program can send any number of them.
  private func handleStatus(of drag: BridgedDrag, at now: Instant) {
    guard let words = newestStatus.removeValue(forKey: drag.window) else { return }
    drag.handle(XdndMessage(.status, words), at: now)
    arrange(at: now)
  }
}
