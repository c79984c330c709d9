import CLinux
package import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// Sends the engine's messages to clients. Points are in pixels of the region's window. A message to an object that
/// is gone is dropped.
extension WireServer {
  // MARK: Sources

  /// Notifies the session's source.
  package func send(_ message: SourceMessage, to session: SessionID) {
    if let foreign = bridge.foreignDrags[session] { return foreign.tell(message) }
    switch message {
    case .itemsForBeginning(let region, let serial, let point):
      return beginDrag(session, region, serial: serial, point)
    case .itemsForAdding(let region, let serial, let point):
      guard let resource = regions[region]?.resource else { return }
      return carry_region_send_add_to_drag(resource, session.raw, serial, fixed(point.x), fixed(point.y))
    default: break
    }
    guard let r = dragSessions[session]?.resource else { return }
    switch message {
    case .itemsForBeginning, .itemsForAdding: break
    case .liftBegan: carry_drag_session_send_lift_began(r)
    case .lifted: carry_drag_session_send_lifted(r)
    case .liftEnded(let atEnd):
      let position = atEnd ? CARRY_DRAG_SESSION_POSITION_END : CARRY_DRAG_SESSION_POSITION_START
      carry_drag_session_send_lift_ended(r, position.rawValue)
    case .willBegin(let serial, let point):
      carry_drag_session_send_will_begin(r, serial, fixed(point.x), fixed(point.y))
    case .didMove(let serial, let point): carry_drag_session_send_move(r, serial, fixed(point.x), fixed(point.y))
    case .willEnd(let operation): carry_drag_session_send_will_end(r, operation.rawValue)
    case .willCancel(let serial): carry_drag_session_send_will_cancel(r, serial)
    case .didEnd(let operation): carry_drag_session_send_did_end(r, operation.rawValue)
    case .itemMoved(let item):
      if let item = items[item]?.resource { carry_drag_session_send_item_moved(r, item) }
    case .didTransfer(let delivered): carry_drag_session_send_did_transfer(r, UInt32(clamping: delivered))
    case .undo: carry_drag_session_send_undo(r)
    case .proposal, .kept: break
    }
  }

  /// Asks which items a press lifts; creates the session's object.
  private func beginDrag(_ session: SessionID, _ region: RegionID, serial: UInt32, _ point: Point) {
    guard let region = regions[region], let resource = region.resource,
      let drag = WireObject.attach(
        DragSessionObject(region.client, session), id: 0, interface: cwayland_drag_session(),
        requests: DragSessionObject.requests.raw)
    else { return }
    dragSessions[session] = drag
    if region.isStandIn { bridge.onAsked?() }
    carry_region_send_begin_drag(resource, drag.resource, session.raw, serial, fixed(point.x), fixed(point.y))
  }

  /// Asks whether a press may lift.
  package func press(_ region: RegionID, serial: UInt32, _ point: Point) {
    guard let r = regions[region]?.resource else { return }
    carry_region_send_press(r, serial, fixed(point.x), fixed(point.y))
  }

  /// Asks to which of several sessions a tap adds.
  package func choose(_ region: RegionID, serial: UInt32, _ sessions: [SessionID], _ point: Point) {
    guard let r = regions[region]?.resource else { return }
    var numbers = sessions.map(\.raw)
    let size = numbers.count * MemoryLayout<UInt32>.size
    numbers.withUnsafeMutableBytes { bytes in
      var array = wl_array(size: size, alloc: size, data: bytes.baseAddress)
      carry_region_send_choose_session(r, serial, &array, fixed(point.x), fixed(point.y))
    }
  }

  /// Notifies the source that items begin to move, so that it can animate alongside; `item` is nil for all items.
  package func motion(
    _ session: SessionID, _ motion: SessionMotion, item: ItemID?, start: Instant, duration: Interval
  ) {
    guard let r = dragSessions[session]?.resource else { return }
    var object: OpaquePointer?
    if let item {
      // The client may have withdrawn the item.
      guard let known = items[item]?.resource else { return }
      object = known
    }
    let number =
      switch motion {
      case .lift: CARRY_DRAG_SESSION_MOTION_LIFT
      case .reverse: CARRY_DRAG_SESSION_MOTION_REVERSE
      case .cancel: CARRY_DRAG_SESSION_MOTION_CANCEL
      }
    let time = start.microseconds
    carry_drag_session_send_motion(
      r, number.rawValue, object, UInt32(truncatingIfNeeded: time / 1_000_000),
      UInt32(truncatingIfNeeded: time % 1_000_000), UInt32(clamping: duration.microseconds))
  }

  package func wantPreview(_ session: SessionID, _ item: ItemID) {
    guard let r = dragSessions[session]?.resource, let item = items[item]?.resource else { return }
    carry_drag_session_send_want_preview(r, item)
  }

  /// Sends the source the carried size of an item's picture, in unscaled pixels. Sent before `willCancel`.
  package func carriedSize(_ session: SessionID, _ item: ItemID, _ size: Size) {
    guard let r = dragSessions[session]?.resource, let item = items[item]?.resource else { return }
    carry_drag_session_send_carried_size(r, item, fixed(size.width), fixed(size.height))
  }

  /// Makes the objects of a finished session inert.
  package func forget(_ session: SessionID) {
    if let r = dragSessions.removeValue(forKey: session)?.resource { carry_drag_session_send_gone(r) }
    bridge.foreignDrags.removeValue(forKey: session)?.forgotten()
    for key in dropSessions.keys where key.session == session { dropSessions[key] = nil }
  }

  // MARK: Regions

  /// Notifies a cooperative region's client that Carry has taken a touch.
  package func touchCancelled(_ region: RegionID, _ touch: UInt32) {
    if let r = regions[region]?.resource { carry_region_send_touch_cancelled(r, touch) }
  }

  package func spring(_ region: RegionID, _ session: SessionID, _ state: SpringState, _ point: Point) {
    guard let r = regions[region]?.resource else { return }
    carry_region_send_spring(r, session.raw, state.rawValue, fixed(point.x), fixed(point.y))
  }

  /// A region's window was destroyed.
  package func lost(_ region: RegionID) {
    guard let o = regions.removeValue(forKey: region) else { return }
    o.state = .over
    if let r = o.resource {
      carry_region_send_refused(r, RegionRefusal.noWindow.raw, "the window was destroyed")
    }
  }

  package func waitForServer(_ regions: [RegionID]) {
    let objects = Dictionary(grouping: regions.compactMap { self.regions.removeValue(forKey: $0) }) { $0.client.id }
    for client in clients.values { client.waitForServer(objects[client.id] ?? []) }
  }

  // MARK: Destinations

  /// Sends a region a message about a session that is, or may come to be, over it.
  package func send(_ message: DestinationMessage, to region: RegionID, of session: SessionID) {
    if case .offer(let items, let first, let isLocal, let options) = message {
      return offer(session, region, items, firstIndex: first, isLocal: isLocal, options)
    }
    guard let r = drop(session, region) else { return }
    if regions[region]?.isStandIn == true { bridge.onAsked?() }
    switch message {
    case .offer: break
    case .canHandle(let serial, let point):
      carry_drop_session_send_can_handle(r, serial, fixed(point.x), fixed(point.y))
    case .didEnter(let point): carry_drop_session_send_enter(r, fixed(point.x), fixed(point.y))
    case .edge(let speed): carry_drop_session_send_edge(r, fixed(speed.x), fixed(speed.y))
    case .didUpdate(let serial, let point): carry_drop_session_send_update(r, serial, fixed(point.x), fixed(point.y))
    case .didExit: carry_drop_session_send_exit(r)
    case .performDrop(let serial, let point, let operation):
      carry_drop_session_send_perform(r, serial, fixed(point.x), fixed(point.y), operation.rawValue)
    case .concludeDrop: carry_drop_session_send_conclude(r)
    case .didEnd(let operation):
      carry_drop_session_send_did_end(r, operation.rawValue)
      // Requests on their way reach an object whose session the engine has discarded, and have no effect.
      dropSessions[DropKey(session: session, region: region)] = nil
    }
  }

  /// Describes items to a region, and introduces the session first if the region does not know it.
  private func offer(
    _ session: SessionID, _ region: RegionID, _ items: [ItemDescription], firstIndex: Int, isLocal: Bool,
    _ options: SourceOptions
  ) {
    let key = DropKey(session: session, region: region)
    if dropSessions[key] == nil {
      guard let region = regions[region], let resource = region.resource,
        let drop = WireObject.attach(
          DropSessionObject(region.client, session, key.region), id: 0, interface: cwayland_drop_session(),
          requests: DropSessionObject.requests.raw)
      else { return }
      dropSessions[key] = drop
      carry_region_send_drop_session(resource, drop.resource, session.raw)
      var flags: UInt32 = 0
      if isLocal { flags |= CARRY_DROP_SESSION_FLAG_LOCAL.rawValue }
      if options.allowsMove { flags |= CARRY_DROP_SESSION_FLAG_ALLOWS_MOVE.rawValue }
      if options.isRestricted { flags |= CARRY_DROP_SESSION_FLAG_RESTRICTED.rawValue }
      if let r = drop.resource { carry_drop_session_send_source(r, flags) }
    }
    guard let drop = dropSessions[key], let r = drop.resource else { return }
    for (i, item) in items.enumerated() {
      let index = UInt32(firstIndex + i)
      carry_drop_session_send_item(r, index, item.name, drop.number(of: item.owner))
      if let size = item.presentationSize {
        carry_drop_session_send_presentation_size(r, index, UInt32(size.width), UInt32(size.height))
      }
      for type in item.types {
        var ancestors = ""
        for a in type.ancestors where ancestors.utf8.count + a.utf8.count < 1024 {
          if !ancestors.isEmpty { ancestors += "\n" }
          ancestors += a
        }
        carry_drop_session_send_type(r, index, type.name, ancestors)
        if let count = type.byteCount.map({ Halves($0) }) {
          carry_drop_session_send_byte_count(r, index, count.high, count.low)
        }
      }
      if !item.teamData.isEmpty { drop.tell(item.teamData, ofItem: index) }
    }
    // The largest possible description fills half of a client's queue, so the next one waits until the client has
    // read.
    noteClientsBehind()
  }

  private func drop(_ session: SessionID, _ region: RegionID) -> OpaquePointer? {
    dropSessions[DropKey(session: session, region: region)]?.resource
  }

  /// Sends a region the carried size of an item's picture, in unscaled pixels. Sent before `perform`.
  package func carriedSize(_ session: SessionID, _ region: RegionID, item: Int, _ size: Size) {
    guard let r = drop(session, region) else { return }
    carry_drop_session_send_carried_size(r, UInt32(clamping: item), fixed(size.width), fixed(size.height))
  }

  /// Notifies a region that an item begins to land.
  package func landing(_ session: SessionID, _ region: RegionID, item: Int, start: Instant, duration: Interval) {
    guard let r = drop(session, region) else { return }
    let time = start.microseconds
    carry_drop_session_send_motion(
      r, UInt32(clamping: item), UInt32(truncatingIfNeeded: time / 1_000_000),
      UInt32(truncatingIfNeeded: time % 1_000_000), UInt32(clamping: duration.microseconds))
  }

  // MARK: Loads

  /// Requests a representation from an item's owner.
  ///
  /// - Parameters:
  ///   - session: The session that the item came with.
  ///   - drop: The session in which it was dropped.
  /// - Returns: False if the item is gone, so that there will be no answer.
  package func load(
    _ transfer: TransferID, _ item: ItemID, of session: SessionID, in drop: SessionID, type: String, as form: LoadForm
  ) -> Bool {
    guard let item = items[item], let resource = item.resource,
      let provision = WireObject.attach(
        ProvisionObject(item.client, transfer, form), id: 0, interface: cwayland_provision(),
        requests: ProvisionObject.requests.raw)
    else { return false }
    provisions[transfer] = provision
    carry_item_send_load(resource, provision.resource, type, form.rawValue, session.raw, drop.raw)
    return true
  }

  package func loadFailed(_ transfer: TransferID, _ why: LoadFailure) {
    if why == .timedOut { blameHelper(for: transfer) }
    guard let load = loads.removeValue(forKey: transfer), let r = load.resource else { return }
    load.transfer = nil
    let sentence = failureMessages[transfer].map { "\(why.sentence): \($0)" } ?? why.sentence
    carry_load_send_failed(r, why.rawValue, sentence)
  }

  package func loadCancelled(_ transfer: TransferID) {
    for helper in helpers.values { helper.queue.removeAll { $0.transfer == transfer } }
    guard let r = provisions[transfer]?.resource else { return }
    carry_provision_send_cancelled(r)
  }

  /// Reports the owner's progress to a destination. A client that is behind with reading gets a later report.
  package func ownerProgressed(_ transfer: TransferID, _ progress: TransferProgress) {
    guard let load = loads[transfer], let r = load.resource, !load.client.isBehind else { return }
    let (completed, total) = (Halves(progress.completed), Halves(progress.total ?? 0))
    carry_load_send_source_progress(r, completed.high, completed.low, total.high, total.low)
  }

  /// Reports the destination's progress to an item's owner.
  package func destinationProgressed(_ transfer: TransferID, _ progress: TransferProgress) {
    guard let provision = provisions[transfer], let r = provision.resource, !provision.client.isBehind else { return }
    let (completed, total) = (Halves(progress.completed), Halves(progress.total ?? 0))
    carry_provision_send_destination_progress(r, completed.high, completed.low, total.high, total.low)
  }
}
