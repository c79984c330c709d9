package import CarryGestures
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
  case spring(ClientID, RegionID, SessionID, SpringDwell.State, Point)
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
}

/// To the client that owns the region where the drag started. Points are in that region's window's coordinates.
package enum SourceMessage: Equatable, Sendable {
  /// L3: which items does this press lift?
  case itemsForBeginning(RegionID, serial: UInt32, Point)
  /// A3: which items does this tap add?
  case itemsForAdding(RegionID, serial: UInt32, Point)
  /// The items rise (L11).
  case liftBegan
  /// They have risen: moving now starts the drag.
  case lifted
  /// L13: the lift's animation is over; `atEnd` is false when it ran back to its start.
  case liftEnded(atEnd: Bool)
  /// B3; the answer to the serial says what the source allows and wishes (B4).
  case willBegin(serial: UInt32, Point)
  case didMove(serial: UInt32, Point)
  case willEnd(DropOperation)
  /// E3: how do the items end? Asked after `willEnd` of a drag that is cancelled.
  case willCancel(serial: UInt32)
  case didEnd(DropOperation)
  /// B10: everything the destination asked for has been delivered, or has failed.
  case didTransfer(delivered: Int)
}

/// To the client that owns a drop region. Points are in that region's window's coordinates.
package enum DestinationMessage: Equatable, Sendable {
  /// Introduces the session to this region: what there is, in the source's order. More may follow later.
  case offer([DragItem], firstIndex: Int, isLocal: Bool, SourceOptions)
  case canHandle(serial: UInt32, Point)
  case didEnter(Point)
  /// Z11: how fast to scroll, from -1 to 1 each way; comes right before the update that it belongs to.
  case edge(Point)
  case didUpdate(serial: UInt32, Point)
  case didExit
  case performDrop(serial: UInt32, Point, DropOperation)
  case concludeDrop
  case didEnd(DropOperation)
}

/// Why a load came to nothing.
package enum LoadFailure: UInt32, Equatable, Sendable {
  /// Asked for at another time than while performing a drop.
  case outsidePerformDrop = 1
  /// The item has no such representation.
  case noSuchType = 2
  /// The source gave an error.
  case sourceFailed = 3
  /// The source went away.
  case sourceGone = 4
  /// The source did not answer in time.
  case timedOut = 5
  /// What the source handed over was refused: not a plain file, sealed memory, pipe or ring.
  case unusableDescriptor = 6
  case cancelled = 7
  case tooManyLoads = 8

  /// A sentence for a person.
  package var sentence: String {
    switch self {
    case .outsidePerformDrop: "data can only be requested while a drop is being performed"
    case .noSuchType: "the item has no representation of this type"
    case .sourceFailed: "the source could not provide the data"
    case .sourceGone: "the source application went away"
    case .timedOut: "the source did not answer in time"
    case .unusableDescriptor: "the source handed over something that is not safe to read"
    case .cancelled: "the load was cancelled"
    case .tooManyLoads: "too many loads of one item, or too many drops that wait for data"
    }
  }
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

/// What the stack's badge says.
package enum Badge: Equatable, Sendable {
  case none
  case count(Int)
  case copy(Int)
  case forbidden
}
