public import CCarry
import CLinux
import Carry

extension LoadHandle {
  fileprivate func succeeded(_ file: LoadedFile) {
    let leftOut = file.leftOut.map { strdup($0) }
    defer { for path in leftOut { free(path) } }
    let pointers = leftOut.compactMap { $0.map { UnsafePointer($0) } }
    file.path.withCString { path in
      pointers.withUnsafeBufferPointer { list in
        succeeded(
          carry_file(
            path: path, byte_count: Int64(file.byteCount), is_folder: file.isFolder ? 1 : 0, descriptor: -1,
            is_original: 0, is_writable: 0, left_out_count: Int32(list.count),
            left_out: list.isEmpty ? nil : list.baseAddress))
      }
    }
  }

  fileprivate func succeeded(_ file: OpenedFile) {
    file.path.withCString { path in
      succeeded(
        carry_file(
          path: path, byte_count: Int64(file.byteCount), is_folder: 0, descriptor: file.descriptor,
          is_original: file.isOriginal ? 1 : 0, is_writable: file.isWritable ? 1 : 0, left_out_count: 0,
          left_out: nil))
    }
  }
}

/// Starts a load whose result is a file.
private func startFile<File>(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ done: carry_file_func?,
  _ data: UnsafeMutableRawPointer?, _ succeeded: @escaping (LoadHandle, File) -> Void,
  _ begin: (ItemProvider, String, @escaping (Result<File, LoadError>) -> Void) throws(Failure) -> Load
) throws(Failure) -> OpaquePointer {
  let handle = LoadHandle(file: done, data)
  return try start(session, item, type, handle, begin) { succeeded(handle, $0) }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_load_file(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ done: carry_file_func?,
  _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    try startFile(session, item, type, done, user_data, { $0.succeeded($1) }) { provider, type, completion in
      provider.loadFileRepresentation(forType: type, completion: completion)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_save(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ directory: UnsafePointer<CChar>?,
  _ name: UnsafePointer<CChar>?, _ options: UInt32, _ done: carry_file_func?, _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let keepsAttributes = options & CARRY_SAVE_KEEPS_ATTRIBUTES.rawValue != 0
    guard options & ~CARRY_SAVE_KEEPS_ATTRIBUTES.rawValue == 0 else {
      throw .argument("\(options) has bits that are no carry_save_option")
    }
    let directory = try text(directory, "the directory")
    let name = try name == nil ? nil : text(name, "the name")
    return try startFile(session, item, type, done, user_data, { $0.succeeded($1) }) { provider, type, completion in
      provider.saveRepresentation(
        forType: type, in: directory, as: name, keepsAttributes: keepsAttributes, completion: completion)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_open(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ done: carry_file_func?,
  _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    try startFile(session, item, type, done, user_data, { $0.succeeded($1) }) { provider, type, completion in
      provider.loadInPlaceFileRepresentation(forType: type, completion: completion)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_byte_count(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ byte_count: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  value(or: nil) { () throws(Failure) in
    let provider = try DropSessionHandle.find(session).session.item(item).itemProvider
    guard let count = provider.byteCount(forType: try mediaType(type)) else { return 0 }
    byte_count?.pointee = UInt64(count)
    return 1
  }
}
