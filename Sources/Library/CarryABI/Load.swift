public import CCarry
import CLinux
import Carry

/// The handle of a load that a C program started. The load retains the handle until it is over.
final class LoadHandle: Handle {
  private enum Callback {
    case data(carry_load_func?)
    case file(carry_file_func?)
  }

  private let done: Callback
  private let data: UnsafeMutableRawPointer?
  /// The callback's data, if the program wants to be notified of its release.
  var kept: UserData?
  var load: Load?

  init(_ done: carry_load_func?, _ data: UnsafeMutableRawPointer?) {
    self.done = .data(done)
    self.data = data
  }

  init(file done: carry_file_func?, _ data: UnsafeMutableRawPointer?) {
    self.done = .file(done)
    self.data = data
  }

  func succeeded(_ bytes: UnsafeRawPointer?, _ count: Int) {
    end()
    if case .data(let done) = done { done?(data, CARRY_OK.rawValue, bytes, count, nil) }
  }

  func succeeded(_ file: carry_file) {
    end()
    if case .file(let done) = done { withUnsafePointer(to: file) { done?(data, CARRY_OK.rawValue, $0, nil) } }
  }

  func failed(_ error: LoadError) {
    end()
    let status = Failure.status(of: error.code)
    error.description.withCString {
      switch done {
      case .data(let done): done?(data, status, nil, 0, $0)
      case .file(let done): done?(data, status, nil, $0)
      }
    }
  }

  private func end() {
    invalidate()
    load = nil
  }
}

/// Starts a load. If it fails at once, the function reports the failure and the callback is not called.
func start<T>(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ handle: LoadHandle,
  _ begin: (ItemProvider, String, @escaping (Result<T, LoadError>) -> Void) throws(Failure) -> Load,
  _ succeeded: @escaping (T) -> Void
) throws(Failure) -> OpaquePointer {
  let provider = try DropSessionHandle.find(session).session.item(item).itemProvider
  let type = try mediaType(type)
  guard provider.registeredTypes.contains(type) else {
    throw Failure(CARRY_ERROR_NO_SUCH_TYPE, "item \(item) has no representation of the type \(type)")
  }
  var atOnce: LoadError?
  var hasStarted = false
  let load = try begin(provider, type) { result in
    switch result {
    case .success(let value): succeeded(value)
    case .failure(let error): if hasStarted { handle.failed(error) } else { atOnce = error }
    }
  }
  if let atOnce { throw Failure(atOnce) }
  hasStarted = true
  handle.load = load
  handle.register()
  return handle.pointer
}

/// See carry.h.
@c @implementation
public func carry_drop_session_load(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ limit: Int, _ done: carry_load_func?,
  _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let handle = LoadHandle(done, user_data)
    // A size_t beyond Int's range arrives as a negative number.
    let limit = limit == 0 ? 1 << 30 : limit < 0 ? Int.max : limit
    return try start(session, item, type, handle) { provider, type, completion in
      provider.loadDataRepresentation(forType: type, limit: limit, completion: completion)
    } _: { (bytes: [UInt8]) in
      bytes.withUnsafeBytes { handle.succeeded($0.baseAddress ?? UnsafeRawPointer(carry_version()), $0.count) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_load_into(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ descriptor: Int32,
  _ done: carry_load_func?, _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let flags = clinux_get_status_flags(descriptor)
    guard flags >= 0 else { throw .argument("\(descriptor) is no open descriptor") }
    guard flags & O_ACCMODE != O_RDONLY else { throw .argument("descriptor \(descriptor) is not open for writing") }
    let handle = LoadHandle(done, user_data)
    return try start(session, item, type, handle) { provider, type, completion in
      provider.loadRepresentation(forType: type, intoFile: descriptor, completion: completion)
    } _: { (count: Int) in
      handle.succeeded(nil, count)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_drop_session_load_parts(
  _ session: OpaquePointer?, _ item: Int32, _ type: UnsafePointer<CChar>?, _ part: carry_part_func?,
  _ done: carry_load_func?, _ user_data: UnsafeMutableRawPointer?, _ release: carry_release_func?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    guard let part else { throw .argument("the callback is NULL") }
    let handle = LoadHandle(done, user_data)
    let data = UserData(user_data)
    handle.kept = data
    let load = try start(session, item, type, handle) { provider, type, completion in
      provider.loadRepresentation(
        forType: type,
        inParts: { bytes in
          guard let base = bytes.baseAddress else { return }
          let result = part(data.pointer, base, bytes.count)
          guard result == 0 else { throw Refusal(description: "the destination returned \(result)") }
        }, completion: completion)
    } _: { (count: Int) in
      handle.succeeded(nil, count)
    }
    data.release = release
    return load
  }
}

/// See carry.h.
@c @implementation
public func carry_load_cancel(_ load: OpaquePointer?) { Handles.find(load, LoadHandle.self)?.load?.cancel() }

/// See carry.h.
@c @implementation
public func carry_load_completed_bytes(_ load: OpaquePointer?) -> Int64 {
  value(or: nil) { () throws(Failure) in Int64(try object(load, LoadHandle.self).load?.completedBytes ?? 0) }
}

/// See carry.h.
@c @implementation
public func carry_load_set_progress(
  _ load: OpaquePointer?, _ progress: carry_progress_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(load, LoadHandle.self)
    let pointer = handle.pointer
    handle.load?.onProgress = progress.map { progress in
      { load in
        guard !load.isFinished else { return }
        progress(
          user_data, pointer, Int64(load.completedBytes), load.totalBytes.map { Int64($0) } ?? -1,
          load.fractionCompleted ?? -1)
      }
    }
  }
}

/// The handle of a drop's progress. The program owns it.
final class ProgressHandle: Handle {
  let progress: SessionProgress

  init(_ progress: SessionProgress) { self.progress = progress }
}

/// See carry.h.
@c @implementation
public func carry_progress_create(
  _ session: OpaquePointer?, _ changed: carry_drop_progress_func?, _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let progress = try DropSessionHandle.find(session).session.progress
    let handle = ProgressHandle(progress)
    handle.keep()
    progress.onChange = { [weak handle] progress in
      guard let handle, let changed else { return }
      changed(
        user_data, handle.pointer, Int64(progress.completedBytes), progress.totalBytes.map { Int64($0) } ?? -1,
        progress.fractionCompleted)
    }
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_progress_cancel(_ progress: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(progress, ProgressHandle.self).progress.cancel() }
}

/// See carry.h.
@c @implementation
public func carry_progress_destroy(_ progress: OpaquePointer?) {
  Handles.find(progress, ProgressHandle.self)?.invalidate()
}
