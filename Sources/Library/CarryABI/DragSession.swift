import CCarry
import Carry

/// A drag session's handle. The session retains it, and it is valid as long as the session.
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
public func carry_drag_session_add_item_from(
  _ session: OpaquePointer?, _ item: OpaquePointer?, _ region: OpaquePointer?
) -> Int32 {
  do throws(Failure) {
    let region = try object(region, RegionHandle.self).region
    try object(item, ItemHandle.self).item.region = region
    return carry_drag_session_add_item(session, item)
  } catch { return status { () throws(Failure) in throw error } }
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
