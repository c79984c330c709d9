import CLinux
import CarryModel
package import CarrySystem

/// Why a coordinated read or write of a file failed.
public enum FileCoordinationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file was in use for the whole time.
  case busy
  /// The file cannot be opened or locked, with a sentence that people can read.
  case failed(String)

  /// A sentence that people can read.
  public var description: String {
    switch self {
    case .busy: "others read or write the file"
    case .failed(let sentence): sentence
    }
  }
}

/// Coordinates the access of several applications to one file: shared for reading, exclusive for writing.
///
/// Applications that do not use it are not blocked: the locks are advisory and belong to an open file description
/// (F_OFD_SETLK, see fcntl(2)), so they also work between parts of one process, and disappear with a process that
/// dies. Every function may be called on any thread, except those with a client, and waits for other users for a
/// limited time only. Waiting for the file system is not limited: on a client's thread, use the functions with a
/// completion for files that other programs have named.
public enum FileCoordination {
  /// Reads a file while nobody writes it.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - seconds: how long to wait for a writer; 0 to not wait.
  ///   - body: called with a descriptor that is open for reading, at the file's beginning, until it returns.
  /// - Throws: `FileCoordinationError`, or the error of the body.
  @discardableResult
  public static func read<T>(_ path: String, within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    let file = try begin(path, isWriting: false, within: seconds)
    return try body(file.raw)
  }

  /// Writes a file while nobody reads or writes it. An editor that replaces the file does so in the body.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - seconds: how long to wait for others; 0 to not wait.
  ///   - body: called with a descriptor that is open for reading and writing, until it returns.
  /// - Throws: `FileCoordinationError`, or the error of the body.
  @discardableResult
  public static func write<T>(_ path: String, within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    let file = try begin(path, isWriting: true, within: seconds)
    return try body(file.raw)
  }

  package static func bounded(_ seconds: Double) -> Double { seconds.isFinite ? max(0, min(3600, seconds)) : 3600 }

  /// Opens and locks a file, for the lifetime of the descriptor.
  package static func begin(
    _ path: String, isWriting: Bool, within seconds: Double
  ) throws(FileCoordinationError) -> Descriptor {
    let deadline = MonotonicClock.now() + .seconds(bounded(seconds))
    while true {
      let file: Descriptor
      // A file description of its own: locks of the same description do not exclude each other.
      let flags = (isWriting ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY
      do { file = try Descriptor.open(path, flags) } catch { throw FileCoordinationError.failed(error.sentence) }
      guard PassedDescriptor.isSafe(file.raw, .file) else {
        throw FileCoordinationError.failed("\(SafeText.displayable(path)): not a regular file")
      }
      while clinux_try_lock(file.raw, isWriting ? 1 : 0) != 0 {
        let error = SystemError.last("fcntl", path)
        guard error.code == EAGAIN || error.code == EACCES || error.code == EINTR else {
          throw FileCoordinationError.failed(error.sentence)
        }
        guard MonotonicClock.now() < deadline else { throw FileCoordinationError.busy }
        // F_OFD_SETLKW has no timeout.
        poll(nil, 0, 5)
      }
      // A former holder of the lock may have replaced the file.
      if FileMark(ofPath: path) == FileMark.Known(file.raw)?.mark { return file }
      guard MonotonicClock.now() < deadline else { throw FileCoordinationError.busy }
    }
  }
}

extension OpenedFile {
  /// Reads the file, as it is now at its path, while nobody writes it. See `FileCoordination.read`.
  @discardableResult
  public func coordinateReading<T>(within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    try FileCoordination.read(path, within: seconds, body)
  }

  /// Writes the file, as it is now at its path, while nobody reads or writes it. See `FileCoordination.write`.
  @discardableResult
  public func coordinateWriting<T>(within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    try FileCoordination.write(path, within: seconds, body)
  }
}
