public import CCarry
import Carry
import CarryModel

/// An item that a C program creates as a source.
final class ItemHandle: Handle {
  static let itemsPerSession = Limits.itemsPerSession

  let item: DragItem
  /// Whether the caller gave the item a name; adding a file then keeps that name.
  var isNamed = false

  override init() { item = DragItem(itemProvider: ItemProvider()) }

  var provider: ItemProvider { item.itemProvider }

  /// Throws if the item already has this type, or has no room for another type.
  func check(_ type: String) throws(Failure) {
    let types = provider.registeredTypes
    if types.contains(type) { throw Failure(CARRY_ERROR_STATE, "the item has \(type) already") }
    guard types.count < Limits.typesPerItem else {
      throw Failure(CARRY_ERROR_LIMIT, "an item has at most \(Limits.typesPerItem) types")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_item_create() -> OpaquePointer? {
  let handle = ItemHandle()
  handle.keep()
  return handle.pointer
}

/// See carry.h.
@c @implementation
public func carry_item_destroy(_ item: OpaquePointer?) { Handles.find(item, ItemHandle.self)?.invalidate() }

/// See carry.h.
@c @implementation
public func carry_item_set_name(_ item: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(item, ItemHandle.self)
    let name = try text(name, "the name")
    do throws(SafeText.NameProblem) { _ = try SafeText.fileName(name) } catch { throw .argument(error.sentence) }
    handle.provider.suggestedName = name
    handle.isNamed = true
  }
}

/// See carry.h.
@c @implementation
public func carry_item_set_presentation_size(_ item: OpaquePointer?, _ width: Int32, _ height: Int32) -> Int32 {
  status { () throws(Failure) in
    let provider = try object(item, ItemHandle.self).provider
    guard (1...65_535).contains(width), (1...65_535).contains(height) else {
      throw .argument("a presentation size has 1 to 65535 pixels each way, not \(width)x\(height)")
    }
    provider.preferredPresentationSize = (Int(width), Int(height))
  }
}

/// See carry.h.
@c @implementation
public func carry_item_set_local_data(_ item: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  status { () throws(Failure) in try object(item, ItemHandle.self).item.localObject = UserData(data) }
}

/// See carry.h.
@c @implementation
public func carry_item_set_visibility(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ visibility: Int32
) -> Int32 {
  status { () throws(Failure) in
    let provider = try object(item, ItemHandle.self).provider
    let type = try mediaType(type)
    let who: ItemProvider.Visibility =
      switch visibility {
      case Int32(CARRY_VISIBILITY_ALL.rawValue): .all
      case Int32(CARRY_VISIBILITY_TEAM.rawValue): .team
      case Int32(CARRY_VISIBILITY_OWN_PROCESS.rawValue): .ownProcess
      default: throw .argument("\(visibility) is no carry_visibility")
      }
    guard provider.setVisibility(who, ofType: type) else {
      throw Failure(CARRY_ERROR_STATE, "the item has no \(type)")
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_item_set_team_data(_ item: OpaquePointer?, _ data: UnsafeRawPointer?, _ size: Int) -> Int32 {
  status { () throws(Failure) in
    let provider = try object(item, ItemHandle.self).provider
    guard (0...Limits.teamDataBytes).contains(size) else {
      throw Failure(CARRY_ERROR_LIMIT, "an item's team data has at most \(Limits.teamDataBytes) bytes")
    }
    let bytes = try bytes(data, size)
    provider.teamData = bytes.isEmpty ? nil : bytes
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_text(_ item: OpaquePointer?, _ text: UnsafePointer<CChar>?) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(item, ItemHandle.self)
    let bytes = Array(try CarryABI.text(text, "the text").utf8)
    let types = ["text/plain;charset=utf-8", "text/plain"]
    for type in types { try handle.check(type) }
    for type in types { handle.provider.register(bytes, forType: type) }
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_data(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ data: UnsafeRawPointer?, _ size: Int
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(item, ItemHandle.self)
    let type = try promisedType(type)
    try handle.check(type)
    let bytes = try bytes(data, size)
    handle.provider.register(bytes, forType: type)
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_file(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  status { () throws(Failure) in
    try addFile(item, type, path, [])
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_original(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  status { () throws(Failure) in try addFile(item, type, path, .openInPlace) }
}

private func addFile(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?,
  _ options: ItemProvider.FileOptions
) throws(Failure) {
  let handle = try object(item, ItemHandle.self)
  let path = try text(path, "the path")
  let type = try type == nil ? ItemProvider.type(ofFileAt: path) : promisedType(type)
  if options.contains(.openInPlace), ItemProvider.type(ofFileAt: path) == "inode/directory" {
    throw .argument("\(path) is a folder, and only a file can be opened in place: carry_item_add_file promises folders")
  }
  try handle.check(type)
  handle.provider.registerFileRepresentation(forType: type, fileOptions: options) { $0(.success(path)) }
  if !handle.isNamed, let last = path.split(separator: "/").last { handle.provider.suggestedName = String(last) }
}

/// See carry.h.
@c @implementation
public func carry_item_set_byte_count(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ byte_count: UInt64
) -> Int32 {
  status { () throws(Failure) in
    let provider = try object(item, ItemHandle.self).provider
    let type = try promisedType(type)
    guard provider.registeredTypes.contains(type) else {
      throw Failure(CARRY_ERROR_NO_SUCH_TYPE, "the item has no representation of the type \(type)")
    }
    provider.setByteCount(Int(clamping: byte_count), forType: type)
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_callback(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ requested: carry_request_func?,
  _ user_data: UnsafeMutableRawPointer?, _ release: carry_release_func?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(item, ItemHandle.self)
    let type = try promisedType(type)
    guard let requested else { throw .argument("the callback is NULL") }
    try handle.check(type)
    let data = UserData(user_data, release: release)
    handle.provider.registerRequests(forType: type) { wish in
      let request = RequestHandle(wish)
      request.keep()
      type.withCString { requested(data.pointer, request.pointer, $0) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_item_add_stream(
  _ item: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ writer: carry_stream_func?,
  _ user_data: UnsafeMutableRawPointer?, _ release: carry_release_func?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(item, ItemHandle.self)
    let type = try promisedType(type)
    guard let writer else { throw .argument("the writer is NULL") }
    try handle.check(type)
    let data = UserData(user_data, release: release)
    handle.provider.registerStreamRepresentation(forType: type) { stream in
      let stream = StreamHandle(stream)
      stream.register()
      defer { stream.invalidate() }
      let result = writer(data.pointer, stream.pointer)
      if let failure = stream.failure { throw failure }
      guard result == 0 else { throw Refusal(description: "") }
    }
  }
}
