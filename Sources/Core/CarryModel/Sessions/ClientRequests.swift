/// Clients' requests to the engine. All calls are made on the loop's thread, within a turn; none may block.
package protocol ClientRequests: AnyObject {
  func clientArrived(_ client: ClientID, _ program: ProgramIdentity)
  /// The manifests have changed, and with them a client's identity.
  func identityChanged(_ client: ClientID, _ program: ProgramIdentity)
  /// The client does not read its messages: more are queued than the kernel buffers.
  func isBehind(_ client: ClientID)
  /// The client has read all its messages.
  func hasRead(_ client: ClientID)
  /// The client has disconnected, and all its objects are gone.
  func clientGone(_ client: ClientID)

  /// A client registers a region.
  ///
  /// - Parameter isStandIn: whether the client is the bridge, and the region represents the window's own process.
  /// - Returns: the region's number, or why it is refused; nil until the X server has answered about the window. Then
  ///   `Clients.lookAgain` repeats this call.
  func addRegion(_ client: ClientID, window: WindowID, isStandIn: Bool) -> Result<RegionID, RegionRefusal>?
  /// A client is about to register a region of this window: start querying the X server about it now.
  func lookUp(_ window: WindowID)
  func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?)
  func setEdgeZone(_ region: RegionID, _ width: Double)
  func setAcceptedTypes(_ region: RegionID, _ types: [String])
  /// - Parameter label: safe to show; empty for none.
  func setLabel(_ region: RegionID, _ label: String)
  /// The name of a region, for people; nil if it has none.
  func label(of region: RegionID) -> String?
  /// Raises the region above all others of its window.
  func raise(_ region: RegionID)
  func removeRegion(_ region: RegionID)

  /// - Parameter items: the source's descriptions. Their types have no ancestors yet.
  func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription])
  func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions)
  /// - Parameter session: the chosen session; nil for none of them.
  func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?)
  /// The client's answer to `Clients.press`.
  func answeredPress(_ client: ClientID, _ region: RegionID, serial: UInt32, mayBegin: Bool)
  /// The content of the region has changed beneath the drags that rest over it.
  func askAgain(_ client: ClientID, _ region: RegionID)
  func refusedSpring(_ client: ClientID, _ region: RegionID, _ session: SessionID)
  /// The source shows another picture for an item of its current session.
  func changedPreview(_ client: ClientID, _ session: SessionID, item: ItemID, _ preview: PreviewID?)
  /// The source offers another picture for an item.
  func offeredPreview(_ client: ClientID, _ session: SessionID, of item: ItemID)
  /// The source's answer to `willCancel`.
  func answeredWillCancel(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [(ItemID, ItemPreview)])
  func motionTaken(_ client: ClientID, _ session: SessionID, serial: UInt32)
  func answeredCanHandle(_ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, yes: Bool)
  func proposed(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, _ proposal: Proposal)
  /// The destination has performed the drop, and will start more loads before it finishes.
  func keptDropOpen(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding])
  /// The destination copies instead of moving.
  func copiesInstead(_ client: ClientID, _ session: SessionID, serial: UInt32)
  func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding])

  /// - Parameter register: called with the transfer's number before any message about the transfer is sent.
  func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String, as form: LoadForm,
    register: (TransferID) -> Void)
  /// The item's owner answered a load.
  ///
  /// - Returns: the client that receives the descriptor, or nil if none waits for it.
  func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID?
  func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool)
  /// The destination reports that it is still reading.
  func progressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress)
  /// The item's owner reports its progress with a load.
  func ownerProgressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress)
  func finished(_ client: ClientID, _ transfer: TransferID, success: Bool)
  /// A file provider has exited or does not answer, so its pending requests fail.
  func helperFailed(_ helper: ClientID)

  /// A performing destination shows the progress of its drop itself, or leaves that to the engine (R7).
  func setsProgressIndicator(_ client: ClientID, _ session: SessionID, _ region: RegionID, isQuiet: Bool)
  /// The source offers to undo a move (Z16).
  ///
  /// - Parameter title: safe to show.
  func offeredUndo(_ client: ClientID, _ session: SessionID, title: String)

  /// Whether the client owns a window, and so may show pictures of it.
  func owns(_ client: ClientID, _ window: WindowID) -> Bool
  /// - Parameter bytes: premultiplied pixels of four bytes each, in rows without padding.
  func makeImage(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID?
  func makeImage(pixmap: UInt32) -> (ImageID, Size)?
  func releaseImage(_ image: ImageID)

  // The bridge.

  /// The bridge has connected: it needs the list of windows with drop regions.
  func bridgeArrived()
  /// A drag of a foreign application (one that speaks XDND) enters; its first motion follows.
  ///
  /// - Parameters:
  ///   - process: the application's process; nil if unknown.
  ///   - isByButton: whether a mouse button is down.
  ///   - window: the window that the drag enters.
  ///   - point: screen pixels.
  /// - Returns: the session; nil if it cannot begin.
  func beganForeignDrag(
    _ client: ClientID, from process: Int32?, isByButton: Bool, items: [ItemDescription], over window: WindowID,
    at point: Point
  ) -> SessionID?
  func movedForeignDrag(_ session: SessionID, to point: Point)
  func droppedForeignDrag(_ session: SessionID, at point: Point)
  /// The drag left. A drop in progress continues.
  func endedForeignDrag(_ session: SessionID)
  /// The application under a trial lift has begun a drag (Z23).
  ///
  /// - Parameter serial: the serial of the question for the lift's items.
  func touchIsTaken(_ client: ClientID, serial: UInt32)
  /// The bridge has released the mouse button after a trial lift (Z23).
  func trialIsOver(_ client: ClientID, serial: UInt32)

  /// The rectangles of a window that accept drops from foreign applications, in the window's pixels.
  func dropPlaces(of window: WindowID) -> [Rect]
  /// Another application drags by itself, with the point where the drag began in screen pixels; nil once it has
  /// ended. The shelf follows such drags (Z15).
  func otherDragChanged(_ point: Point?)

  // The shelf.

  /// The shelf keeps an item of a drop that it performs; returns nil if it cannot (Z15).
  func keep(_ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int) -> KeptPicture?
  func releasedKept(_ client: ClientID, _ item: KeptItemID)
  /// An item's owner has withdrawn its promise; the shelf may be keeping the item (Z15).
  func withdrew(_ client: ClientID, _ item: ItemID)

  // Tools.

  /// - Parameter max: how many regions to list.
  /// - Returns: those, and the number of all.
  func listRegions(max: Int) -> (list: [RegionListing], count: Int)

  // Monitors.

  /// - Parameter clients: the client of each monitor.
  func monitorsChanged(_ clients: [ClientID])
  /// Whether any monitor wants details. Called anew for each such monitor, which needs all of them.
  func watchDetails(_ isWatched: Bool)
}

extension ClientRequests {
  /// A client registers a region of a window of its own.
  package func addRegion(_ client: ClientID, window: WindowID) -> Result<RegionID, RegionRefusal>? {
    addRegion(client, window: window, isStandIn: false)
  }
}
