import CarryModel
import CarrySystem

/// Coordination for a client's thread, which does not wait for others, nor for a file system that does not answer.
extension FileCoordination {
  /// How long a body may take once the file is its own.
  private static let patience = Limits.transferSeconds

  /// Reads a file while nobody writes it, on a thread of its own.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - client: calls the completion when it dispatches, on its thread.
  ///   - seconds: how long to wait for a writer.
  ///   - body: called on the other thread, with a descriptor that is open for reading, at the file's beginning, until it
  ///     returns.
  ///   - completion: gets what the body returns or throws, or a `FileCoordinationError`: also when all of it has taken half a
  ///     minute longer than `seconds`, and then nothing more is done at the files of that folder until the body has returned.
  public static func read<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) { run(path, client, within: seconds, isWriting: false, body, completion) }

  /// Writes a file while nobody reads or writes it, on a thread of its own. See `read`; what takes too long may still be
  /// written later.
  public static func write<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) { run(path, client, within: seconds, isWriting: true, body, completion) }

  private static func run<T: Sendable>(
    _ path: String, _ client: Client, within seconds: Double, isWriting: Bool,
    _ body: @escaping @Sendable (Int32) throws -> T, _ completion: @escaping (Result<T, any Error>) -> Void
  ) {
    let late = FileCoordinationError.failed("\(SafeText.displayable(path)): its file system does not answer")
    let isBegun = client.runAside(lookingAt: [path], for: .seconds(bounded(seconds) + patience), isQuiet: true) {
      Result {
        let file = try begin(path, isWriting: isWriting, within: seconds)
        return try body(file.raw)
      }
    } then: { result in
      completion(result ?? .failure(late))
    }
    // Nobody is called back before the function has returned.
    guard !isBegun else { return }
    let back = OnClientThread(completion)
    client.transfers.completions.add { back.value(.failure(late)) }
  }
}

extension OpenedFile {
  /// Reads the file, as it is now at its path, while nobody writes it, on a thread of its own. See `FileCoordination.read`.
  public func coordinateReading<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) { FileCoordination.read(path, client: client, within: seconds, body, then: completion) }

  /// Writes the file, as it is now at its path, while nobody reads or writes it, on a thread of its own. See
  /// `FileCoordination.write`.
  public func coordinateWriting<T: Sendable>(
    client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) { FileCoordination.write(path, client: client, within: seconds, body, then: completion) }
}
