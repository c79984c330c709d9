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
