import CarryModel
import CarrySystem
import CarryTransfers
import Synchronization

/// Coordination for a client's thread, which waits neither for other users of a file nor for a file system.
extension FileCoordination {
  /// Reads a file while nobody writes it, on a thread of its own. Call it on the client's thread.
  ///
  /// The completion receives the result or the error of the body, however long the body takes. Otherwise it receives
  /// a `FileCoordinationError`, and the body is never called: the file was in use for the whole time, it cannot be
  /// opened, or its file system has not responded for half a minute longer than `seconds`, to this call or to those
  /// before it. If the client is closed meanwhile it receives an error too, and a running body continues.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - client: calls the completion when it dispatches.
  ///   - seconds: how long to wait for a writer.
  ///   - body: called on the other thread, with a descriptor that is open for reading, at the file's beginning, until
  ///     it returns. At most four bodies run at a time for the files of one file system; the others queue.
  ///   - completion: called once, on the client's thread, and always after this function has returned. Not called if
  ///     the client was already closed.
  public static func read<T: Sendable>(
    _ path: String, client: Client, within seconds: Double = 1, _ body: @escaping @Sendable (Int32) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    client.transfers.access(path, isWriting: false, within: seconds, body, then: completion)
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
    client.transfers.access(path, isWriting: true, within: seconds, body, then: completion)
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

/// Decides whether a coordinated access begins: its thread claims it and begins, or the client claims it and abandons
/// it. A slow disk cannot be told from one that hangs, and a half-written file must not be reported as failed.
private final class Claim: Sendable {
  private let isMade = Atomic(false)

  /// - Returns: whether this is the first claim.
  func make() -> Bool { !isMade.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The result of an access. The thread holds it instead of the completion, which is released on the client's thread.
private final class Outcome<T: Sendable>: Sendable { let result = Mutex<Result<T, any Error>?>(nil) }

extension Transfers {
  /// The seconds added to the time limit for obtaining a file: the machine may be busy.
  static var patience: Double { Limits.transferSeconds }

  fileprivate func access<T: Sendable>(
    _ path: String, isWriting: Bool, within seconds: Double, _ body: @escaping @Sendable (CInt) throws -> T,
    then completion: @escaping (Result<T, any Error>) -> Void
  ) {
    guard !isOver else { return }
    let (claim, outcome, number) = (Claim(), Outcome<T>(), nextAccess)
    nextAccess += 1
    accesses[number] = { completion(outcome.result.withLock { $0.take() } ?? .failure($0)) }
    let work = BlockingWork(
      lookingAt: [Files.absolute(path)], for: .seconds(FileCoordination.bounded(seconds) + Self.patience),
      isQuiet: true, mayAbandon: claim.make
    ) {
      let result = Result {
        let file = try FileCoordination.begin(path, isWriting: isWriting, within: seconds)
        guard claim.make() else { throw FileCoordinationError.busy }
        return try body(file.raw)
      }
      outcome.result.withLock { $0 = result }
    } then: { [completions, weak self] ended in
      var why = ""
      if case .failure(let failure) = ended { why = "\(SafeText.displayable(path)): \(failure.why)" }
      let end = OnClientThread { [weak self, why] in self?.endAccess(number, why) }
      // Work that cannot begin fails before this function has returned.
      completions.add { end.value() }
    }
    aside.beginInTurn(work)
  }

  /// - Parameter why: the reason if the access has no result.
  func endAccess(_ number: Int, _ why: String) { accesses.removeValue(forKey: number)?(.failed(why)) }
}
