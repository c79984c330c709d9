package import CarryModel

/// An action of the engine. The engine's owner carries the actions out in order, and waits for none of them.
package enum SessionAction: Equatable, Sendable {
  /// Tell the recognisers to forget this finger: it is not needed.
  case ignore(ContactID)
  /// A source is being asked what lifts with this finger: hold its touch for longer, in case the lift takes long.
  case liftBegan(ContactID)
  /// Claim the touch, for an item of this region if there is one: the application below must not act on the touch.
  case claim(ContactID, RegionID?)
  /// The finger touched a carried stack, and may take it over: tell the recognisers that the finger lifts nothing.
  case join(ContactID)
  /// Pass the touch to the application, as if Carry were not there.
  case yield(ContactID)
  case source(ClientID, SessionID, SourceMessage)
  case destination(ClientID, SessionID, RegionID, DestinationMessage)
  /// Ask the client to which of its sessions a tap on this region adds (K8). The point is in the window's
  /// coordinates.
  case choose(ClientID, RegionID, serial: UInt32, [SessionID], Point)
  /// Ask the client whether a press on this region may lift. The point is in the window's coordinates.
  case press(ClientID, RegionID, serial: UInt32, Point)
  /// The spring-loading state of a region changed. The point is in the window's coordinates.
  case spring(ClientID, RegionID, SessionID, SpringState, Point)
  /// Request one representation from an item's owner. The first session is the one that the item came with; `in` is
  /// the one in which it was dropped.
  case load(ClientID, TransferID, ItemID, SessionID, in: SessionID, type: String, LoadForm)
  /// Request a representation from a file provider, of the item that it knows by the reference.
  case provide(FileReference, TransferID, SessionID, type: String, LoadForm)
  /// Tell a destination that a load failed.
  case loadFailed(ClientID, TransferID, LoadFailure)
  /// Tell an item's owner that this load is no longer needed.
  case loadCancelled(ClientID, TransferID)
  /// Report the progress of an item's owner to the destination of a load.
  case ownerProgressed(ClientID, TransferID, TransferProgress)
  /// Report the progress of the destination of a load to the item's owner.
  case destinationProgressed(ClientID, TransferID, TransferProgress)
  /// Everything that a drop requested has been delivered or has failed; with the reason of the first failure, if any.
  case transferred(SessionID, LoadFailure?)
  /// Show, at a point of the screen, that a move can be undone.
  case showUndo(SessionID, title: String, Point)
  case hideUndo(SessionID)
  case stage(SessionID, StageAction)
  case monitor(MonitorEvent)
  /// A policy rule hides the session, or some of its types, from a program. For the journal, once for each session
  /// and target.
  ///
  /// Indirect, because the two identities would make every action three times as large.
  indirect case forbidden(SessionID, from: ProgramIdentity, to: ProgramIdentity, rule: String)
  /// The finger of this session rests: read the desktop's windows, and answer with `learnedWindows`.
  case lookAtDesktop(SessionID)
  /// Raise this window.
  case raise(WindowID)
  /// The program that pressed the mouse button to lift out of a foreign application may be gone: release the button.
  case releaseButton(at: Point?)
  /// Tell the shelf that a kept item can no longer be loaded.
  case keptItemGone(KeptItemID)
  /// Nothing of a kept item remains in the engine.
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
  /// Highlight these places of the screen, which would usually accept the items.
  case highlight([Rect])
  /// Another finger, at this point, carries the stack from now on.
  case handOff(Point)
  case move(Point)
  case add([ItemPreview], window: WindowID, rect: Rect)
  /// The item at this position has another preview from now on.
  case picture(item: Int, PreviewID?)
  /// The source offers another picture for the item at this position, to be requested when the item is visible.
  case offer(item: Int)
  case badge(Badge)
  /// The reason shown with the forbidden badge.
  case reason(String?)
  /// Items without an ending here fly home.
  case cancel([ItemEnding])
  /// Items without an ending here go down into the target.
  case drop(target: Rect?, Point, [ItemEnding])
  case remove
}
