package import CarryModel
import CarrySessions
import CarrySystem

/// Forwards clients' requests to the session engine.
extension Director: ClientRequests {
  private var now: Instant { clock() }

  package func clientArrived(_ client: ClientID, _ program: ProgramIdentity) {
    engine.setIdentity(program, of: client)
    // Load the types before a drag needs them.
    mediaTypes.loadAside()
  }

  package func identityChanged(_ client: ClientID, _ program: ProgramIdentity) {
    engine.setIdentity(program, of: client)
  }

  package func isBehind(_ client: ClientID) { engine.isBehind(client) }

  package func hasRead(_ client: ClientID) { withEngine { $0.hasRead(client, at: self.now, into: &$1) } }

  package func clientGone(_ client: ClientID) {
    dragWindowsChanged = true
    ownedWindows = ownedWindows.filter { $0.value != client }
    registrants.remove(client)
    withEngine { $0.clientGone(client, at: self.now, into: &$1) }
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
      engine.setIdentity(clients.program(ofProcess: process), of: region)
      return .success(region)
    } catch {
      return .failure(error == .tooMany ? .tooMany : .noWindow)
    }
  }

  package func updateRegion(_ region: RegionID, rect: Rect?, roles: RegionRoles?) {
    if roles != nil { dragWindowsChanged = true }
    engine.updateRegion(region, rect: rect, roles: roles)
  }

  package func setEdgeZone(_ region: RegionID, _ width: Double) {
    engine.updateRegion(region, edgeZone: width)
  }

  package func setAcceptedTypes(_ region: RegionID, _ types: [String]) { engine.setAcceptedTypes(types, of: region) }

  package func raise(_ region: RegionID) { engine.raiseRegion(region) }

  package func removeRegion(_ region: RegionID) {
    dragWindowsChanged = true
    withEngine { $0.removeRegion(region, at: self.now, into: &$1) }
  }

  package func answered(_ client: ClientID, _ session: SessionID, serial: UInt32, items: [ItemDescription]) {
    // Skip the work for an answer that is no longer awaited.
    guard engine.waitsForItems(of: client, session, serial: serial) else { return }
    let items = withAncestors(items)
    withEngine { $0.answered(by: client, session, serial: serial, items: items, at: self.now, into: &$1) }
  }

  package func configured(_ client: ClientID, _ session: SessionID, serial: UInt32, _ options: SourceOptions) {
    withEngine { $0.configured(by: client, session, serial: serial, options: options, at: self.now, into: &$1) }
  }

  package func chose(_ client: ClientID, _ region: RegionID, serial: UInt32, _ session: SessionID?) {
    withEngine { $0.chose(session, by: client, region, serial: serial, at: self.now, into: &$1) }
  }

  package func answeredPress(_ client: ClientID, _ region: RegionID, serial: UInt32, mayBegin: Bool) {
    withEngine { $0.answeredPress(by: client, region, serial: serial, mayBegin: mayBegin, into: &$1) }
  }

  package func askAgain(_ client: ClientID, _ region: RegionID) {
    withEngine { $0.askAgain(by: client, region, into: &$1) }
  }

  package func refusedSpring(_ client: ClientID, _ region: RegionID, _ session: SessionID) {
    withEngine { $0.refusedSpring(by: client, session, region: region, into: &$1) }
  }

  package func changedPreview(_ client: ClientID, _ session: SessionID, item: ItemID, _ preview: PreviewID?) {
    withEngine { $0.changedPreview(preview, for: item, by: client, session, into: &$1) }
  }

  package func offeredPreview(_ client: ClientID, _ session: SessionID, of item: ItemID) {
    withEngine { $0.offeredPreview(of: item, by: client, session, into: &$1) }
  }

  package func answeredWillCancel(
    _ client: ClientID, _ session: SessionID, serial: UInt32, endings: [(ItemID, ItemPreview)]
  ) {
    let endings = endings.compactMap { item, preview in
      engine.position(of: item, in: session).map { ItemEnding(item: $0, preview: preview) }
    }
    withEngine { $0.answeredWillCancel(by: client, session, serial: serial, endings: endings, at: self.now, into: &$1) }
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
    withEngine { $0.motionTaken(by: client, session, serial: serial, into: &$1) }
  }

  package func answeredCanHandle(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, yes: Bool
  ) {
    withEngine {
      $0.answeredCanHandle(yes, by: client, session, region: region, serial: serial, at: self.now, into: &$1)
    }
  }

  package func proposed(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, serial: UInt32, _ proposal: Proposal
  ) {
    withEngine { $0.proposed(proposal, by: client, session, region: region, serial: serial, at: self.now, into: &$1) }
  }

  package func keptDropOpen(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {
    withEngine { $0.keptDropOpen(by: client, session, serial: serial, endings: endings, at: self.now, into: &$1) }
  }

  package func copiesInstead(_ client: ClientID, _ session: SessionID, serial: UInt32) {
    engine.copiesInstead(by: client, session, serial: serial)
  }

  package func finishedPerforming(_ client: ClientID, _ session: SessionID, serial: UInt32, endings: [ItemEnding]) {
    withEngine { $0.finishedPerforming(by: client, session, serial: serial, endings: endings, at: self.now, into: &$1) }
  }

  package func load(
    _ client: ClientID, _ session: SessionID, _ region: RegionID, item: Int, type: String, as form: LoadForm,
    register: (TransferID) -> Void
  ) {
    // Not through `withEngine`: the client must know the number before it receives any message about the load.
    register(
      engine.requestLoad(
        by: client, session, region: region, item: item, type: type, as: form, at: now, into: &actions))
    withEngine { _, _ in }
  }

  package func provided(_ client: ClientID, _ transfer: TransferID) -> ClientID? {
    engine.provided(transfer, by: client, at: now)
  }

  package func failed(_ client: ClientID, _ transfer: TransferID, unusable: Bool) {
    let why: LoadFailure = unusable ? .unusableDescriptor : .sourceFailed
    withEngine { $0.failed(transfer, by: client, why, at: self.now, into: &$1) }
  }

  package func withdrew(_ client: ClientID, _ item: ItemID) {
    withEngine { $0.withdrew(item, by: client, at: self.now, into: &$1) }
  }

  package func progressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    withEngine { $0.progressed(transfer, by: client, progress, at: self.now, into: &$1) }
  }

  package func ownerProgressed(_ client: ClientID, _ transfer: TransferID, _ progress: TransferProgress) {
    withEngine { $0.ownerProgressed(transfer, by: client, progress, at: self.now, into: &$1) }
  }

  package func finished(_ client: ClientID, _ transfer: TransferID, success: Bool) {
    withEngine { $0.finished(transfer, by: client, successfully: success, at: self.now, into: &$1) }
  }

  package func setsProgressIndicator(_ client: ClientID, _ session: SessionID, _ region: RegionID, isQuiet: Bool) {
    withEngine { engine, _ in engine.setsProgressIndicator(isQuiet: isQuiet, by: client, session, region: region) }
  }

  package func offeredUndo(_ client: ClientID, _ session: SessionID, title: String) {
    withEngine { $0.offeredUndo(by: client, session, title, at: self.now, into: &$1) }
  }

  package func helperFailed(_ helper: ClientID) {
    withEngine { $0.helperFailed(helper, at: self.now, into: &$1) }
  }

  package func listRegions(max: Int) -> (list: [RegionListing], count: Int) { engine.listRegions(max: max) }

  package func monitorsChanged(_ clients: [ClientID]) { engine.monitorsChanged(Set(clients)) }
}
