/// Messages to the client that owns the region where the drag started. Points are in the coordinates of that region's
/// window.
package enum SourceMessage: Equatable, Sendable {
  /// Which items does this press lift?
  case itemsForBeginning(RegionID, serial: UInt32, Point)
  /// Which items does this tap add?
  case itemsForAdding(RegionID, serial: UInt32, Point)
  /// The items rise.
  case liftBegan
  /// The items have risen: moving now starts the drag.
  case lifted
  /// The lift's animation is over; `atEnd` is false if it ran back to its start.
  case liftEnded(atEnd: Bool)
  /// The drag begins. The answer to the serial carries the source's options.
  case willBegin(serial: UInt32, Point)
  case didMove(serial: UInt32, Point)
  case willEnd(DropOperation)
  /// How do the items end? Asked after `willEnd` of a drag that is cancelled.
  case willCancel(serial: UInt32)
  case didEnd(DropOperation)
  /// The item has moved to another application: everything requested of it has arrived. Sent before `didTransfer`
  /// (Z32).
  case itemMoved(ItemID)
  /// Everything the destination requested has been delivered, or has failed.
  case didTransfer(delivered: Int)
  /// What a drop would do here now. Sent only to the bridge, for a foreign drag.
  case proposal(DropOperation)
  /// Items of the drop are on the shelf, and may be loaded later. Sent only to the bridge, for a foreign drag.
  case kept
  /// The user wants to undo the move that the source offered to undo.
  case undo
}

/// Messages to the client that owns a drop region. Points are in the coordinates of that region's window.
package enum DestinationMessage: Equatable, Sendable {
  /// Introduces the session and its items to this region, in the source's order. More items may follow later.
  case offer([ItemDescription], firstIndex: Int, isLocal: Bool, SourceOptions)
  case canHandle(serial: UInt32, Point)
  case didEnter(Point)
  /// How fast to scroll, from -1 to 1 along each axis. Sent directly before the update that it belongs to.
  case edge(Point)
  case didUpdate(serial: UInt32, Point)
  case didExit
  case performDrop(serial: UInt32, Point, DropOperation)
  case concludeDrop
  case didEnd(DropOperation)
}
