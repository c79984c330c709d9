package import CarryModel

/// What the engine wants done. Whoever owns it carries the actions out in their order, and waits for none of them.
package enum SessionAction: Equatable, Sendable {
  /// Nothing is wanted of this finger: tell the recognisers to forget it.
  case ignore(ContactID)
  /// The touch is taken, for what is in this region if there is one: the application below must not act on it.
  case claim(ContactID, RegionID?)
  /// The finger touched a stack that is carried, and may come to carry it: tell the recognisers that it lifts nothing.
  case join(ContactID)
  /// The touch is the application's, as if Carry were not there.
  case yield(ContactID)
  case source(ClientID, SessionID, SourceMessage)
  case destination(ClientID, SessionID, RegionID, DestinationMessage)
  /// K8: to which of its sessions does a tap on this region add? The point is in the window's coordinates.
  case choose(ClientID, RegionID, serial: UInt32, [SessionID], Point)
  /// Spring loading: the state of a region changed. The point is in the window's coordinates.
  case spring(ClientID, RegionID, SessionID, SpringState, Point)
  /// Ask a source for one representation of one of its items.
  case load(ClientID, TransferID, ItemID, type: String)
  /// Tell a destination that a load came to nothing.
  case loadFailed(ClientID, TransferID, LoadFailure)
  /// Tell a source that nobody waits for this load any more.
  case loadCancelled(ClientID, TransferID)
  case stage(SessionID, StageAction)
  case monitor(MonitorEvent)
  /// Z10: the finger of this session rests: which windows are there? Answered with `sees`.
  case lookAtDesktop(SessionID)
  /// Z10: bring this window to the front.
  case raise(WindowID)
  /// Nothing of the session remains in the engine.
  case forget(SessionID)
  /// An event that cannot be in the phase that a session is in: a mistake of ours, told once of each such pair.
  case bug(String)
}

/// What the stage is to show.
package enum StageAction: Equatable, Sendable {
  /// The items' pictures start to rise. `start` is when the lift began, which may be in the past.
  case lift([ItemPreview], window: WindowID, rect: Rect, touch: Point, start: Instant, duration: Interval)
  case reverseLift
  /// At full size, until `scaleDown` follows.
  case beginDrag(Point)
  case scaleDown
  /// Z13: these places of the screen would take the items as a rule.
  case highlight([Rect])
  /// K7: another finger, which is here, carries the stack from now on.
  case handOff(Point)
  case move(Point)
  case add([ItemPreview], window: WindowID, rect: Rect)
  /// B6: the item at this position looks otherwise from now on.
  case picture(item: Int, PreviewID?)
  /// P15: the source has another picture for the item at this position, for when it is seen.
  case offer(item: Int)
  case badge(Badge)
  /// Z12: why the badge forbids.
  case reason(String?)
  /// Items that are not named fly home.
  case cancel([ItemEnding])
  /// Items that are not named go down into the target.
  case drop(target: Rect?, Point, [ItemEnding])
  case remove
}
