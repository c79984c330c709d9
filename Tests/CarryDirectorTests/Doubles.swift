import CarryDirector
import CarryGestures
import CarryModel
import CarryStage

/// A screen without an X server: what stands on it is what a test put there, and what is drawn is written down.
final class RecordingScreen: Screen {
  static let root = WindowID(1)

  var windows = WindowTree(root: RecordingScreen.root, size: Size(width: 1280, height: 800))
  var rootSize = Size(width: 1280, height: 800)
  var dotsPerInch = 96.0
  var refreshInterval = Interval.milliseconds(16)
  var isBusy = false
  var standings: [WindowID: WindowStanding] = [:]
  /// Whether it is not known yet whose windows are.
  var isBeingAsked = false
  var focus: WindowID?
  var desktop: [DesktopWindow] = []
  /// The newest list that was shown, and how many were.
  private(set) var shown = DrawList()
  private(set) var frames = 0
  /// Pictures that were made and are not released.
  private(set) var images: Set<ImageID> = []
  private(set) var followed: Set<ImageID> = []
  private(set) var activated: [WindowID] = []
  private(set) var holdsCancelKey = false
  private(set) var holdsDragKeys = false
  /// What the window for slow transfers shows, and how often it was drawn.
  private(set) var panel: PanelPicture?
  private(set) var panelsDrawn = 0
  /// The windows in which the undo key is held.
  private(set) var undoWindows: [WindowID] = []
  private(set) var pickUpKey: KeyChord?
  private var lastImage: UInt32 = 0
  /// How many pictures were made so far.
  var made: Int { Int(lastImage) }

  func insert(_ window: WindowID, _ frame: Rect, process: CInt) {
    windows.insert(.init(id: window, frame: frame, isMapped: true), parent: Self.root)
    standings[window] = .made(by: process)
  }

  private func newImage() -> ImageID {
    lastImage += 1
    images.insert(ImageID(lastImage))
    return ImageID(lastImage)
  }

  func readScale() -> Double { 1 }
  func focusedWindow() -> WindowID? { focus }
  func readDesktop() -> [DesktopWindow] { desktop }
  func activate(_ window: WindowID) { activated.append(window) }
  private(set) var buttonReleases = 0
  func releaseButton(at point: Point?) { buttonReleases += 1 }
  func standing(of window: WindowID) -> WindowStanding? { isBeingAsked ? nil : standings[window] ?? .missing }
  func owner(of window: WindowID) -> CInt? {
    if case .made(let process) = standings[window] { process } else { nil }
  }
  func snapshot(_ window: WindowID, _ rect: Rect) -> ImageID? { newImage() }
  func image(_ look: PreviewDescription) -> ImageID? { newImage() }
  func image(premultipliedARGB bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? { newImage() }
  func image(pixmap: UInt32) -> (ImageID, Size)? { (newImage(), Size(width: 10, height: 10)) }
  func frameImage(_ size: Size) -> ImageID? { newImage() }
  func follow(_ image: ImageID, _ follows: Bool) {
    if follows { followed.insert(image) } else { followed.remove(image) }
  }
  func refreshImages() -> [ImageID] { [] }
  func refreshImage(_ image: ImageID) -> Bool { false }
  func releaseImage(_ image: ImageID) { images.remove(image) }
  /// Copies of pictures for the shelf that are not released.
  private(set) var copies: Set<UInt32> = []
  func copyPicture(_ image: ImageID, size: Size, within side: Double) -> (pixmap: UInt32, size: Size)? {
    copies.insert(image.raw)
    return (image.raw, size)
  }
  func releaseCopy(_ pixmap: UInt32) { copies.remove(pixmap) }
  func apply(_ list: DrawList) {
    shown = list
    frames += 1
  }
  func pace(of list: DrawList, at now: Instant) -> FramePace { FramePace(interval: refreshInterval) }
  func askWhenDone() {}
  func showPanel(_ picture: PanelPicture?) {
    panel = picture
    panelsDrawn += 1
  }
  func monitor(at point: Point) -> Rect { Rect(origin: .zero, size: rootSize) }
  func holdUndoKey(in windows: [WindowID]) { undoWindows = windows }
  func setPickUpKey(_ chord: KeyChord?) { pickUpKey = chord }
  func setHoldsCancelKey(_ holds: Bool) { holdsCancelKey = holds }
  func setHoldsDragKeys(_ holds: Bool) { holdsDragKeys = holds }
}

/// Clients without a socket: what they are told is written down, and answered by the test.
final class RecordingClients: Clients {
  private(set) var settings = Settings()
  var processes: [ClientID: Int32] = [:]
  var previews: [PreviewID: PreviewDescription] = [:]
  /// Whether sources are there to be asked for data.
  var loads = true
  private(set) var toSources: [SourceMessage] = []
  private(set) var toTargets: [DestinationMessage] = []
  private(set) var lostRegions: [RegionID] = []
  private(set) var waitingRegions: [RegionID] = []
  private(set) var cancelledTouches: [RegionID] = []
  private(set) var asked: [(transfer: TransferID, type: String)] = []
  private(set) var failed: [LoadFailure] = []
  private(set) var cancelled: [TransferID] = []
  private(set) var motions: [SessionMotion] = []
  private(set) var details: [MonitorDetail] = []
  private(set) var steps: [(kind: MonitorEvent.Kind, device: String)] = []
  private(set) var said: [String] = []
  private(set) var saidInSandboxes: [String] = []
  private(set) var wanted: [ItemID] = []
  private(set) var forgotten: [SessionID] = []
  private(set) var looksAgain = 0
  private(set) var droppedImages = 0

  func apply(_ settings: Settings) { self.settings = settings }
  func name(of client: ClientID) -> String { "app-\(client.raw)" }
  func program(ofProcess pid: Int32?) -> ProgramIdentity {
    ProgramIdentity(process: pid.map { .peer(UInt32($0)) } ?? .unknown)
  }
  func runningProcess(of client: ClientID) -> Int32? { processes[client] }
  func preview(_ preview: PreviewID) -> PreviewDescription? { previews[preview] }
  func lost(_ region: RegionID) { lostRegions.append(region) }
  func waitForServer(_ regions: [RegionID]) { waitingRegions += regions }
  func touchCancelled(_ region: RegionID, _ touch: UInt32) { cancelledTouches.append(region) }
  func choose(_ region: RegionID, serial: UInt32, _ sessions: [SessionID], _ point: Point) {}
  func press(_ region: RegionID, serial: UInt32, _ point: Point) {}
  func spring(_ region: RegionID, _ session: SessionID, _ state: SpringState, _ point: Point) {}
  func lookAgain() { looksAgain += 1 }
  func windowAppeared(_ window: WindowID) {}
  private(set) var shelfPlaces: [ShelfPlace?] = []
  private(set) var keptItemsGone: [KeptItemID] = []
  func showShelf(_ place: ShelfPlace?) { shelfPlaces.append(place) }
  func keptItemGone(_ item: KeptItemID) { keptItemsGone.append(item) }
  private(set) var dropWindows: Set<WindowID> = []
  func setDropWindows(_ windows: Set<WindowID>) { dropWindows = windows }
  /// What was told of pointers that carry, in order.
  private(set) var pointerCarries: [Bool] = []
  func setPointerCarries(_ carries: Bool) { pointerCarries.append(carries) }
  func send(_ message: SourceMessage, to session: SessionID) { toSources.append(message) }
  func send(_ message: DestinationMessage, to region: RegionID, of session: SessionID) { toTargets.append(message) }
  func motion(_ session: SessionID, _ kind: SessionMotion, item: ItemID?, start: Instant, duration: Interval) {
    motions.append(kind)
  }
  func landing(_ session: SessionID, _ region: RegionID, item: Int, start: Instant, duration: Interval) {}
  func wantPreview(_ session: SessionID, _ item: ItemID) { wanted.append(item) }
  func carriedSize(_ session: SessionID, _ item: ItemID, _ size: Size) {}
  func carriedSize(_ session: SessionID, _ region: RegionID, item: Int, _ size: Size) {}
  func forget(_ session: SessionID) { forgotten.append(session) }
  /// The references that file providers were asked for.
  var provided: [String] = []
  func load(
    _ transfer: TransferID, _ item: ItemID, of session: SessionID, in drop: SessionID, type: String, as form: LoadForm
  ) -> Bool {
    asked.append((transfer, type))
    return loads
  }
  func provide(
    _ transfer: TransferID, _ reference: FileReference, in session: SessionID, type: String, as form: LoadForm
  ) {
    provided.append(reference.text)
  }
  func loadFailed(_ transfer: TransferID, _ why: LoadFailure) { failed.append(why) }
  func loadCancelled(_ transfer: TransferID) { cancelled.append(transfer) }
  func ownerProgressed(_ transfer: TransferID, _ progress: TransferProgress) {}
  func destinationProgressed(_ transfer: TransferID, _ progress: TransferProgress) {}
  func step(_ event: MonitorEvent, device: String) { steps.append((event.kind, device)) }
  func detail(_ detail: MonitorDetail, at time: Instant) { details.append(detail) }
  func announce(_ text: String, inSandboxes plain: String, at time: Instant) {
    said.append(text)
    saidInSandboxes.append(plain)
  }
  func dropImages() { droppedImages += 1 }
}

/// Fingers that are a test's own words; what became of each is written down.
final class RecordingFingers: Fingers {
  private(set) var lifting: [ContactID] = []
  private(set) var claimed: [ContactID] = []
  private(set) var yielded: [ContactID] = []
  private(set) var ignored: [ContactID] = []
  private var last: UInt32 = 1000

  func newContact() -> ContactID {
    last += 1
    return ContactID(last)
  }
  /// Whether applications get touches only once the engine gives them.
  var holdsTouches = false
  func isHeld(_ contact: ContactID) -> Bool { holdsTouches }
  func liftBegan(_ contact: ContactID) { lifting.append(contact) }
  func claim(_ contact: ContactID) -> UInt32? {
    claimed.append(contact)
    return nil
  }
  func yield(_ contact: ContactID) { yielded.append(contact) }
  func ignore(_ contact: ContactID) { ignored.append(contact) }
  func handle(_ event: GestureEvent) {}
  func deviceName(of contact: ContactID) -> String { contact.raw < 1000 ? "panel" : "" }
}
