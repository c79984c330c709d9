/// To the client that owns the region where the drag started. Points are in that region's window's coordinates.
package enum SourceMessage: Equatable, Sendable {
  /// L3: which items does this press lift?
  case itemsForBeginning(RegionID, serial: UInt32, Point)
  /// A3: which items does this tap add?
  case itemsForAdding(RegionID, serial: UInt32, Point)
  /// The items rise (L11).
  case liftBegan
  /// The items have risen: moving now starts the drag.
  case lifted
  /// L13: the lift's animation is over; `atEnd` is false when it ran back to its start.
  case liftEnded(atEnd: Bool)
  /// B3: the drag begins. The answer to the serial gives the source's options (B4).
  case willBegin(serial: UInt32, Point)
  case didMove(serial: UInt32, Point)
  case willEnd(DropOperation)
  /// E3: how do the items end? Asked after `willEnd` of a drag that is cancelled.
  case willCancel(serial: UInt32)
  case didEnd(DropOperation)
  /// Z32: the item is another application's now: all that was asked for of it has arrived. Before `didTransfer`.
  case itemMoved(ItemID)
  /// B10: everything the destination asked for has been delivered, or has failed.
  case didTransfer(delivered: Int)
  /// Z1: what a drop would do here now. Only to the bridge, of a foreign drag.
  case proposal(DropOperation)
  /// Z15: items of the drop are on the shelf, and may be loaded later. Only to the bridge, of a foreign drag.
  case kept
  /// Z16: the user wants the move undone that the source offered to undo.
  case undo
}

/// To the client that owns a drop region. Points are in that region's window's coordinates.
package enum DestinationMessage: Equatable, Sendable {
  /// Introduces the session to this region with its items, in the source's order. More items may follow later.
  case offer([ItemDescription], firstIndex: Int, isLocal: Bool, SourceOptions)
  case canHandle(serial: UInt32, Point)
  case didEnter(Point)
  /// Z11: how fast to scroll, from -1 to 1 along each axis. Sent right before the update that it belongs to.
  case edge(Point)
  case didUpdate(serial: UInt32, Point)
  case didExit
  case performDrop(serial: UInt32, Point, DropOperation)
  case concludeDrop
  case didEnd(DropOperation)
}
