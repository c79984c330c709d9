package import CarryModel

/// An action of the engine. The engine's owner carries the actions out in order, and waits for none of them.
package enum SessionAction: Equatable, Sendable {
  /// Nobody wants this finger: tell the recognisers to forget it.
  case ignore(ContactID)
  /// A source is asked what lifts with this finger: hold its touch for longer, should the lift take long.
  case liftBegan(ContactID)
  /// Take the touch, for an item of this region if there is one: the application below must not act on the touch.
  case claim(ContactID, RegionID?)
  /// The finger touched a carried stack, and may take it over: tell the recognisers that the finger lifts nothing.
  case join(ContactID)
  /// Give the touch to the application, as if Carry were not there.
  case yield(ContactID)
  case source(ClientID, SessionID, SourceMessage)
  case destination(ClientID, SessionID, RegionID, DestinationMessage)
  /// K8: ask the client to which of its sessions a tap on this region adds. The point is in the window's coordinates.
  case choose(ClientID, RegionID, serial: UInt32, [SessionID], Point)
  /// Spring loading: the state of a region changed. The point is in the window's coordinates.
  case spring(ClientID, RegionID, SessionID, SpringState, Point)
  /// Ask an item's owner for one representation: of the session that the item came with, in the one in which it was dropped.
  case load(ClientID, TransferID, ItemID, SessionID, in: SessionID, type: String, LoadForm)
  /// F1: ask a file provider for a representation of the item that it knows by the reference.
  case provide(FileReference, TransferID, SessionID, type: String, LoadForm)
  /// Tell a destination that a load failed.
  case loadFailed(ClientID, TransferID, LoadFailure)
  /// Tell an item's owner that nobody waits for this load any more.
  case loadCancelled(ClientID, TransferID)
  /// Tell a destination how far the item's owner is with a load.
  case ownerProgressed(ClientID, TransferID, TransferProgress)
  /// Tell an item's owner how far the destination is with a load.
  case destinationProgressed(ClientID, TransferID, TransferProgress)
  /// R5: everything that a drop asked for has been delivered or has failed, and why the first load failed if any did.
  case transferred(SessionID, LoadFailure?)
  /// Z16: show, at a point of the screen, that a move can be undone.
  case showUndo(SessionID, title: String, Point)
  case hideUndo(SessionID)
  case stage(SessionID, StageAction)
  case monitor(MonitorEvent)
  /// G6: a rule of the policy keeps the session, or some of its types, from a program. For the journal, once for each
  /// session and target.
  ///
  /// Kept apart: the two programs would make every action three times as large.
  indirect case forbidden(SessionID, from: ProgramIdentity, to: ProgramIdentity, rule: String)
  /// Z10: the finger of this session rests: read the desktop's windows, and answer with `learnedWindows`.
  case lookAtDesktop(SessionID)
  /// Z10: bring this window to the front.
  case raise(WindowID)
  /// Z23: who pressed the mouse's button to lift out of another application may be gone: let go of it.
  case releaseButton
  /// Z15: tell the shelf that an item that it keeps can no longer be loaded.
  case keptItemGone(KeptItemID)
  /// Z15: nothing of a kept item remains in the engine.
  case forgetKept(KeptItemID)
  /// Nothing of the session remains in the engine.
  case forget(SessionID)
  /// An event that is impossible in a session's phase: a bug of ours, reported once for each such pair.
  case bug(String)
}

/// A change to show on the stage.
package enum StageAction: Equatable, Sendable {
  /// The items' pictures start to rise. `start` is when the lift began, which may be in the past.
  case lift([ItemPreview], window: WindowID, rect: Rect, touch: Point, start: Instant, duration: Interval)
  case reverseLift
  /// The drag begins, at full size until `scaleDown` follows.
  case beginDrag(Point)
  case scaleDown
  /// Z13: highlight these places of the screen, which would usually take the items.
  case highlight([Rect])
  /// K7: another finger, at this point, carries the stack from now on.
  case handOff(Point)
  case move(Point)
  case add([ItemPreview], window: WindowID, rect: Rect)
  /// B6: the item at this position has another preview from now on.
  case picture(item: Int, PreviewID?)
  /// P15: the source offers another picture for the item at this position, to be asked for when the item is visible.
  case offer(item: Int)
  case badge(Badge)
  /// Z12: the reason for a forbidding badge.
  case reason(String?)
  /// Items without an ending here fly home.
  case cancel([ItemEnding])
  /// Items without an ending here go down into the target.
  case drop(target: Rect?, Point, [ItemEnding])
  case remove
}
