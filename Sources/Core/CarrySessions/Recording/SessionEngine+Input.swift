import CarryGestures
package import CarryModel

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
    guard let listener else { return }
    // A finger that meets no region is nobody's business; it may be on an on-screen keyboard. Before it was looked at,
    // regions were settled.
    if case .gesture(let event, _, _) = input, event.kind == .pressed, actions[first...].last == .ignore(event.contact)
    {
      return listener(.settleRegions, now, actions[first..<actions.count - 1])
    }
    listener(input, now, actions[first...])
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
