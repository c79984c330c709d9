package import CarryModel
import CarrySessions
import CarrySystem

/// Forwards clients' requests to the session engine.
extension Director: ClientRequests {
  private var now: Instant { clock() }

  package func clientArrived(_ client: ClientID, _ program: ProgramIdentity) {
    send(.identity(program: program, client: client), at: now)
    // Load the types before a drag needs them.
    mediaTypes.loadAside()
  }

  package func identityChanged(_ client: ClientID, _ program: ProgramIdentity) {
    send(.identity(program: program, client: client), at: now)
  }

  package func isBehind(_ client: ClientID) { send(.isBehind(client: client), at: now) }

  package func hasRead(_ client: ClientID) { send(.hasRead(client: client), at: now) }

  package func clientGone(_ client: ClientID) {
    dragWindowsChanged = true
    ownedWindows = ownedWindows.filter { $0.value != client }
    registrants.remove(client)
    send(.clientGone(client: client), at: now)
  }

  package func lookUp(_ window: WindowID) { _ = screen.standing(of: window) }

  package func addRegion(
    _ client: ClientID, window: WindowID, isStandIn: Bool
  ) -> Result<RegionID, RegionRefusal>? {
    guard !isStandIn else { return addStandIn(client, window: window) }
    guard let standing = screen.standing(of: window) else { return nil }
    // The X server reports which process owns the window, the kernel which process asks.
    switch standing {
    case .unseen: return .failure(.noWindow)
    case .missing: return .failure(.notThere)
    case .inAnothers: return .failure(.notYours)
    case .made(let process):
      let isOwn = ownedWindows[window] == client || engine.hasRegion(of: client, on: window)
      guard isOwn || (process != nil && process == clients.runningProcess(of: client)) else {
        return .failure(.notYours)
      }
    }
    // The mirror reports the destruction of every window that it knows.
    if ownedWindows.count >= Limits.regionsPerClient { ownedWindows = [:] }
    ownedWindows[window] = client
    do {
      let region = try engine.addRegion(client: client, window: window, rect: .zero, roles: [])
      lastRegistration = now
      registrants.insert(client)
      return .success(region)
    } catch {
      return .failure(error == .tooMany ? .tooMany : .noWindow)
    }
  }

  /// The bridge may have regions in all windows. Each of these regions represents the process that created its
  /// window.
  private func addStandIn(_ client: ClientID, window: WindowID) -> Result<RegionID, RegionRefusal>? {
    guard let standing = screen.standing(of: window) else { return nil }
    guard case .made(let process) = standing else {
      return .failure(standing == .missing ? .notThere : standing == .inAnothers ? .notYours : .noWindow)
    }
    do {
      let region = try engine.addRegion(client: client, window: window, rect: .zero, roles: [], isStandIn: true)
      send(.regionIdentity(program: clients.program(ofProcess: process), region: region), at: now)
      return .success(region)
    } catch {
      return .failure(error == .tooMany ? .tooMany : .noWindow)
    }
  }

  package func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?) {
    if roles != nil { dragWindowsChanged = true }
    send(.updateRegion(region: region, rect: rect, roles: roles, edgeZone: nil), at: now)
  }

  package func setEdgeZone(_ region: RegionID, _ width: Double) {
    send(.updateRegion(region: region, rect: nil, roles: nil, edgeZone: width), at: now)
  }

  package func setAcceptedTypes(_ region: RegionID, _ types: [String]) {
    send(.acceptedTypes(region: region, types: types), at: now)
  }

  package func setLabel(_ region: RegionID, _ label: String) { send(.label(region: region, label: label), at: now) }

  package func label(of region: RegionID) -> String? { engine.label(of: region) }

  package func raise(_ region: RegionID) { send(.raiseRegion(region: region), at: now) }

  package func removeRegion(_ region: RegionID) {
    dragWindowsChanged = true
    send(.removeRegion(region: region), at: now)
  }

  package func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription]) {
    // Skip the work for an answer that is no longer awaited.
    guard engine.waitsForItems(of: client, session, serial: serial) else { return }
    send(.itemsAnswered(client: client, session: session, serial: serial, items: withAncestors(items)), at: now)
  }

  package func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions) {
    send(.configured(client: client, session: session, serial: serial, options: options), at: now)
  }

  package func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?) {
    send(.chose(client: client, region: region, serial: serial, session: session), at: now)
  }

  package func answeredPress(_ client: ClientID, _ region: RegionID, serial: UInt32, mayBegin: Bool) {
    send(.pressAnswered(client: client, region: region, serial: serial, mayBegin: mayBegin), at: now)
  }

  package func askAgain(_ client: ClientID, _ region: RegionID) {
    send(.askAgain(client: client, region: region), at: now)
  }

  package func refusedSpring(_ client: ClientID, _ region: RegionID, _ session: SessionID) {
    send(.springRefused(client: client, session: session, region: region), at: now)
  }

  package func changedPreview(_ client: ClientID, _ session: SessionID, item: ItemID, _ preview: PreviewID?) {
    send(.previewChanged(client: client, session: session, item: item, preview: preview), at: now)
  }

  package func offeredPreview(_ client: ClientID, _ session: SessionID, of item: ItemID) {
    send(.previewOffered(client: client, session: session, item: item), at: now)
  }

  package func answeredWillCancel(
    _ client: ClientID, _ session: SessionID, serial: UInt32, endings: [(ItemID, ItemPreview)]
  ) {
    let endings = endings.compactMap { item, preview in
      engine.position(of: item, in: session).map { ItemEnding(item: $0, preview: preview) }
    }
    send(.willCancelAnswered(client: client, session: session, serial: serial, endings: endings), at: now)
  }

  package func owns(_ client: ClientID, _ window: WindowID) -> Bool {
    if ownedWindows[window] == client || engine.hasRegion(of: client, on: window) { return true }
    return screen.owner(of: window).map { $0 == clients.runningProcess(of: client) } ?? false
  }

  package func makeImage(_ bytes: UnsafeRawBufferPointer, width: Int, height: Int) -> ImageID? {
    screen.image(premultipliedARGB: bytes, width: width, height: height)
  }

  package func makeImage(pixmap: UInt32) -> (ImageID, Size)? { screen.image(pixmap: pixmap) }

  package func releaseImage(_ image: ImageID) { screen.releaseImage(image) }

  package func motionTaken(_ client: ClientID, _ session: SessionID, serial: UInt32) {
    send(.motionTaken(client: client, session: session, serial: serial), at: now)
  }

  package func answeredCanHandle(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, yes: Bool
  ) {
    send(.canHandleAnswered(client: client, session: session, region: region, serial: serial, yes: yes), at: now)
  }

  package func proposed(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, _ proposal: Proposal
  ) {
    send(.proposed(client: client, session: session, region: region, serial: serial, proposal: proposal), at: now)
  }

  package func keptDropOpen(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {
    send(.dropKeptOpen(client: client, session: session, serial: serial, endings: endings), at: now)
  }

  package func copiesInstead(_ client: ClientID, _ session: SessionID, serial: UInt32) {
    send(.copiesInstead(client: client, session: session, serial: serial), at: now)
  }

  package func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {
    send(.performed(client: client, session: session, serial: serial, endings: endings), at: now)
  }

  package func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String, as form: LoadForm,
    register: (TransferID) -> Void
  ) {
    // Not through `send`: the client must know the number before it receives any message about the load.
    register(
      engine.requestLoad(
        by: client, session, region: region, item: item, type: type, as: form, at: now, into: &actions))
    carryOut()
  }

  package func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID? {
    engine.provided(transfer, by: client, at: now)
  }

  package func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool) {
    let why: LoadFailure = unusable ? .unusableDescriptor : .sourceFailed
    send(.loadFailed(client: client, transfer: transfer, failure: why), at: now)
  }

  package func withdrew(_ client: ClientID, _ item: ItemID) {
    send(.withdrew(client: client, item: item), at: now)
  }

  package func progressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    send(.progressed(client: client, transfer: transfer, progress: progress), at: now)
  }

  package func ownerProgressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    send(.ownerProgressed(client: client, transfer: transfer, progress: progress), at: now)
  }

  package func finished(_ client: ClientID, _ transfer: TransferID, success: Bool) {
    send(.loadFinished(client: client, transfer: transfer, isSuccess: success), at: now)
  }

  package func setsProgressIndicator(_ client: ClientID, _ session: SessionID, _ region: RegionID, isQuiet: Bool) {
    send(.progressIndicatorSet(client: client, session: session, region: region, isQuiet: isQuiet), at: now)
  }

  package func offeredUndo(_ client: ClientID, _ session: SessionID, title: String) {
    send(.undoOffered(client: client, session: session, title: title), at: now)
  }

  package func helperFailed(_ helper: ClientID) {
    send(.helperFailed(client: helper), at: now)
  }

  package func listRegions(max: Int) -> (list: [RegionListing], count: Int) { engine.listRegions(max: max) }

  package func monitorsChanged(_ clients: [ClientID]) { send(.monitorsChanged(clients: clients), at: now) }

  package func watchDetails(_ isWatched: Bool) {
    guard isWatched else { return reported = nil }
    // What is over is told to those that knew it.
    reported = reported ?? ReportedDetails()
    reported?.isNewToSomebody = true
  }
}
