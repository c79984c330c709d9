import CarrySystem

/// The actor of a program that `Client.run(as:socket:_:)` runs: its code runs in the client's event loop, on the thread that
/// called `run`. Mark the program's delegates with it; they are then called as the actor's own code, and their tasks
/// continue on the same thread.
///
/// ```swift
/// @ClientActor final class Tray: @ClientActor DropInteractionDelegate { … }
/// ```
@globalActor public actor ClientActor {
  /// The one instance.
  public static let shared = ClientActor()
  /// Serves the client that `Client.run(as:socket:_:)` has made.
  static let executor = ClientExecutor()
  /// The executor of the client that runs.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}

extension Client {
  /// Runs a program that awaits its loads: makes a client that waits for engines, runs `program` on `ClientActor`, and turns
  /// the client's event loop on the calling thread until `program` returns.
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() throws {
  ///     try Client.run(as: "Tray") { client in
  ///       let tray = Tray(client)
  ///       try client.run(alsoWatching: tray.connection) { tray.handleEvents() }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// A program that has another descriptor to watch, such as that of its X connection, ends with `client.run(alsoWatching:_:)`,
  /// as this one does; any other ends with `client.run()`, or awaits what it needs. The client is closed at the end.
  ///
  /// - Parameters:
  ///   - name: the application's name as people see it in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  ///   - program: all of the program that has to do with the client.
  /// - Throws: what `program` throws, and `ClientError` if the client cannot be made, its connection is lost for an offence, or
  ///   another program runs in this process in this way.
  public static func run(
    as name: String, socket: String? = nil, _ program: @escaping @ClientActor (Client) async throws -> Void
  ) throws {
    guard !ClientActor.executor.isServed else { throw ClientError("Client.run(as:) runs already in this process") }
    let client = try Client(awaitingEngineAs: name, socket: socket)
    defer { client.close() }
    client.executor = ClientActor.executor
    let run = OnClientThread(Run(client, program))
    Task { @ClientActor in await run.value.start() }
    // The program begins here, on this thread, and may run the loop by itself.
    ClientActor.executor.runPending()
    while run.value.outcome == nil { try client.run() }
    try run.value.outcome?.get()
  }

  /// A program and how it ended; nil while it runs.
  private final class Run {
    private let client: Client
    private let program: @ClientActor (Client) async throws -> Void
    private(set) var outcome: Result<Void, any Error>?

    init(_ client: Client, _ program: @escaping @ClientActor (Client) async throws -> Void) {
      (self.client, self.program) = (client, program)
    }

    @ClientActor func start() async {
      do {
        try await program(client)
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      client.stop()
    }
  }
}
