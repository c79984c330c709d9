import CCarry
import Carry

/// A C program's callbacks for a drag source.
final class DragCallbacks: DragInteractionDelegate {
  var callbacks: carry_drag_callbacks
  private unowned let client: ClientHandle

  init(_ callbacks: carry_drag_callbacks, _ client: ClientHandle) {
    self.callbacks = callbacks
    self.client = client
  }

  /// Calls one callback, unless there is none or the client is going away.
  private func call<F, R>(_ callback: F?, _ session: DragSession, _ body: (F, OpaquePointer) -> R) -> R? {
    guard let callback, !client.isDoomed else { return nil }
    let handle = DragSessionHandle.of(session)
    return body(callback, handle.pointer)
  }

  /// Asks for items, which the callback adds to the session.
  private func items(
    _ session: DragSession,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer, Double, Double) -> Void)?,
    _ point: Point
  ) -> [DragItem] {
    let handle = DragSessionHandle.of(session)
    handle.adding = []
    call(callback, session) { $0(callbacks.user_data, $1, point.x, point.y) }
    defer { handle.adding = nil }
    return handle.adding ?? []
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(session, callbacks.items_for_beginning, session.location(in: session.region))
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { items(session, callbacks.items_for_adding, point) }

  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? {
    guard let ask = callbacks.session_for_adding, !client.isDoomed else { return nil }
    let handles = sessions.map { DragSessionHandle.of($0).pointer }
    let index = handles.withUnsafeBufferPointer { list in
      list.baseAddress.map { ask(callbacks.user_data, $0, list.count, point.x, point.y) } ?? -1
    }
    return sessions.indices.contains(Int(index)) ? sessions[Int(index)] : nil
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    let adding = client.regions.values.first { $0.isSource(addingInteraction) }?.pointer
    let first = session.items.firstIndex { $0 === items.first } ?? session.items.count
    call(callbacks.will_add, session) { $0(callbacks.user_data, $1, Int32(clamping: first), adding) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    choice(callbacks.preview_for_lifting, item, session, usual: .usual(of: interaction.region ?? session.region))
  }

  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    let handle = AnimatorHandle(animator)
    handle.keep()
    call(callbacks.will_animate_lift, session) { $0(callbacks.user_data, $1, handle.pointer) }
    handle.letGo()
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let session = item.session else { return defaultPreview }
    return choice(callbacks.preview_for_cancelling, item, session, usual: defaultPreview)
  }

  func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
  ) {
    guard let session = item.session, let index = session.items.firstIndex(where: { $0 === item }) else { return }
    let handle = AnimatorHandle(animator)
    handle.keep()
    call(callbacks.will_animate_cancel, session) { $0(callbacks.user_data, $1, Int32(index), handle.pointer) }
    handle.letGo()
  }

  private func choice(
    _ ask: (
      @convention(c) (UnsafeMutableRawPointer?, OpaquePointer, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    )?, _ item: DragItem, _ session: DragSession, usual: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let index = session.items.firstIndex(where: { $0 === item }) else { return usual }
    var preview: OpaquePointer?
    let answer = call(ask, session) { $0(callbacks.user_data, $1, Int32(index), &preview) } ?? 0
    return PreviewHandle.chosen(by: answer, preview, usual: usual)
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {
    call(callbacks.lift_began, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession) {
    call(callbacks.lifted, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool {
    call(callbacks.prefers_full_size, session) { $0(callbacks.user_data, $1) != 0 } ?? false
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {
    call(callbacks.lift_ended, session) { $0(callbacks.user_data, $1, position == .end ? 1 : 0) }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    call(callbacks.session_will_begin, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool {
    call(callbacks.allows_move, session) { $0(callbacks.user_data, $1) != 0 } ?? true
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool { call(callbacks.allows_move_to_others, session) { $0(callbacks.user_data, $1) != 0 } ?? false }

  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool { call(callbacks.is_restricted, session) { $0(callbacks.user_data, $1) != 0 } ?? false }

  func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession) {
    call(callbacks.session_did_move, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willEndWith operation: DropOperation
  ) { call(callbacks.will_end, session) { $0(callbacks.user_data, $1, Int32(operation.rawValue)) } }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) { call(callbacks.did_end, session) { $0(callbacks.user_data, $1, Int32(operation.rawValue)) } }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    call(callbacks.did_transfer, session) { $0(callbacks.user_data, $1) }
  }
}

/// A drag session's handle. The session keeps it, and it is valid as long as the session.
final class DragSessionHandle: Handle {
  private(set) weak var session: DragSession?
  var localData: UnsafeMutableRawPointer?
  /// The items that the running callback for items has added; nil while no such callback runs.
  var adding: [DragItem]?

  private init(_ session: DragSession) { self.session = session }

  static func of(_ session: DragSession) -> DragSessionHandle {
    if let handle = session.attachment as? DragSessionHandle { return handle }
    let handle = DragSessionHandle(session)
    session.attachment = handle
    handle.register()
    return handle
  }

  static func find(_ pointer: OpaquePointer?) throws(Failure) -> (handle: DragSessionHandle, session: DragSession) {
    let handle = try object(pointer, DragSessionHandle.self)
    guard let session = handle.session else { throw Failure(CARRY_ERROR_INVALID_HANDLE, "the session is over") }
    return (handle, session)
  }

  /// All items of the session, including the items that a running callback has added.
  func items(_ session: DragSession) -> [DragItem] { session.items + (adding ?? []) }

  func item(_ session: DragSession, _ index: Int32) throws(Failure) -> DragItem {
    let items = items(session)
    guard items.indices.contains(Int(index)) else { throw .argument("the session has no item \(index)") }
    return items[Int(index)]
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_add_item(_ session: OpaquePointer?, _ item: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let (handle, session) = try DragSessionHandle.find(session)
    let item = try object(item, ItemHandle.self).item
    guard handle.adding != nil else {
      throw Failure(CARRY_ERROR_STATE, "items can be added within items_for_beginning and items_for_adding only")
    }
    let items = handle.items(session)
    if items.contains(where: { $0 === item }) { return }
    guard !item.isEmpty else {
      throw .argument("the item has no representation, and no local data for the client's own regions")
    }
    guard items.count < ItemHandle.itemsPerSession else {
      throw Failure(CARRY_ERROR_LIMIT, "a session has at most \(ItemHandle.itemsPerSession) items")
    }
    handle.adding?.append(item)
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_item_count(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let (handle, session) = try DragSessionHandle.find(session)
    return Int32(clamping: handle.items(session).count)
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_item_local_data(_ session: OpaquePointer?, _ index: Int32) -> UnsafeMutableRawPointer? {
  pointer { () throws(Failure) in
    let (handle, session) = try DragSessionHandle.find(session)
    return (try handle.item(session, index).localObject as? UserData)?.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_carried_size(
  _ session: OpaquePointer?, _ index: Int32, _ width: UnsafeMutablePointer<Double>?,
  _ height: UnsafeMutablePointer<Double>?
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let (handle, session) = try DragSessionHandle.find(session)
    guard let size = session.carriedSize(of: try handle.item(session, index)) else { return 0 }
    width?.pointee = size.width
    height?.pointee = size.height
    return 1
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_item_conforms(
  _ session: OpaquePointer?, _ index: Int32, _ type: UnsafePointer<CChar>?
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let (handle, session) = try DragSessionHandle.find(session)
    let type = try mediaType(type)
    return try handle.item(session, index).itemProvider.hasRepresentationConforming(to: type) ? 1 : 0
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_location(
  _ session: OpaquePointer?, _ region: OpaquePointer?, _ x: UnsafeMutablePointer<Double>?,
  _ y: UnsafeMutablePointer<Double>?
) -> Int32 {
  status { () throws(Failure) in
    let session = try DragSessionHandle.find(session).session
    let region = region == nil ? session.region : try object(region, RegionHandle.self).region
    let point = session.location(in: region)
    x?.pointee = point.x
    y?.pointee = point.y
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_identifier(_ session: OpaquePointer?) -> UInt32 {
  value(or: 0) { () throws(Failure) in try DragSessionHandle.find(session).session.identifier }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_item_moved(_ session: OpaquePointer?, _ item: Int32) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let session = try DragSessionHandle.find(session).session
    guard session.items.indices.contains(Int(item)) else { throw .argument("the session has no item \(item)") }
    return session.movedItems.contains { $0 === session.items[Int(item)] } ? 1 : 0
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_allows_move(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try DragSessionHandle.find(session).session.allowsMoveOperation ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_offer_undo(
  _ session: OpaquePointer?, _ title: UnsafePointer<CChar>?,
  _ undo: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let session = try DragSessionHandle.find(session).session
    let title = try text(title, "the title")
    guard let undo else { throw .argument("there is no function that undoes it") }
    guard session.canOfferUndo else {
      throw Failure(CARRY_ERROR_STATE, "the session is not a move whose items have been transferred")
    }
    session.offerUndo(title: title) { undo(user_data) }
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_is_restricted(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in
    try DragSessionHandle.find(session).session.isRestrictedToDraggingApplication ? 1 : 0
  }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_set_local_data(_ session: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  status { () throws(Failure) in try object(session, DragSessionHandle.self).localData = data }
}

/// See carry.h.
@c @implementation
public func carry_drag_session_local_data(_ session: OpaquePointer?) -> UnsafeMutableRawPointer? {
  pointer { () throws(Failure) in try object(session, DragSessionHandle.self).localData }
}
