public import CCarry
import Carry
import CarrySystem

/// A file that a C program reads or writes in coordination with others. The handle keeps itself until the program ends it.
final class FileAccessHandle: Handle {
  private let file: Descriptor
  var descriptor: Int32 { file.raw }

  init(_ path: String, isWriting: Bool, within seconds: Double) throws(FileCoordinationError) {
    file = try FileCoordination.begin(path, isWriting: isWriting, within: seconds)
    super.init()
  }
}

private func begin(
  _ path: UnsafePointer<CChar>?, _ seconds: Double, _ file: UnsafeMutablePointer<OpaquePointer?>?, isWriting: Bool
) -> Int32 {
  file?.pointee = nil
  return value(or: nil) { () throws(Failure) in
    guard let file else { throw .argument("there is no place for the handle") }
    guard seconds >= 0, seconds.isFinite else { throw .argument("\(seconds) is no time to wait") }
    let path = try text(path, "the path")
    do throws(FileCoordinationError) {
      let handle = try FileAccessHandle(path, isWriting: isWriting, within: seconds)
      handle.keep()
      file.pointee = handle.pointer
      return handle.descriptor
    } catch {
      throw Failure(error == .busy ? CARRY_ERROR_BUSY : CARRY_ERROR_LOCAL, error.description)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_file_begin_reading(
  _ path: UnsafePointer<CChar>?, _ seconds: Double, _ file: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 { begin(path, seconds, file, isWriting: false) }

/// See carry.h.
@c @implementation
public func carry_file_begin_writing(
  _ path: UnsafePointer<CChar>?, _ seconds: Double, _ file: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 { begin(path, seconds, file, isWriting: true) }

/// See carry.h.
@c @implementation
public func carry_file_access_end(_ file: OpaquePointer?) { Handles.find(file, FileAccessHandle.self)?.letGo() }

/// A C program's watch of a file.
final class FileWatchHandle: Handle {
  private let client: ClientHandle
  private var watch: FileWatch?

  init(
    _ client: ClientHandle, _ path: String, _ changed: @escaping carry_file_change_func,
    _ data: UnsafeMutableRawPointer?
  ) throws(ClientError) {
    self.client = client
    super.init()
    watch = try FileWatch(path, client: client.client) { [unowned client, weak self] change in
      // Several changes may come in a row, and the program may have ended the watch after the first.
      guard !client.isDoomed, self?.watch != nil else { return }
      let kind =
        switch change {
        case .written: CARRY_FILE_WRITTEN
        case .replaced: CARRY_FILE_REPLACED
        case .removed: CARRY_FILE_REMOVED
        }
      changed(data, Int32(kind.rawValue))
    }
  }

  func destroy() {
    letGo()
    watch = nil
    client.fileWatches[ObjectIdentifier(self)] = nil
  }
}

/// See carry.h.
@c @implementation
public func carry_file_watch_create(
  _ client: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ changed: carry_file_change_func?,
  _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let client = try object(client, ClientHandle.self)
    let path = try text(path, "the path")
    guard let changed else { throw .argument("the callback is NULL") }
    let handle: FileWatchHandle
    do throws(ClientError) { handle = try FileWatchHandle(client, path, changed, user_data) } catch {
      throw Failure(CARRY_ERROR_LOCAL, error.description)
    }
    client.fileWatches[ObjectIdentifier(handle)] = handle
    handle.register()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_file_watch_destroy(_ watch: OpaquePointer?) { Handles.find(watch, FileWatchHandle.self)?.destroy() }
