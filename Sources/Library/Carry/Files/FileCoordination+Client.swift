import CarrySystem

/// Coordination for a client's thread, which waits neither for other users of a file nor for a file system.
extension FileCoordination {
  /// Reads a file while nobody writes it, on a thread of its own. Call it on the client's thread.
  ///
  /// The completion receives the result or the error of the body, however long the body takes. Otherwise it receives
  /// a `FileCoordinationError`, and the body is never called: the file was in use for the whole time, it cannot be
  /// opened, its file system has not responded for half a minute longer than `seconds`, or no earlier call in the
  /// queue has ended for that long. If the client is closed meanwhile it receives an error too, and a running body
  /// continues.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - client: calls the completion when it dispatches.
  ///   - seconds: how long to wait for a writer.
  ///   - body: called on the other thread, with a descriptor that is open for reading, at the file's beginning, until
  ///     it returns. At most eight bodies run at a time for the files of one file system; the others queue.
  ///   - completion: called once, on the client's thread, and always after this function has returned. Not called if
  ///     the client was already closed.
  public static func read<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.sharedFiles.begin(
      path, on: MountPoints.now.device(of: Files.absolute(path)), isWriting: false, within: seconds, body,
      then: completion)
  }

  /// Writes a file while nobody reads or writes it, on a thread of its own. Call it on the client's thread; see
  /// `read`.
  ///
  /// A program that ends during the write leaves the file partially written: end it after the completion has been
  /// called.
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
  /// Reads the file, as it is now at its path, while nobody writes it, on a thread of its own. Call it on the
  /// client's thread; see `FileCoordination.read`.
  public func coordinateReading<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    FileCoordination.read(path, client: client, within: seconds, body, then: completion)
  }

  /// Writes the file, as it is now at its path, while nobody reads or writes it, on a thread of its own. Call it on
  /// the client's thread; see `FileCoordination.write`.
  public func coordinateWriting<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    FileCoordination.write(path, client: client, within: seconds, body, then: completion)
  }

}
