package import CarryGestures
package import CarryModel
package import CarryStage

/// The screen: where windows are, pictures of windows, and what is shown above them. `CarryDisplay` implements it
/// with the X server; tests use a double that records its calls.
///
/// All calls come from one thread. Calls that may wait for the X server say so, and no motion makes such a call.
package protocol Screen: AnyObject {
  // State.

  /// Where windows are now.
  var windows: WindowTree { get }
  /// In pixels.
  var rootSize: Size { get }
  var dotsPerInch: Double { get }
  /// The time between two refreshes of the fastest output.
  var refreshInterval: Interval { get }
  /// The desktop's scale: 1 is 96 dots per inch. May wait.
  func readScale() -> Double
  /// The window that has the focus. May wait.
  func focusedWindow() -> WindowID?
  /// The windows of the desktop, and whether each can be seen. May wait.
  func readDesktop() -> [DesktopWindow]
  /// Raises a window.
  func activate(_ window: WindowID)
  /// Whether a client may use a window, and who owns it; nil until the X server has answered.
  func standing(of window: WindowID) -> WindowStanding?
  /// The process that created a window. May wait.
  func owner(of window: WindowID) -> CInt?

  // Pictures.

  /// A picture of a part of a window, in its pixels. May wait.
  func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID?
  /// The picture of a preview. May wait if the preview shows a window.
  func image(_ look: PreviewDescription) -> ImageID?
  /// - Parameter bytes: premultiplied pixels of four bytes each, in rows without padding.
  func image(premultipliedARGB bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID?
  /// A copy of a client's pixmap. May wait.
  func image(pixmap: UInt32) -> (ImageID, Size)?
  /// The picture of a frame round a region that would accept a drop, in pixels.
  func frameImage(_ size: Size) -> ImageID?
  /// Starts or stops updating a picture as its window changes.
  func follow(_ image: ImageID, _ follows: Bool)
  /// Recaptures the followed pictures of changed windows, and returns them.
  func refreshImages() -> [ImageID]
  /// Recaptures a picture of a window; returns false if the old picture stays.
  func refreshImage(_ image: ImageID) -> Bool
  func releaseImage(_ image: ImageID)
  /// Copies a picture for another of our programs, scaled down to fit into a square; nil if the picture is gone.
  ///
  /// - Parameters:
  ///   - size: of the picture as it is shown.
  ///   - side: pixels.
  /// - Returns: a pixmap of depth 32, to be released, and its size.
  func copyPicture(_ image: ImageID, size: Size, within side: Double) -> (pixmap: UInt32, size: Size)?
  func releaseCopy(_ pixmap: UInt32)

  // Output.

  /// Whether the X server has not yet finished the requested drawing. Nothing more is drawn meanwhile.
  var isBusy: Bool { get }
  func apply(_ list: DrawList)
  /// When the next frames are due on the outputs that show `list`.
  func pace(of list: DrawList, at now: Instant) -> FramePace
  /// Asks the X server to report when drawing is done. Called after drawing.
  func askWhenDone()

  /// Shows the window for slow transfers above all windows; hides it with nil.
  func showPanel(_ picture: PanelPicture?)
  /// The part of the screen that the monitor at a point shows.
  func monitor(at point: Point) -> Rect

  /// Releases the left button if one of our programs has pressed it and not released it. Never releases the user's
  /// own press.
  ///
  /// - Parameter point: where to release it; nil for where it is.
  func releaseButton(at point: Point?)

  // Keys.

  /// Holds the undo key in these windows, and in no others.
  func holdUndoKey(in windows: [WindowID])
  /// Sets the key that picks up an item; nil for none.
  func setPickUpKey(_ chord: KeyChord?)
  func setHoldsCancelKey(_ holds: Bool)
  func setHoldsDragKeys(_ holds: Bool)
}

/// The connected programs. `CarryWireServer` implements it with the socket; tests use a double that records its
/// calls. Nothing here waits for a client.
package protocol Clients: AnyObject {
  /// Sets the settings that new clients are told: whether regions are drag regions by default, and up to how many
  /// items each item is asked for its preview.
  func apply(_ settings: Settings)

  func name(of client: ClientID) -> String
  /// The process of a client; nil once it has exited.
  func runningProcess(of client: ClientID) -> Int32?
  func preview(_ preview: PreviewID) -> PreviewDescription?
  /// The identity of a process, whether it is connected or not; a stranger if the X server does not know the process.
  func program(ofProcess pid: Int32?) -> ProgramIdentity

  // Regions.

  /// A region's window is gone.
  func lost(_ region: RegionID)
  /// The connection to the X server is lost. `lookAgain` registers these regions again, in this order, if their windows
  /// are there on the next connection.
  func waitForServer(_ regions: [RegionID])
  func touchCancelled(_ region: RegionID, _ touch: UInt32)
  func choose(_ region: RegionID, serial: UInt32, _ sessions: [SessionID], _ point: Point)
  /// Asks whether a press may lift. The point is in the window's coordinates.
  func press(_ region: RegionID, serial: UInt32, _ point: Point)
  func spring(_ region: RegionID, _ session: SessionID, _ state: SpringState, _ point: Point)
  /// Calls `ClientRequests.addRegion` again for the regions that wait for their windows.
  func lookAgain()
  func windowAppeared(_ window: WindowID)
  /// Sends the bridge the windows with drop regions of applications.
  func setDropWindows(_ windows: Set<WindowID>)
  /// Tells the bridge whether a mouse or a pen carries a session. If so, the button that is down belongs to no other
  /// program.
  func setPointerCarries(_ carries: Bool)

  // The shelf.

  /// Tells the shelf to show itself; nil means that nothing is dragged any more.
  func showShelf(_ place: ShelfPlace?)
  func keptItemGone(_ item: KeptItemID)

  // Sessions.

  func send(_ message: SourceMessage, to session: SessionID)
  func send(_ message: DestinationMessage, to region: RegionID, of session: SessionID)
  func motion(_ session: SessionID, _ kind: SessionMotion, item: ItemID?, start: Instant, duration: Interval)
  func landing(_ session: SessionID, _ region: RegionID, item: Int, start: Instant, duration: Interval)
  /// Requests the picture that the source has offered.
  func wantPreview(_ session: SessionID, _ item: ItemID)
  /// Reports the carried size of an item to its source and to its destination.
  func carriedSize(_ session: SessionID, _ item: ItemID, _ size: Size)
  func carriedSize(_ session: SessionID, _ region: RegionID, item: Int, _ size: Size)
  func forget(_ session: SessionID)

  // Transfers.

  /// - Returns: whether the item's owner is still connected and was asked.
  func load(
    _ transfer: TransferID, _ item: ItemID, of session: SessionID, in drop: SessionID, type: String, as form: LoadForm
  ) -> Bool
  /// Requests a representation from a file provider, after starting it if necessary. It may fail later through
  /// `ClientRequests.helperFailed`.
  func provide(
    _ transfer: TransferID, _ reference: FileReference, in session: SessionID, type: String, as form: LoadForm)
  func loadFailed(_ transfer: TransferID, _ why: LoadFailure)
  func loadCancelled(_ transfer: TransferID)
  /// Reports the progress of the item's owner to the destination.
  func ownerProgressed(_ transfer: TransferID, _ progress: TransferProgress)
  /// Reports the progress of the destination to the item's owner.
  func destinationProgressed(_ transfer: TransferID, _ progress: TransferProgress)

  // Monitors.

  /// - Parameter device: the name of the device of the session's finger.
  func step(_ event: MonitorEvent, device: String)
  /// Reports a detail to tools that look into the engine.
  func detail(_ detail: MonitorDetail, at time: Instant)
  /// Announces a step in words, for people who may not see the screen.
  ///
  /// - Parameter plain: the same without other applications' texts, for programs in sandboxes.
  func announce(_ text: String, inSandboxes plain: String, at time: Instant)
  /// The X server is gone, and all pictures with it.
  func dropImages()
}

/// The sources of fingers, which are told the outcome of each finger.
package protocol Fingers: AnyObject {
  /// Allocates a number for a finger that is on no device.
  func newContact() -> ContactID
  /// Whether the application below receives the finger's touch only when the engine passes it on.
  func isHeld(_ contact: ContactID) -> Bool
  /// Something may lift with the finger: its touch is held for longer, in case the lift takes long.
  func liftBegan(_ contact: ContactID)
  /// Claims the finger for a drag: the application below must not act on it.
  ///
  /// - Returns: the X server's number of the touch if the application also receives the touch.
  func claim(_ contact: ContactID) -> UInt32?
  /// Passes the finger to the application below.
  func yield(_ contact: ContactID)
  /// Ignores the finger from now on.
  func ignore(_ contact: ContactID)
  /// Forwards the recognised gesture.
  func handle(_ event: GestureEvent)
  /// The name of the device of a contact that is down, or was until just now.
  func deviceName(of contact: ContactID) -> String
}
