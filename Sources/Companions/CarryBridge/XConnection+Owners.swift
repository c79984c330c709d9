import CX11

/// The owner of the XDND selection, as reported by the X server.
extension XConnection {
  func watchOwners(for window: UInt32) {
    guard ownerEvent != nil else { return }
    XFixesSelectSelectionInput(
      display, Window(window), Atom(atom("XdndSelection")), UInt(XFixesSetSelectionOwnerNotifyMask))
  }

  /// Whether the X server reports new owners.
  var tellsOfOwners: Bool { ownerEvent != nil }

  /// The new owner reported to a window, 0 for none; nil for all other events.
  func newOwner(in event: XEvent, for window: UInt32) -> UInt32? {
    guard event.type == ownerEvent else { return nil }
    let e = withUnsafeBytes(of: event) { $0.load(as: XFixesSelectionNotifyEvent.self) }
    return UInt32(truncatingIfNeeded: e.window) == window ? UInt32(truncatingIfNeeded: e.owner) : nil
  }

  enum OwnerEvent {
    case event(XEvent)
    case none
    /// Searching all would take long: any program can send any number of events.
    case tooManyEvents
  }

  /// Removes the next event about owners from the queue.
  func nextOwnerEvent() -> OwnerEvent {
    guard let ownerEvent else { return .none }
    var event = XEvent()
    while true {
      guard XEventsQueued(display, CInt(QueuedAlready)) < Self.maxLookedThrough else { return .tooManyEvents }
      guard XCheckTypedEvent(display, ownerEvent, &event) != 0 else { return .none }
      if event.xany.send_event == 0 { return .event(event) }
    }
  }

  private static let maxLookedThrough: CInt = 4096
}
