import CLinux
import CarryModel
package import CarrySystem

/// Why a file could not be read or written in coordination with others.
public enum FileCoordinationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Others were at the file for the whole time.
  case busy
  /// The file cannot be opened or locked; a sentence for a person.
  case failed(String)

  /// A sentence for a person.
  public var description: String {
    switch self {
    case .busy: "others read or write the file"
    case .failed(let sentence): sentence
    }
  }
}

/// Several applications at one file: reading with other readers, writing alone.
///
/// Applications that do not use this are not held back: the locks are advisory, of an open file each (F_OFD_SETLK of
/// fcntl(2)), so that they also hold between parts of one process, and go with a process that dies. Every function may be
/// called on any thread, but for those with a client, and waits for others for a limited time only. The file system is waited for
/// without a limit: for files that other programs have named, a client's thread takes the functions with a completion.
public enum FileCoordination {
  /// Reads a file while nobody writes it.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - seconds: how long to wait for a writer; 0 for not at all.
  ///   - body: called with a descriptor that is open for reading, at the file's beginning, until it returns.
  /// - Throws: `FileCoordinationError`, or what the body throws.
  @discardableResult
  public static func read<T>(_ path: String, within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    let file = try begin(path, isWriting: false, within: seconds)
    return try body(file.raw)
  }

  /// Writes a file while nobody reads or writes it. An editor that replaces the file by a new one does that in the body.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - seconds: how long to wait for others; 0 for not at all.
  ///   - body: called with a descriptor that is open for reading and writing, until it returns.
  /// - Throws: `FileCoordinationError`, or what the body throws.
  @discardableResult
  public static func write<T>(_ path: String, within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    let file = try begin(path, isWriting: true, within: seconds)
    return try body(file.raw)
  }

  static func bounded(_ seconds: Double) -> Double { seconds.isFinite ? max(0, min(3600, seconds)) : 3600 }

  /// Opens and locks a file, for as long as the descriptor is there.
  package static func begin(
    _ path: String, isWriting: Bool, within seconds: Double
  ) throws(FileCoordinationError) -> Descriptor {
    let deadline = MonotonicClock.now() + .seconds(bounded(seconds))
    while true {
      let file: Descriptor
      // A file descriptor of its own: locks of one open file do not keep each other out.
      let flags = (isWriting ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY
      do {
        file =
          ForeignPaths.contains(path)
          ? try Descriptor.open(withoutLinks: path, flags) : try Descriptor.open(path, flags)
      } catch {
        guard error.code == ELOOP else { throw FileCoordinationError.failed(error.sentence) }
        throw FileCoordinationError.failed("\(SafeText.displayable(path)): a link has taken its place")
      }
      guard PassedDescriptor.isSafe(file.raw, .file) else {
        throw FileCoordinationError.failed("\(SafeText.displayable(path)): not a regular file")
      }
      while clinux_try_lock(file.raw, isWriting ? 1 : 0) != 0 {
        let error = SystemError.last("fcntl", path)
        guard error.code == EAGAIN || error.code == EACCES || error.code == EINTR else {
          throw FileCoordinationError.failed(error.sentence)
        }
        guard MonotonicClock.now() < deadline else { throw FileCoordinationError.busy }
        // F_OFD_SETLKW knows no deadline.
        poll(nil, 0, 5)
      }
      // Whoever had the lock may have put another file in the place of this one.
      let isThere = ForeignPaths.contains(path) ? FileMark(ofPathWithoutLinks: path) : FileMark(ofPath: path)
      if isThere == FileMark.Known(file.raw)?.mark { return file }
      guard MonotonicClock.now() < deadline else { throw FileCoordinationError.busy }
    }
  }
}

extension OpenedFile {
  /// Reads the file, as it is now at its path, while nobody writes it. See `FileCoordination.read`.
  @discardableResult
  public func coordinateReading<T>(within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    if isOriginal { ForeignPaths.note(path) }
    return try FileCoordination.read(path, within: seconds, body)
  }

  /// Writes the file, as it is now at its path, while nobody reads or writes it. See `FileCoordination.write`.
  @discardableResult
  public func coordinateWriting<T>(within seconds: Double = 1, _ body: (Int32) throws -> T) throws -> T {
    if isOriginal { ForeignPaths.note(path) }
    return try FileCoordination.write(path, within: seconds, body)
  }
}
