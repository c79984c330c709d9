/// What clients ask of the engine. All calls come on the loop's thread, within a turn; none may block.
package protocol ClientRequests: AnyObject {
  func clientArrived(_ client: ClientID)
  /// The client does not read what is said to it: from now on more than the kernel keeps waits for it.
  func isBehind(_ client: ClientID)
  /// The client has read all of it.
  func hasRead(_ client: ClientID)
  /// The client is gone, and every object of its with it.
  func clientGone(_ client: ClientID)

  /// - Returns: the region's number, or why there is none; nil while that is being found out: `Clients.lookAgain` has
  ///   it asked again.
  func addRegion(_ client: ClientID, window: WindowID) -> Result<RegionID, RegionRefusal>?
  /// Somebody is going to ask for a region of this window.
  func lookUp(_ window: WindowID)
  func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?)
  func setEdgeZone(_ region: RegionID, _ width: Double)
  func setAcceptedTypes(_ region: RegionID, _ types: [String])
  /// The region comes above all others of its window.
  func raise(_ region: RegionID)
  func removeRegion(_ region: RegionID)

  /// - Parameter items: as their source described them: nothing is known yet of what their types are kinds of.
  func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription])
  func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions)
  /// - Parameter session: nil for none of those it could choose from.
  func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?)
  func refusedSpring(_ client: ClientID, _ region: RegionID, _ session: SessionID)
  /// The source shows another picture for an item of a session of its own that is under way.
  func changedPreview(_ client: ClientID, _ session: SessionID, item: ItemID, _ preview: PreviewID?)
  /// The source has another picture for an item.
  func offeredPreview(_ client: ClientID, _ session: SessionID, of item: ItemID)
  /// The source's answer to `willCancel`.
  func answeredWillCancel(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [(ItemID, ItemPreview)])
  func motionTaken(_ client: ClientID, _ session: SessionID, serial: UInt32)
  func answeredCanHandle(_ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, yes: Bool)
  func proposed(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, _ proposal: Proposal)
  func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding])

  /// - Parameter register: call it with the transfer's number before anything is sent about it.
  func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String,
    register: (TransferID) -> Void)
  /// The source answered a load.
  ///
  /// - Returns: the client that the descriptor goes to, or nil when nobody waits for it.
  func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID?
  func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool)
  func progressed(_ client: ClientID, _ transfer: TransferID)
  /// The source works on a load.
  ///
  /// - Returns: the client that is to be told; nil when there is no need.
  func provisionProgressed(_ client: ClientID, _ transfer: TransferID) -> ClientID?
  func finished(_ client: ClientID, _ transfer: TransferID, success: Bool)

  /// Whether a window is the client's, so that a picture of it may be taken for it.
  func owns(_ client: ClientID, _ window: WindowID) -> Bool
  /// - Parameter bytes: premultiplied, four a pixel, rows without gaps.
  func makeImage(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID?
  func makeImage(pixmap: UInt32) -> (ImageID, Size)?
  func releaseImage(_ image: ImageID)

  func monitorsChanged(_ count: Int)
}
