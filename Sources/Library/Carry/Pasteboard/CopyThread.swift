import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// An item whose data is there already: it can be handed to another thread.
struct ReadyItem: Sendable {
  enum Representation: Sendable {
    case bytes([UInt8])
    case file(path: String, ItemProvider.FileOptions)
  }

  var name: String?
  var representations: [(type: String, content: Representation)]
  /// Whether an existing file or folder is all that there is.
  var isOfFile: Bool
}

/// Serves copied items from a thread of its own, because the application's thread may be the one that waits for them: Qt
/// reads the clipboard without returning to its loop, also if this very program owns it.
///
/// The thread has a client without an engine, with a pasteboard. Methods are called on the application's thread.
final class CopyThread {
  private let queue: ClientQueue
  private let server: OnClientThread<Client>
  private let process = getpid()
  private var isClosed = false

  /// - Parameters:
  ///   - displayName: the X display's name; nil for the one in the environment.
  ///   - onReplaced: called on the thread.
  init(_ name: String, displayName: String?, onReplaced: @escaping @Sendable () -> Void) throws {
    let client = try Client(servingPasteboardOf: name)
    client.pasteboard.isOfThread = true
    client.pasteboard.displayName = displayName
    client.pasteboard.onReplaced = onReplaced
    queue = client.transfers.completions
    server = OnClientThread(client)
    try Worker.start(isUrgent: true) { [server] in try? server.value.run() }
  }

  deinit {
    // A queue that nobody runs any more would keep the client for ever.
    if isClosed || !isOfThisProcess { return }
    queue.add { [server] in server.value.stop() }
  }

  /// Copies items.
  ///
  /// - Returns: the window that owns the clipboard.
  func copy(_ items: [ReadyItem]) throws(ClientError) -> UInt32 {
    try call { client throws(ClientError) in
      try client.pasteboard.setItemProviders(items.map { ItemProvider($0) })
      return try client.pasteboard.connect().window
    }.get()
  }

  /// Empties the clipboard, if it belongs to the thread.
  func disown() { _ = call { client throws(ClientError) in try client.pasteboard.setItemProviders([]) } }

  /// See `Pasteboard.saveToClipboardManager`.
  func saveToClipboardManager(seconds: Double) -> Bool {
    let result = call { client throws(ClientError) in client.pasteboard.saveToClipboardManager(seconds: seconds) }
    return (try? result.get()) == true
  }

  /// Ends the thread.
  func close() {
    isClosed = true
    _ = call { client throws(ClientError) in client.close() }
  }

  /// Whether the thread runs in this process: a child that was forked has none.
  var isOfThisProcess: Bool { process == getpid() }

  private final class Answer<T: Sendable>: Sendable {
    let result = Mutex<Result<T, ClientError>?>(nil)
    /// Readable once there is a result.
    let event: Descriptor

    init() throws(SystemError) {
      event = Descriptor(owning: try check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC)) })
    }

    func set(_ new: Result<T, ClientError>) {
      result.withLock { $0 = new }
      var one: UInt64 = 1
      _ = write(event.raw, &one, 8)
    }
  }

  /// Runs a function on the thread, and waits for it.
  private func call<T: Sendable>(
    _ body: @escaping @Sendable (Client) throws(ClientError) -> T
  ) -> Result<T, ClientError> {
    guard isOfThisProcess else { return .failure(ClientError("a forked process cannot use the client of its parent")) }
    let answer: Answer<T>
    do { answer = try Answer() } catch { return .failure(ClientError(error.sentence)) }
    queue.add { [server] in
      do throws(ClientError) { answer.set(.success(try body(server.value))) } catch { answer.set(.failure(error)) }
    }
    var isDone = pollfd(fd: answer.event.raw, events: Int16(POLLIN), revents: 0)
    // The thread itself waits for the X server at most.
    poll(&isDone, 1, Self.patience)
    return answer.result.withLock { $0 } ?? .failure(ClientError("the clipboard's thread does not answer"))
  }

  private static let patience: CInt = 30_000
}
