import CLinux
import Synchronization

/// Runs an actor's code in a client's loop, on the client's own thread: what the actor awaits comes back there, and
/// nothing hops from thread to thread. Delegates that belong to the actor are called as its own code.
///
/// A global actor is the usual form. All of the program that has to do with the client belongs to it:
///
/// ```swift
/// @globalActor actor Desk {
///   static let shared = Desk()
///   static let executor = ClientExecutor()
///   nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
/// }
///
/// @Desk final class Pinboard: @Desk DropInteractionDelegate {
///   func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
///     let card = session.items[0].itemProvider.loadObject(of: VCard.self)
///     Task { show(try await card.value) }
///   }
///   …
/// }
///
/// Task { @Desk in try start() }   // makes the client, says client.executor = Desk.executor, and runs it
/// Desk.executor.runPending()
/// ```
///
/// Jobs wait while no client serves the executor, and while its client's loop does not turn.
public final class ClientExecutor: SerialExecutor {
  private struct State: ~Copyable {
    /// In the order in which they came.
    var jobs: [UnownedJob] = []
    /// The serving client's; nil while there is none.
    var queue: CompletionQueue?
    /// Whether the queue has been told.
    var isAnnounced = false
  }

  private let state = Mutex(State())
  /// The client's thread; 0 while it is not known.
  private let thread = Atomic<UInt>(0)

  /// An executor that no client serves yet: give it to a client with `Client.executor`.
  public init() {}

  /// From any thread, by the runtime: has the client's loop run a job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let queue: CompletionQueue? = state.withLock {
      $0.jobs.append(job)
      return Self.announce(&$0)
    }
    wake(queue)
  }

  /// Runs the jobs that wait now, on the calling thread, which is the client's: for what begins before there is a
  /// client, or a loop.
  public func runPending() {
    noteThread()
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      state.isAnnounced = false
      return state.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Whether the calling thread is the client's, so that the code of an actor with this executor may run on it.
  public func isIsolatingCurrentContext() -> Bool? { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Traps on any other thread than the client's.
  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this is not the thread of the client that serves the executor")
  }

  // MARK: The client

  /// The loop turns on this thread.
  func noteThread() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

  /// A client begins to run the jobs, in its loop.
  func serve(with queue: CompletionQueue) {
    noteThread()
    let queue: CompletionQueue? = state.withLock {
      $0.queue = queue
      $0.isAnnounced = false
      return Self.announce(&$0)
    }
    wake(queue)
  }

  /// The client goes, or takes another executor. Jobs wait from now on.
  func leave() {
    state.withLock {
      $0.queue = nil
      $0.isAnnounced = false
    }
  }

  /// Runs what the client has woken, and what that wakes, for when no other turn of the loop may come. A job that comes
  /// back again and again is not waited for.
  func runWoken() {
    guard let queue = state.withLock({ $0.queue }) else { return }
    for _ in 0..<64 {
      queue.run()
      runPending()
      if queue.isEmpty, state.withLock({ $0.jobs.isEmpty }) { return }
    }
  }

  /// - Returns: the queue to tell that there are jobs.
  private static func announce(_ state: inout State) -> CompletionQueue? {
    guard !state.jobs.isEmpty, !state.isAnnounced, let queue = state.queue else { return nil }
    state.isAnnounced = true
    return queue
  }

  private func wake(_ queue: CompletionQueue?) {
    guard let queue else { return }
    queue.add { self.runAnnounced(by: queue) }
  }

  /// Jobs that another client serves by now are left to that client.
  private func runAnnounced(by queue: CompletionQueue) {
    if state.withLock({ $0.queue === queue }) { runPending() }
  }
}

extension Client {
  /// The executor whose jobs this client's loop runs, from within `dispatch()`. One is made when it is asked for;
  /// programs that have none, and await nothing, do without. An executor serves with one client at a time.
  public var executor: ClientExecutor {
    get {
      if let ownExecutor { return ownExecutor }
      let made = ClientExecutor()
      self.executor = made
      return made
    }
    set {
      guard newValue !== ownExecutor else { return }
      ownExecutor?.leave()
      ownExecutor = newValue
      newValue.serve(with: transfers.completions)
    }
  }
}
