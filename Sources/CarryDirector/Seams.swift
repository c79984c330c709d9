package import CarryGestures
package import CarryModel
package import CarryStage

/// The screen: where windows are, pictures of them, and what is shown above them. `CarryDisplay` has the X server's; tests
/// have one that writes down what it is told.
///
/// One thread calls. What waits for the X server says so; nothing of that is on the path of a motion.
package protocol Screen: AnyObject {
  // What is there.

  /// Where windows are now.
  var windows: WindowTree { get }
  /// In pixels.
  var rootSize: Size { get }
  var dotsPerInch: Double { get }
  /// The time between two pictures on the fastest output.
  var refreshInterval: Interval { get }
  /// How large the desktop draws: 1 is 96 dots per inch. May wait.
  func readScale() -> Double
  /// The window that has the focus. May wait.
  func focusedWindow() -> WindowID?
  /// The windows of the desktop, and whether each can be seen. May wait.
  func readDesktop() -> [DesktopWindow]
  /// Brings a window to the front.
  func activate(_ window: WindowID)
  /// What a window is to a client; nil while that is being found out.
  func standing(of window: WindowID) -> WindowStanding?
  /// The process that made a window. May wait.
  func owner(of window: WindowID) -> CInt?

  // Pictures.

  /// A picture of a part of a window, in its pixels. May wait.
  func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID?
  /// What is to be seen of a preview. May wait where it shows a window.
  func image(_ look: PreviewDescription) -> ImageID?
  /// - Parameter bytes: premultiplied, four a pixel, rows without gaps.
  func image(premultipliedARGB bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID?
  /// A copy of a client's pixmap. May wait.
  func image(pixmap: UInt32) -> (ImageID, Size)?
  /// A frame round what could take a drop, in pixels.
  func frameImage(_ size: Size) -> ImageID?
  /// Whether a picture of a window goes on showing what that shows.
  func follow(_ image: ImageID, _ follows: Bool)
  /// Takes those pictures again whose windows show something else, and says which.
  func refreshImages() -> [ImageID]
  /// Takes a picture of a window again; false where it stays as it was.
  func refreshImage(_ image: ImageID) -> Bool
  func releaseImage(_ image: ImageID)

  // What is shown.

  /// Whether it has still to draw what it was asked for: nothing more is drawn meanwhile.
  var isBusy: Bool { get }
  func apply(_ list: DrawList)
  /// When the next pictures of what was shown are due.
  func pace(of list: DrawList, at now: Instant) -> FramePace
  /// To be called after drawing.
  func askWhenDone()

  // Keys.

  /// The key that picks up; nil for none.
  func setPickUpKey(_ chord: KeyChord?)
  func setHoldsCancelKey(_ holds: Bool)
  func setHoldsDragKeys(_ holds: Bool)
}

/// The programs that are connected. `CarryWireServer` has those at the socket; tests have some that write down what they
/// are told. Nothing here waits for a client.
package protocol Clients: AnyObject {
  /// What clients see of the settings when they come: whether regions that say nothing of their own are drag regions,
  /// and of up to how many items each is asked how it looks.
  func apply(_ settings: Settings)

  func name(of client: ClientID) -> String
  /// What a region is called, for those who may not see it.
  func label(of region: RegionID) -> String?
  /// The process that a client is now.
  func runningProcess(of client: ClientID) -> Int32?
  func preview(_ preview: PreviewID) -> PreviewDescription?

  // Regions.

  /// A region's window is gone.
  func lost(_ region: RegionID)
  func touchCancelled(_ region: RegionID, _ touch: UInt32)
  func choose(_ region: RegionID, serial: UInt32, _ sessions: [SessionID], _ point: Point)
  func spring(_ region: RegionID, _ session: SessionID, _ state: SpringState, _ point: Point)
  /// Regions that wait for their windows: `ClientRequests.addRegion` is asked again.
  func lookAgain()
  func windowAppeared(_ window: WindowID)

  // Sessions.

  func send(_ message: SourceMessage, to session: SessionID)
  func send(_ message: DestinationMessage, to region: RegionID, of session: SessionID)
  func motion(_ session: SessionID, _ kind: SessionMotion, item: ItemID?, start: Instant, duration: Interval)
  func landing(_ session: SessionID, _ region: RegionID, item: Int, start: Instant, duration: Interval)
  /// The source shows what it has offered.
  func wantPreview(_ session: SessionID, _ item: ItemID)
  /// How large an item is carried, to its source and to where it is dropped.
  func carriedSize(_ session: SessionID, _ item: ItemID, _ size: Size)
  func carriedSize(_ session: SessionID, _ region: RegionID, item: Int, _ size: Size)
  func forget(_ session: SessionID)

  // Transfers.

  /// - Returns: whether the item's source is there to be asked.
  func load(_ transfer: TransferID, _ item: ItemID, type: String) -> Bool
  func loadFailed(_ transfer: TransferID, _ why: LoadFailure)
  func loadCancelled(_ transfer: TransferID)

  // Monitors.

  /// - Parameter device: the name of the device of the session's finger.
  func step(_ event: MonitorEvent, device: String)
  /// For those who may not see the screen.
  func announce(_ text: String, at time: Instant)
  /// All pictures are gone with the X server.
  func dropImages()
}

/// Where fingers come from, told what becomes of them.
package protocol Fingers: AnyObject {
  /// A number for a finger that no device has.
  func newContact() -> ContactID
  /// The finger is taken: the application below must not act on it.
  ///
  /// - Returns: the X server's number of the touch when the application has it as well.
  func claim(_ contact: ContactID) -> UInt32?
  /// The finger is the application's.
  func yield(_ contact: ContactID)
  /// Nobody wants this finger.
  func ignore(_ contact: ContactID)
  /// What was made of a finger.
  func note(_ event: GestureEvent)
  /// The device of a contact that is down, or was until just now.
  func deviceName(of contact: ContactID) -> String
}
