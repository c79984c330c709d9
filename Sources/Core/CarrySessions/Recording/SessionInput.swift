package import CarryGestures
package import CarryModel

/// Everything that the session engine can be told. Its owner calls `handle(_:at:into:)`, or a method with a result,
/// such as `addRegion`; the listener hears of both. A list of inputs with their times is a session recording: an engine
/// that is told them again does the same.
package enum SessionInput: Equatable, Codable, Sendable {
  // Settings, and the screen.
  indirect case settings(Settings)
  case policy(Policy)
  case outputScale(Double)
  /// A new mirror with nothing but the root window.
  case screen(root: WindowID, size: Size)
  case window(change: WindowChange)
  case windowDestroyed(window: WindowID)
  case windowsChanged
  case displayLost
  case learnedWindows(windows: [DesktopWindow], session: SessionID)

  // Time.
  case advance
  case settleRegions
  case stop
  case animationFinished(session: SessionID)

  // The user.
  case gesture(event: GestureEvent, on: SessionID?, isHeld: Bool)
  case touchGivenAway(contact: ContactID)
  case cancelDrags
  case cancelLoads(session: SessionID)
  case undo(session: SessionID)
  case undoInWindow(window: WindowID)

  // Clients and their regions.
  indirect case identity(program: ProgramIdentity, client: ClientID)
  indirect case regionIdentity(program: ProgramIdentity?, region: RegionID)
  case monitorsChanged(clients: [ClientID])
  case isBehind(client: ClientID)
  case hasRead(client: ClientID)
  case clientGone(client: ClientID)
  case addRegion(client: ClientID, window: WindowID, isStandIn: Bool)
  case updateRegion(region: RegionID, rect: Rect?, roles: RegionRoles?, edgeZone: Double?)
  case acceptedTypes(region: RegionID, types: [String])
  case label(region: RegionID, label: String)
  case raiseRegion(region: RegionID)
  case removeRegion(region: RegionID)

  // Sources.
  case pressAnswered(client: ClientID, region: RegionID, serial: UInt32, mayBegin: Bool)
  case itemsAnswered(client: ClientID, session: SessionID, serial: UInt32, items: [ItemDescription])
  case configured(client: ClientID, session: SessionID, serial: UInt32, options: SourceOptions)
  case chose(client: ClientID, region: RegionID, serial: UInt32, session: SessionID?)
  case previewChanged(client: ClientID, session: SessionID, item: ItemID, preview: PreviewID?)
  case previewOffered(client: ClientID, session: SessionID, item: ItemID)
  case willCancelAnswered(client: ClientID, session: SessionID, serial: UInt32, endings: [ItemEnding])
  case motionTaken(client: ClientID, session: SessionID, serial: UInt32)
  case withdrew(client: ClientID, item: ItemID)
  case undoOffered(client: ClientID, session: SessionID, title: String)

  // Destinations.
  case canHandleAnswered(client: ClientID, session: SessionID, region: RegionID, serial: UInt32, yes: Bool)
  case proposed(client: ClientID, session: SessionID, region: RegionID, serial: UInt32, proposal: Proposal)
  case askAgain(client: ClientID, region: RegionID)
  case springRefused(client: ClientID, session: SessionID, region: RegionID)
  case dropKeptOpen(client: ClientID, session: SessionID, serial: UInt32, endings: [ItemEnding])
  case copiesInstead(client: ClientID, session: SessionID, serial: UInt32)
  case performed(client: ClientID, session: SessionID, serial: UInt32, endings: [ItemEnding])
  case progressIndicatorSet(client: ClientID, session: SessionID, region: RegionID, isQuiet: Bool)

  // Transfers.
  case load(client: ClientID, session: SessionID, region: RegionID, item: Int, type: String, form: LoadForm)
  case provided(client: ClientID, transfer: TransferID)
  case loadFailed(client: ClientID, transfer: TransferID, failure: LoadFailure)
  case progressed(client: ClientID, transfer: TransferID, progress: TransferProgress)
  case ownerProgressed(client: ClientID, transfer: TransferID, progress: TransferProgress)
  case loadFinished(client: ClientID, transfer: TransferID, isSuccess: Bool)
  case helperFailed(client: ClientID)

  // The bridge and the shelf.
  indirect case beginForeign(
    client: ClientID, program: ProgramIdentity, isByButton: Bool, contact: ContactID, items: [ItemDescription],
    over: WindowID, at: Point)
  case moveForeign(session: SessionID, point: Point)
  case dropForeign(session: SessionID, point: Point)
  case cancelForeign(session: SessionID)
  case touchIsTaken(client: ClientID, serial: UInt32)
  case trialIsOver(client: ClientID, serial: UInt32)
  case keep(client: ClientID, session: SessionID, region: RegionID, item: Int)
  case releaseKept(client: ClientID, item: KeptItemID)
}
