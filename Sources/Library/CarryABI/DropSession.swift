import CCarry
import Carry

/// A drop session's handle. The session retains it, and it is valid until the session ends.
final class DropSessionHandle: Handle {
  private weak var session: DropSession?
  let strings = CStrings()
  var localData: UnsafeMutableRawPointer?
  /// The proposal as modified by did_update so far; nil while did_update does not run.
  var proposal: DropProposal?

  private init(_ session: DropSession) { self.session = session }

  static func of(_ session: DropSession) -> DropSessionHandle {
    if let handle = session.attachment as? DropSessionHandle { return handle }
    let handle = DropSessionHandle(session)
    session.attachment = handle
    handle.register()
    return handle
  }

  static func find(_ pointer: OpaquePointer?) throws(Failure) -> (handle: DropSessionHandle, session: DropSession) {
    let handle = try object(pointer, DropSessionHandle.self)
    guard let session = handle.session else { throw Failure(CARRY_ERROR_INVALID_HANDLE, "the session is over") }
    return (handle, session)
  }
}

extension DropSession {
  func item(_ index: Int32) throws(Failure) -> DragItem {
    let items = items
    guard items.indices.contains(Int(index)) else { throw .argument("the session has no item \(index)") }
    return items[Int(index)]
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_item_count(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in Int32(clamping: try DropSessionHandle.find(session).session.items.count) }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_type_count(_ session: OpaquePointer?, _ item: Int32) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    return Int32(clamping: try session.item(item).itemProvider.registeredTypes.count)
  }
}

/// Changes the proposal within did_update, in addition to the operation that did_update returns.
private func wish(_ session: OpaquePointer?, _ body: (inout DropProposal) -> Void) -> Int32 {
  status { () throws(Failure) in
    let handle = try DropSessionHandle.find(session).handle
    guard var proposal = handle.proposal else {
      throw Failure(CARRY_ERROR_STATE, "a proposal can be made within did_update only")
    }
    body(&proposal)
    handle.proposal = proposal
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_propose_precise(_ session: OpaquePointer?) -> Int32 {
  wish(session) { $0.isPrecise = true }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_propose_full_size(_ session: OpaquePointer?) -> Int32 {
  wish(session) { $0.prefersFullSizePreview = true }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_propose_reason(_ session: OpaquePointer?, _ reason: UnsafePointer<CChar>?) -> Int32 {
  do throws(Failure) {
    let reason = try text(reason, "the reason")
    return wish(session) { $0.reason = reason }
  } catch { return status { () throws(Failure) in throw error } }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_carried_size(
  _ session: OpaquePointer?, _ item: Int32, _ width: UnsafeMutablePointer<Double>?,
  _ height: UnsafeMutablePointer<Double>?
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    guard let size = session.carriedSize(of: try session.item(item)) else { return 0 }
    width?.pointee = size.width
    height?.pointee = size.height
    return 1
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_presentation_size(
  _ session: OpaquePointer?, _ item: Int32, _ width: UnsafeMutablePointer<Int32>?,
  _ height: UnsafeMutablePointer<Int32>?
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let item = try DropSessionHandle.find(session).session.item(item)
    guard let size = item.itemProvider.preferredPresentationSize else { return 0 }
    width?.pointee = Int32(clamping: size.width)
    height?.pointee = Int32(clamping: size.height)
    return 1
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_team_data(
  _ session: OpaquePointer?, _ item: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let item = try DropSessionHandle.find(session).session.item(item)
    guard let bytes = item.itemProvider.teamData else { return 0 }
    // A size_t beyond Int's range arrives as a negative number.
    let count = size < 0 ? bytes.count : min(size, bytes.count)
    if let buffer {
      UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes.prefix(count))
    }
    return Int32(bytes.count)
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_edge_speed(
  _ session: OpaquePointer?, _ x: UnsafeMutablePointer<Double>?, _ y: UnsafeMutablePointer<Double>?
) -> Int32 {
  status { () throws(Failure) in
    let speed = try DropSessionHandle.find(session).session.edgeSpeed
    x?.pointee = speed.x
    y?.pointee = speed.y
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_local_drag_session(_ session: OpaquePointer?) -> OpaquePointer? {
  pointer { () throws(Failure) in
    try DropSessionHandle.find(session).session.localDragSession.map { DragSessionHandle.of($0).pointer }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_is_restricted(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in
    try DropSessionHandle.find(session).session.isRestrictedToDraggingApplication ? 1 : 0
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_type(_ session: OpaquePointer?, _ item: Int32, _ index: Int32) -> UnsafePointer<CChar>? {
  pointer { () throws(Failure) in
    let (handle, session) = try DropSessionHandle.find(session)
    let types = try session.item(item).itemProvider.registeredTypes
    guard types.indices.contains(Int(index)) else { throw .argument("item \(item) has no type \(index)") }
    return handle.strings.pointer(types[Int(index)])
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_conforms(_ session: OpaquePointer?, _ type: UnsafePointer<CChar>?) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    return session.hasItemsConforming(toTypes: [try mediaType(type)]) ? 1 : 0
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_best_type(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?
) -> UnsafePointer<CChar>? {
  pointer { () throws(Failure) in
    let (handle, session) = try DropSessionHandle.find(session)
    let wanted = try mediaType(type)
    return try session.item(item).itemProvider.bestType(conformingTo: [wanted]).flatMap { handle.strings.pointer($0) }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_name(_ session: OpaquePointer?, _ item: Int32) -> UnsafePointer<CChar>? {
  pointer { () throws(Failure) in
    let (handle, session) = try DropSessionHandle.find(session)
    return try session.item(item).itemProvider.suggestedName.flatMap { handle.strings.pointer($0) }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_item_local_data(_ session: OpaquePointer?, _ item: Int32) -> UnsafeMutableRawPointer? {
  pointer { () throws(Failure) in
    (try DropSessionHandle.find(session).session.item(item).localObject as? UserData)?.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_location(
  _ session: OpaquePointer?, _ region: OpaquePointer?, _ x: UnsafeMutablePointer<Double>?,
  _ y: UnsafeMutablePointer<Double>?
) -> Int32 {
  status { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    let region = region == nil ? session.region : try object(region, RegionHandle.self).region
    let point = session.location(in: region)
    x?.pointee = point.x
    y?.pointee = point.y
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_allows_move(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try DropSessionHandle.find(session).session.allowsMoveOperation ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_set_progress_indicator(
  _ session: OpaquePointer?, _ style: Int32
) -> Int32 {
  status { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    switch carry_progress_indicator(UInt32(bitPattern: style)) {
    case CARRY_PROGRESS_INDICATOR_DEFAULT: session.progressIndicatorStyle = .default
    case CARRY_PROGRESS_INDICATOR_NONE: session.progressIndicatorStyle = .none
    default: throw .argument("there is no style of progress indicator \(style)")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_keep_open(_ session: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    session.keepOpen()
    guard session.isKeptOpen else { throw Failure(CARRY_ERROR_STATE, "no drop is being performed") }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_finish(_ session: OpaquePointer?, _ operation: Int32) -> Int32 {
  status { () throws(Failure) in
    let session = try DropSessionHandle.find(session).session
    guard session.isKeptOpen else { throw Failure(CARRY_ERROR_STATE, "the drop is not kept open") }
    session.finish(as: operation == Int32(CARRY_OPERATION_COPY.rawValue) ? .copy : nil)
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_is_local(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try DropSessionHandle.find(session).session.isLocal ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_identifier(_ session: OpaquePointer?) -> UInt32 {
  value(or: 0) { () throws(Failure) in try DropSessionHandle.find(session).session.identifier }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_operation(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in Int32(try DropSessionHandle.find(session).session.operation.rawValue) }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_set_local_data(_ session: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  status { () throws(Failure) in try object(session, DropSessionHandle.self).localData = data }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_local_data(_ session: OpaquePointer?) -> UnsafeMutableRawPointer? {
  pointer { () throws(Failure) in try object(session, DropSessionHandle.self).localData }
}
