package import CarryModel

/// Loads of representations, which only a performing destination may start, and clients that disconnect:
/// docs/behaviour.md, 2.6.
extension SessionEngine {
  /// Starts a load of one representation for a destination.
  ///
  /// - Returns: the number of the transfer. An impossible load fails at once, under this number.
  package mutating func requestLoad(
    by client: ClientID, _ id: SessionID, region: RegionID, item index: Int, type: String, as form: LoadForm = .data,
    at now: Instant, into actions: inout [SessionAction]
  ) -> TransferID {
    let first = actions.count
    defer {
      listener?(
        .load(client: client, session: id, region: region, item: index, type: type, form: form), now, actions[first...])
    }
    let transfer = TransferID(transferIDs.next())
    func refuse(_ why: LoadFailure) -> TransferID {
      actions.append(.loadFailed(client, transfer, why))
      return transfer
    }
    // Loads may start only within the destination's own `performDrop` (X2).
    guard let session = sessions.find(id), let drop = session.drop, drop.client == client, drop.region == region,
      drop.mayLoad
    else { return refuse(.outsidePerformDrop) }
    guard session.items.indices.contains(index) else { return refuse(.noSuchType) }
    let item = session.items[index]
    /// Marks that not everything requested of the item arrives, so its source must keep it.
    func refuseItem(_ why: LoadFailure) -> TransferID {
      session.drop?.refused(item.id)
      return refuse(why)
    }
    guard !drop.isCancelled else { return refuseItem(.cancelled) }
    let view = programs.view(of: region, client, in: session)
    guard let t = item.types.firstIndex(where: { $0.name == type }), view.sees(type: t, ofItem: index) else {
      return refuseItem(.noSuchType)
    }
    guard !item.isLost else { return refuseItem(.sourceGone) }
    guard transfers.count(where: { $0.session == id && $0.item == item.id }) < Limits.loadsPerItem else {
      return refuseItem(.tooManyLoads)
    }
    var form = form
    // After a move to another application the source removes the original, so that application needs its own copy.
    if form == .original, drop.operation == .move, !drop.isLocal { form = .copy }
    // A sandboxed program could replace its file by a link to one that it cannot read, after the file was checked.
    if form == .original, client != item.owner, (item.program ?? session.program).sandbox != nil { form = .copy }
    // A file's descriptor, a folder's and a path lead out of a sandbox, so a sandboxed program receives bytes.
    if program(of: region, client).sandbox != nil, !view.isOfTarget(item: index) { form = .sandboxed }
    transfers.append(
      Transfer(
        id: transfer, session: id, owner: item.owner, destination: client, item: item.id, type: type,
        origin: item.origin, deadline: now + .seconds(Limits.transferSeconds), promisedBytes: item.types[t].byteCount))
    if let reference = item.reference {
      actions.append(.provide(reference, transfer, id, type: type, form))
    } else {
      let (known, with) = item.origin.map { ($0.item, $0.session) } ?? (item.id, id)
      actions.append(.load(item.owner, transfer, known, with, in: id, type: type, form))
    }
    return transfer
  }

  /// The item's owner provides the descriptor for a load.
  ///
  /// - Returns: the client that receives the descriptor, or nil if none waits for it any more.
  package mutating func provided(_ id: TransferID, by client: ClientID, at now: Instant) -> ClientID? {
    defer { listener?(.provided(client: client, transfer: id), now, []) }
    guard let t = transfers.firstIndex(where: { $0.id == id && $0.owner == client && !$0.isProvided }) else {
      return nil
    }
    transfers[t].isProvided = true
    // The owner's reports so far are in units of its own, and must not follow the data.
    transfers[t].ofOwner.forgetWaiting()
    transfers[t].deadline = now + .seconds(Limits.transferSeconds)
    return transfers[t].destination
  }

  /// The item's owner cannot provide the promised data, or provided a descriptor that must not be read.
  package mutating func failed(
    _ id: TransferID, by client: ClientID, _ why: LoadFailure, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let t = transfers.firstIndex(where: { $0.id == id && $0.owner == client && !$0.isProvided }) else { return }
    let transfer = transfers.remove(at: t)
    actions.append(.loadFailed(transfer.destination, id, why))
    settle(transfer, delivered: false, because: why, at: now, into: &actions)
  }

  /// The destination is still reading: keeps the transfer alive, and reports its progress to the item's owner.
  package mutating func progressed(
    _ id: TransferID, by client: ClientID, _ progress: TransferProgress, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let t = transfers.firstIndex(where: { $0.id == id && $0.destination == client }) else { return }
    transfers[t].deadline = now + .seconds(Limits.transferSeconds)
    guard transfers[t].ofDestination.report(progress, at: now) else { return }
    actions.append(.destinationProgressed(transfers[t].owner, id, progress))
  }

  /// The item's owner is working on the data: its reports keep the transfer alive, and are forwarded to the
  /// destination.
  package mutating func ownerProgressed(
    _ id: TransferID, by client: ClientID, _ progress: TransferProgress, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard let t = transfers.firstIndex(where: { $0.id == id && $0.owner == client }) else { return }
    transfers[t].deadline = now + .seconds(Limits.transferSeconds)
    guard transfers[t].ofOwner.report(progress, at: now) else { return }
    actions.append(.ownerProgressed(transfers[t].destination, id, progress))
  }

  /// Forwards the reports that had to wait.
  mutating func passProgressOn(at now: Instant, into actions: inout [SessionAction]) {
    for t in transfers.indices {
      let (id, owner, destination) = (transfers[t].id, transfers[t].owner, transfers[t].destination)
      if let progress = transfers[t].ofOwner.turn(at: now) {
        actions.append(.ownerProgressed(destination, id, progress))
      }
      if let progress = transfers[t].ofDestination.turn(at: now) {
        actions.append(.destinationProgressed(owner, id, progress))
      }
    }
  }

  /// The destination has read everything, or has given up.
  package mutating func finished(
    _ id: TransferID, by client: ClientID, successfully: Bool, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let t = transfers.firstIndex(where: { $0.id == id && $0.destination == client }) else { return }
    let transfer = transfers.remove(at: t)
    if !successfully || !transfer.isProvided { actions.append(.loadCancelled(transfer.owner, id)) }
    if successfully, transfer.isProvided, let session = sessions.find(transfer.session), !session.hasToldEnd {
      monitor(
        .received, session, target: transfer.destination, type: transfer.type, at: now, into: &actions)
    }
    settle(transfer, delivered: successfully && transfer.isProvided, at: now, into: &actions)
  }

  /// Ends transfers, and tells both ends. Each transfer is looked at only once: one drop may have 4,096.
  mutating func endTransfers(
    _ why: LoadFailure, at now: Instant, into actions: inout [SessionAction], where isMeant: (Transfer) -> Bool
  ) {
    var ended: [Transfer] = []
    transfers.removeAll { transfer in
      guard isMeant(transfer) else { return false }
      ended.append(transfer)
      return true
    }
    var isSettled: Set<SessionID> = []
    for transfer in ended {
      actions.append(.loadCancelled(transfer.owner, transfer.id))
      actions.append(.loadFailed(transfer.destination, transfer.id, why))
      note(transfer, delivered: false, because: why)
    }
    for transfer in ended where isSettled.insert(transfer.session).inserted {
      if let session = sessions.find(transfer.session) { settleDrop(session, at: now, into: &actions) }
    }
  }

  /// If too many drops only wait for data, ends one: the oldest drop of the destination with the most such drops. A
  /// destination that never stops reading thus cannot cost others their drops.
  mutating func limitTransferring(at now: Instant, into actions: inout [SessionAction]) {
    // Promises on the shelf have a limit of their own, and loads of guests' items count for their hosts.
    let waiting = sessions.filter { $0.onlyTransfers && $0.host == nil && !kept.holds($0.id) }
    guard waiting.count > Limits.transferringSessions else { return }
    var counts: [ClientID: Int] = [:]
    for session in waiting { counts[session.drop?.client ?? session.client, default: 0] += 1 }
    let most = counts.values.max()
    guard let victim = waiting.first(where: { counts[$0.drop?.client ?? $0.client] == most }) else { return }
    let id = victim.id
    victim.drop?.endLoading()
    endTransfers(.tooManyLoads, at: now, into: &actions) { $0.session == id }
    settleDrop(victim, at: now, into: &actions)
  }

  private mutating func settle(
    _ transfer: Transfer, delivered: Bool, because why: LoadFailure? = nil, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    note(transfer, delivered: delivered, because: why)
    if let session = sessions.find(transfer.session) { settleDrop(session, at: now, into: &actions) }
  }

  /// Tells a transfer's drop how the transfer ended; this may end the drop.
  private func note(_ transfer: Transfer, delivered: Bool, because why: LoadFailure?) {
    let bytes = transfer.ofDestination.newest?.completed ?? transfer.promisedBytes
    sessions.find(transfer.session)?.drop?.complete(transfer.item, delivered: delivered, bytes: bytes, failure: why)
    guard let origin = transfer.origin else { return }
    sessions.find(origin.session)?.drop?.complete(origin.item, delivered: delivered)
  }

  // MARK: Clients that go away

  /// A file provider has exited or does not answer (F1). Its pending requests fail; data that it has provided can
  /// still be read. Its items remain, because it can be started again.
  package mutating func helperFailed(_ helper: ClientID, at now: Instant, into actions: inout [SessionAction]) {
    for transfer in transfers where transfer.owner == helper && !transfer.isProvided {
      failed(transfer.id, by: helper, .sourceFailed, at: now, into: &actions)
    }
  }

  /// A client is gone: it exited, closed its connection, or was disconnected. Drags leave its regions, and loads of
  /// its items fail. Its sessions end, except for a drag with items of other clients, which the finger carries on.
  package mutating func clientGone(_ client: ClientID, at now: Instant, into actions: inout [SessionAction]) {
    for transfer in transfers where transfer.owner == client && !transfer.isProvided {
      actions.append(.loadFailed(transfer.destination, transfer.id, .sourceGone))
    }
    for transfer in transfers where transfer.destination == client && transfer.owner != client {
      actions.append(.loadCancelled(transfer.owner, transfer.id))
    }
    // Data that was already provided can be read without the source.
    let ended = transfers.filter { ($0.owner == client && !$0.isProvided) || $0.destination == client }
    transfers.removeAll { ($0.owner == client && !$0.isProvided) || $0.destination == client }
    forgetChoices(into: &actions) { $0.client == client }
    if trial?.client == client { abandonTrial(into: &actions) }
    clientsBehind.remove(client)
    for id in regions.ids(ofClient: client) {
      regions.remove(id)
      programs.forget(id)
      presses.removeAll { $0.region == id }
    }
    forgetUndo(of: client, into: &actions)
    loseKept(of: client, into: &actions)
    for session in sessions where !session.isGone {
      session.loseItems(of: client)
      let lostTarget = session.drag?.forget(of: client) == true
      if session.drop?.client == client { session.drop?.regionGone() }
      if session.client == client, !outlivesSource(session, lostTarget: lostTarget, at: now, into: &actions) {
        sourceGone(session, at: now, into: &actions)
      } else if session.drop?.client == client {
        session.drop?.endLoading()
        land(session, at: now, into: &actions)
        settleDrop(session, at: now, into: &actions)
      } else if lostTarget, case .releasing(let drag, _) = session.phase {
        finishRelease(drag, of: session, at: now, into: &actions)
      }
    }
    programs.forget(client)
    for transfer in ended {
      let why: LoadFailure? = transfer.destination == client ? nil : .sourceGone
      settle(transfer, delivered: false, because: why, at: now, into: &actions)
    }
    windowsChanged(at: now, into: &actions)
  }

  /// - Returns: whether the drag continues without its source.
  private mutating func outlivesSource(
    _ session: Session, lostTarget: Bool, at now: Instant, into actions: inout [SessionAction]
  ) -> Bool {
    guard session.drag != nil, session.outlivesItsSource else { return false }
    forgetAdditions(session, into: &actions)
    session.sourceIsGone = true
    if lostTarget, case .releasing(let drag, _) = session.phase {
      finishRelease(drag, of: session, at: now, into: &actions)
    }
    return true
  }

  private mutating func sourceGone(_ session: Session, at now: Instant, into actions: inout [SessionAction]) {
    forgetAdditions(session, into: &actions)
    switch session.phase {
    case .dropping:
      session.sourceIsGone = true
      settleDrop(session, at: now, into: &actions)
      return
    case .dragging(let drag), .releasing(let drag, _):
      actions.append(.ignore(session.contact))
      leaveSpring(drag, of: session, into: &actions)
      monitor(.cancelled, session, operation: .cancel, at: now, into: &actions)
      for visit in drag.visits.all { tell(visit.address, of: session, .didEnd(.cancel), into: &actions) }
      monitor(.ended, session, operation: .cancel, at: now, into: &actions)
    case .cancelling(let cancelling):
      monitor(.ended, session, operation: cancelling.operation, at: now, into: &actions)
    case .lifting:
      actions.append(.ignore(session.contact))
      monitor(.liftReversed, session, at: now, into: &actions)
    case .asking, .settling:
      actions.append(.ignore(session.contact))
    case .joining(let joining):
      if let tap = joining.tap { actions.append(.yield(tap)) }
      return forget(session, into: &actions)
    case .lent:
      return forget(session, into: &actions)
    case .gone:
      return
    }
    show(session, .remove, into: &actions)
    forget(session, into: &actions)
  }
}
