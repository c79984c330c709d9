public import CCarry
import Carry
import CarrySystem

/// A file that a C program reads or writes in coordination with others. The handle retains itself until the program
/// ends it.
final class FileAccessHandle: Handle {
  private let file: Descriptor
  var descriptor: Int32 { file.raw }

  init(_ path: String, isWriting: Bool, within seconds: Double) throws(FileCoordinationError) {
    file = try FileCoordination.begin(path, isWriting: isWriting, within: seconds)
    super.init()
  }
}

extension Failure {
  fileprivate init(_ error: FileCoordinationError) {
    self.init(error == .busy ? CARRY_ERROR_BUSY : CARRY_ERROR_LOCAL, error.description)
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
      throw Failure(error)
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
public func carry_file_access_end(_ file: OpaquePointer?) { Handles.find(file, FileAccessHandle.self)?.invalidate() }

/// The arguments of `carry_file_read`. The work runs on another thread, as documented in carry.h.
private struct FileWork: @unchecked Sendable {
  let work: carry_file_work_func
  let done: carry_file_done_func
  let data: UnsafeMutableRawPointer?

  func complete(_ result: Result<Int32, any Error>) {
    switch result {
    case .success(let status): done(data, status)
    case .failure(let error):
      let problem = error as? FileCoordinationError ?? .failed("\(error)")
      done(data, status { () throws(Failure) in throw Failure(problem) })
    }
  }
}

private func run(
  _ client: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ seconds: Double, _ work: carry_file_work_func?,
  _ done: carry_file_done_func?, _ data: UnsafeMutableRawPointer?, isWriting: Bool
) -> Int32 {
  status { () throws(Failure) in
    let client = try object(client, ClientHandle.self).client
    guard seconds >= 0, seconds.isFinite else { throw .argument("\(seconds) is no time to wait") }
    let path = try text(path, "the path")
    guard let work, let done else { throw .argument("a callback is NULL") }
    let all = FileWork(work: work, done: done, data: data)
    let body: @Sendable (Int32) -> Int32 = { all.work(all.data, $0) }
    if isWriting {
      FileCoordination.write(path, client: client, within: seconds, body) { all.complete($0) }
    } else {
      FileCoordination.read(path, client: client, within: seconds, body) { all.complete($0) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_file_read(
  _ client: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ seconds: Double, _ work: carry_file_work_func?,
  _ done: carry_file_done_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 { run(client, path, seconds, work, done, user_data, isWriting: false) }

/// See carry.h.
@c @implementation
public func carry_file_write(
  _ client: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ seconds: Double, _ work: carry_file_work_func?,
  _ done: carry_file_done_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 { run(client, path, seconds, work, done, user_data, isWriting: true) }

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
    invalidate()
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
