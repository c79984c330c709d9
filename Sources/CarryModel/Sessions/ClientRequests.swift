/// Clients' requests to the engine. All calls come on the loop's thread, within a turn; none may block.
package protocol ClientRequests: AnyObject {
  func clientArrived(_ client: ClientID, _ program: ProgramIdentity)
  /// The manifests have changed, and say something else of a client's program.
  func identityChanged(_ client: ClientID, _ program: ProgramIdentity)
  /// The client does not read its messages: from now on more of them wait than the kernel keeps.
  func isBehind(_ client: ClientID)
  /// The client has read all its messages.
  func hasRead(_ client: ClientID)
  /// The client is gone, and all its objects with it.
  func clientGone(_ client: ClientID)

  /// A client registers a region.
  ///
  /// - Parameter isStandIn: whether the client is the bridge, and the region stands for the window's own process.
  /// - Returns: the region's number, or why it is refused; nil until the X server has told about the window. Then
  ///   `Clients.lookAgain` makes this call again.
  func addRegion(_ client: ClientID, window: WindowID, isStandIn: Bool) -> Result<RegionID, RegionRefusal>?
  /// A client is going to ask for a region of this window, so ask the X server about the window now.
  func lookUp(_ window: WindowID)
  func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?)
  func setEdgeZone(_ region: RegionID, _ width: Double)
  func setAcceptedTypes(_ region: RegionID, _ types: [String])
  /// Puts the region above all others of its window.
  func raise(_ region: RegionID)
  func removeRegion(_ region: RegionID)

  /// - Parameter items: the source's descriptions. Their types have no ancestors yet.
  func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription])
  func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions)
  /// - Parameter session: the chosen session; nil for none of the choices.
  func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?)
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
  func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding])

  /// - Parameter register: to be called with the transfer's number before anything is sent about the transfer.
  func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String, as form: LoadForm,
    register: (TransferID) -> Void)
  /// The item's owner answered a load.
  ///
  /// - Returns: the client that gets the descriptor, or nil when nobody waits for it.
  func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID?
  func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool)
  /// The destination goes on reading.
  func progressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress)
  /// The item's owner works on a load.
  func ownerProgressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress)
  func finished(_ client: ClientID, _ transfer: TransferID, success: Bool)
  /// A file provider has ended or does not answer, so that what it was asked for fails.
  func helperFailed(_ helper: ClientID)

  /// R7: a performing destination shows the progress of its drop itself, or leaves that to the engine.
  func setsProgressIndicator(_ client: ClientID, _ session: SessionID, _ region: RegionID, isQuiet: Bool)
  /// Z16: the source offers to undo a move.
  ///
  /// - Parameter title: safe to show.
  func offeredUndo(_ client: ClientID, _ session: SessionID, title: String)

  /// Whether the client owns a window, and so may show pictures of it.
  func owns(_ client: ClientID, _ window: WindowID) -> Bool
  /// - Parameter bytes: premultiplied pixels, four bytes each, in rows without gaps.
  func makeImage(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID?
  func makeImage(pixmap: UInt32) -> (ImageID, Size)?
  func releaseImage(_ image: ImageID)

  // The bridge.

  /// The bridge is there: it has to be told of the windows with drop regions.
  func bridgeArrived()
  /// A drag of an application of another protocol enters; its first motion follows.
  ///
  /// - Parameters:
  ///   - process: the application's; nil where nobody can tell.
  ///   - isByButton: whether a button of the mouse is down.
  ///   - window: the one that the drag comes over.
  ///   - point: screen pixels.
  /// - Returns: the session; nil when it cannot begin.
  func beganForeignDrag(
    _ client: ClientID, from process: Int32?, isByButton: Bool, items: [ItemDescription], over window: WindowID,
    at point: Point
  ) -> SessionID?
  func movedForeignDrag(_ session: SessionID, to point: Point)
  func droppedForeignDrag(_ session: SessionID, at point: Point)
  /// The drag left. A drop goes on.
  func endedForeignDrag(_ session: SessionID)
  /// Z23: the application drags that a lift is tried out of.
  ///
  /// - Parameter serial: of the question for the lift's items.
  func touchIsTaken(_ client: ClientID, serial: UInt32)
  /// Z23: the bridge has let go of the button.
  func trialIsOver(_ client: ClientID, serial: UInt32)

  /// Where a window takes drops of other applications, in its pixels.
  func dropPlaces(of window: WindowID) -> [Rect]
  /// Z15: another application drags by itself, and where it began, in screen pixels; nil: no more.
  func otherDragChanged(_ point: Point?)

  // The shelf.

  /// Z15: the shelf keeps an item of a drop that it performs; nil where it cannot.
  func keep(_ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int) -> KeptPicture?
  func releasedKept(_ client: ClientID, _ item: KeptItemID)
  /// Z15: the owner of an item has ended its promise, which the shelf may keep.
  func withdrew(_ client: ClientID, _ item: ItemID)

  // Monitors.

  /// - Parameter clients: the client of each monitor.
  func monitorsChanged(_ clients: [ClientID])
}

extension ClientRequests {
  /// A client registers a region of a window of its own.
  package func addRegion(_ client: ClientID, window: WindowID) -> Result<RegionID, RegionRefusal>? {
    addRegion(client, window: window, isStandIn: false)
  }
}
