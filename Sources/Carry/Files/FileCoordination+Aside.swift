import CarrySystem

/// Coordination for a client's thread, which does not wait for others, nor for a file system that does not answer.
extension FileCoordination {
  /// Reads a file while nobody writes it, on a thread of its own. On the client's thread.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - client: calls the completion when it dispatches.
  ///   - seconds: how long to wait for a writer.
  ///   - body: called on the other thread, with a descriptor that is open for reading, at the file's beginning, until it
  ///     returns. Eight bodies run at a time for the files of one file system; the others stand in line.
  ///   - completion: called once, unless the client has been closed before, on the client's thread and never before this function has returned. It gets what the body returns
  ///     or throws; however long the body takes, it is waited for. Or it gets a `FileCoordinationError`, and the body was not
  ///     called and will not be: others were at the file for the whole time, the file cannot be opened, its file system has
  ///     not answered for half a minute longer than `seconds`, or none of those before it in line has ended for so long. When the client is closed meanwhile it gets one, too, and a
  ///     body that runs goes on.
  public static func read<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.sharedFiles.begin(
      path, on: MountPoints.now.device(of: Files.absolute(path)), isWriting: false, within: seconds, body,
      then: completion)
  }

  /// Writes a file while nobody reads or writes it, on a thread of its own. On the client's thread; see `read`.
  ///
  /// What is under way when the program ends is written in part: end the program when the completion has been called.
  public static func write<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.sharedFiles.begin(
      path, on: MountPoints.now.device(of: Files.absolute(path)), isWriting: true, within: seconds, body,
      then: completion)
  }
}

extension OpenedFile {
  /// Reads the file, as it is now at its path, while nobody writes it, on a thread of its own. On the client's thread; see
  /// `FileCoordination.read`.
  public func coordinateReading<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.sharedFiles.begin(
      path, on: place(), isWriting: false, within: seconds, body, then: completion)
  }

  /// Writes the file, as it is now at its path, while nobody reads or writes it, on a thread of its own. On the client's thread;
  /// see `FileCoordination.write`.
  public func coordinateWriting<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.sharedFiles.begin(
      path, on: place(), isWriting: true, within: seconds, body, then: completion)
  }

  /// The number of its file system. The path is remembered anew.
  private func place() -> UInt {
    if isOriginal { ForeignPaths.note(path) }
    return MountPoints.now.device(of: path)
  }
}
