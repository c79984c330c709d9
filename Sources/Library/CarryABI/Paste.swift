public import CCarry
import Carry

/// See carry.h.
@c @implementation
public func carry_region_set_paste(
  _ region: OpaquePointer?, _ types: UnsafePointer<UnsafePointer<CChar>>?, _ count: Int, _ paste: carry_paste_func?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    guard count > 0 else {
      handle.region.pasteConfiguration = nil
      return handle.region.onPaste = nil
    }
    guard let types, count <= 1024 else { throw .argument("there are no \(UInt(bitPattern: count)) types") }
    guard let paste else { throw .argument("the callback is NULL") }
    var accepted: [String] = []
    for i in 0..<count { accepted.append(try mediaType(types[i])) }
    let client = handle.client
    handle.region.onPaste = { [unowned client] providers, session in
      guard !client.isDoomed else { return }
      let items = session.items
      let indexes = providers.compactMap { provider in
        items.firstIndex { $0.itemProvider === provider }.map { Int32($0) }
      }
      let session = DropSessionHandle.of(session)
      indexes.withUnsafeBufferPointer {
        if let base = $0.baseAddress { paste(user_data, session.pointer, base, $0.count) }
      }
    }
    handle.region.pasteConfiguration = PasteConfiguration(acceptableTypes: accepted)
  }
}

/// See carry.h.
@c @implementation
public func carry_client_copy(
  _ client: OpaquePointer?, _ items: UnsafePointer<OpaquePointer?>?, _ count: Int
) -> Int32 {
  status { () throws(Failure) in
    let client = try object(client, ClientHandle.self).client
    guard count <= ItemHandle.itemsPerSession else {
      throw Failure(CARRY_ERROR_LIMIT, "a clipboard has at most \(ItemHandle.itemsPerSession) items")
    }
    guard count >= 0, items != nil || count == 0 else {
      throw .argument("there are no \(UInt(bitPattern: count)) items")
    }
    var providers: [ItemProvider] = []
    for i in 0..<count { providers.append(try object(items?[i], ItemHandle.self).provider) }
    do throws(ClientError) { try client.pasteboard.setItemProviders(providers) } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_region_paste(
  _ region: OpaquePointer?, _ pasted: carry_pasted_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(region, RegionHandle.self)
    let client = handle.client
    guard handle.region.pasteConfiguration != nil else {
      throw Failure(CARRY_ERROR_STATE, "the region takes nothing: carry_region_set_paste comes first")
    }
    do throws(ClientError) {
      try handle.region.paste { [weak client] count in
        if let client, !client.isDoomed { pasted?(user_data, Int32(clamping: count)) }
      }
    } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_is_paste(_ session: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try DropSessionHandle.find(session).session.isPaste ? 1 : 0 }
}
