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

/// Hears each input of an engine with the actions that it led to, in order.
package typealias InputListener = (SessionInput, Instant?, ArraySlice<SessionAction>) -> Void

extension SessionEngine {
  /// Tells the listener how the engine is set up, and everything from now on.
  package mutating func record(_ listener: @escaping InputListener) {
    self.listener = listener
    listener(.settings(settings), nil, [])
    listener(.policy(programs.policy), nil, [])
    listener(.outputScale(outputScale), nil, [])
    recordWindows()
  }

  /// Tells the listener which windows there are, and their changes from now on.
  mutating func recordWindows() {
    guard let listener else { return }
    listener(.screen(root: tree.root, size: tree.frame(of: tree.root)?.size ?? .zero), nil, [])
    for change in tree.contents { listener(.window(change: change), nil, []) }
    tree.onChange = { listener(.window(change: $0), nil, []) }
  }

  /// Handles an input at its time, and tells the listener.
  package mutating func handle(_ input: SessionInput, at now: Instant, into actions: inout [SessionAction]) {
    let first = actions.count
    dispatch(input, at: now, into: &actions)
    listener?(input, now, actions[first...])
  }

  private mutating func dispatch(_ input: SessionInput, at now: Instant, into actions: inout [SessionAction]) {
    switch input {
    case .settings(let settings): apply(settings)
    case .policy(let policy): apply(policy)
    case .outputScale(let scale): outputScale = scale
    case .screen(let root, let size): adopt(WindowTree(root: root, size: size))
    case .window(let change): tree.apply(change)
    case .windowDestroyed(let window): _ = windowDestroyed(window, at: now, into: &actions)
    case .windowsChanged: windowsChanged(at: now, into: &actions)
    case .displayLost: _ = displayLost(at: now, into: &actions)
    case .learnedWindows(let windows, let session): learnedWindows(windows, for: session, at: now, into: &actions)

    case .advance: advance(to: now, into: &actions)
    case .settleRegions: settleRegions(at: now, into: &actions)
    case .stop: stop(at: now, into: &actions)
    case .animationFinished(let session): animationFinished(session, at: now, into: &actions)

    case .gesture(let event, let stack, let isHeld): handle(event, on: stack, isHeld: isHeld, into: &actions)
    case .touchGivenAway(let contact): touchGivenAway(contact)
    case .cancelDrags: cancelDrags(at: now, into: &actions)
    case .cancelLoads(let session): cancelLoads(of: session, at: now, into: &actions)
    case .undo(let session): undo(session, into: &actions)
    case .undoInWindow(let window): undo(in: window, into: &actions)

    case .identity(let program, let client): setIdentity(program, of: client)
    case .regionIdentity(let program, let region): setIdentity(program, of: region)
    case .monitorsChanged(let clients): monitorsChanged(Set(clients))
    case .isBehind(let client): isBehind(client)
    case .hasRead(let client): hasRead(client, at: now, into: &actions)
    case .clientGone(let client): clientGone(client, at: now, into: &actions)
    case .addRegion(let client, let window, let isStandIn):
      _ = try? addRegion(client: client, window: window, rect: .zero, roles: [], isStandIn: isStandIn)
    case .updateRegion(let region, let rect, let roles, let edgeZone):
      updateRegion(region, rect: rect, roles: roles, edgeZone: edgeZone)
    case .acceptedTypes(let region, let types): setAcceptedTypes(types, of: region)
    case .label(let region, let label): setLabel(label, of: region)
    case .raiseRegion(let region): raiseRegion(region)
    case .removeRegion(let region): removeRegion(region, at: now, into: &actions)

    case .pressAnswered(let client, let region, let serial, let mayBegin):
      answeredPress(by: client, region, serial: serial, mayBegin: mayBegin, into: &actions)
    case .itemsAnswered(let client, let session, let serial, let items):
      answered(by: client, session, serial: serial, items: items, at: now, into: &actions)
    case .configured(let client, let session, let serial, let options):
      configured(by: client, session, serial: serial, options: options, at: now, into: &actions)
    case .chose(let client, let region, let serial, let session):
      chose(session, by: client, region, serial: serial, at: now, into: &actions)
    case .previewChanged(let client, let session, let item, let preview):
      changedPreview(preview, for: item, by: client, session, into: &actions)
    case .previewOffered(let client, let session, let item):
      offeredPreview(of: item, by: client, session, into: &actions)
    case .willCancelAnswered(let client, let session, let serial, let endings):
      answeredWillCancel(by: client, session, serial: serial, endings: endings, at: now, into: &actions)
    case .motionTaken(let client, let session, let serial):
      motionTaken(by: client, session, serial: serial, into: &actions)
    case .withdrew(let client, let item): withdrew(item, by: client, at: now, into: &actions)
    case .undoOffered(let client, let session, let title):
      offeredUndo(by: client, session, title, at: now, into: &actions)

    case .canHandleAnswered(let client, let session, let region, let serial, let yes):
      answeredCanHandle(yes, by: client, session, region: region, serial: serial, at: now, into: &actions)
    case .proposed(let client, let session, let region, let serial, let proposal):
      proposed(proposal, by: client, session, region: region, serial: serial, at: now, into: &actions)
    case .askAgain(let client, let region): askAgain(by: client, region, into: &actions)
    case .springRefused(let client, let session, let region):
      refusedSpring(by: client, session, region: region, into: &actions)
    case .dropKeptOpen(let client, let session, let serial, let endings):
      keptDropOpen(by: client, session, serial: serial, endings: endings, at: now, into: &actions)
    case .copiesInstead(let client, let session, let serial): copiesInstead(by: client, session, serial: serial)
    case .performed(let client, let session, let serial, let endings):
      finishedPerforming(by: client, session, serial: serial, endings: endings, at: now, into: &actions)
    case .progressIndicatorSet(let client, let session, let region, let isQuiet):
      setsProgressIndicator(isQuiet: isQuiet, by: client, session, region: region)

    case .load(let client, let session, let region, let item, let type, let form):
      _ = requestLoad(by: client, session, region: region, item: item, type: type, as: form, at: now, into: &actions)
    case .provided(let client, let transfer): _ = provided(transfer, by: client, at: now)
    case .loadFailed(let client, let transfer, let why): failed(transfer, by: client, why, at: now, into: &actions)
    case .progressed(let client, let transfer, let progress):
      progressed(transfer, by: client, progress, at: now, into: &actions)
    case .ownerProgressed(let client, let transfer, let progress):
      ownerProgressed(transfer, by: client, progress, at: now, into: &actions)
    case .loadFinished(let client, let transfer, let isSuccess):
      finished(transfer, by: client, successfully: isSuccess, at: now, into: &actions)
    case .helperFailed(let helper): helperFailed(helper, at: now, into: &actions)

    case .beginForeign(let client, let program, let isByButton, let contact, let items, let window, let point):
      _ = beginForeign(by: client, from: program, isByButton: isByButton, contact, items, over: window, at: point, now)
    case .moveForeign(let session, let point): moveForeign(session, to: point, at: now, into: &actions)
    case .dropForeign(let session, let point): dropForeign(session, at: point, now, into: &actions)
    case .cancelForeign(let session): cancelForeign(session, at: now, into: &actions)
    case .touchIsTaken(let client, let serial): touchIsTaken(by: client, serial: serial, into: &actions)
    case .trialIsOver(let client, let serial): trialIsOver(by: client, serial: serial)
    case .keep(let client, let session, let region, let item):
      _ = keep(by: client, session, region: region, item: item)
    case .releaseKept(let client, let item): releaseKept(item, by: client)
    }
  }
}
