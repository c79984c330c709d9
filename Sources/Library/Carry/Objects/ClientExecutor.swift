import CLinux
import CarrySystem
import Synchronization

/// Runs an actor's code in a client's event loop, on the client's thread.
///
/// `Client.run(as:socket:_:)` and `ClientActor` have one already: a program needs an executor of its own only if it has an
/// event loop of its own, or several clients. Such a program makes a global actor of it, and sets the client's `executor`:
///
/// ```swift
/// @globalActor actor Desk {
///   static let shared = Desk()
///   static let executor = ClientExecutor()
///   nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
/// }
///
/// client.executor = Desk.executor
/// ```
///
/// Jobs wait while no client serves the executor, and while its client's loop does not turn. If jobs wait for a second and
/// no client serves the executor, a line on standard error says so.
public final class ClientExecutor: SerialExecutor {
  private struct State: ~Copyable {
    /// In the order in which they came.
    var jobs: [UnownedJob] = []
    /// The serving client's; nil while there is none.
    var queue: ClientQueue?
    /// Whether the queue has been told.
    var isAnnounced = false
    /// Whether a thread waits to warn of jobs that no client serves.
    var isWatched = false
  }

  private let state = Mutex(State())
  /// The client's thread; 0 while it is not known.
  private let thread = Atomic<UInt>(0)

  /// An executor that no client serves yet: give it to a client with `Client.executor`.
  public init() {}

  /// From any thread, by the runtime: has the client's loop run a job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (queue, isForgotten) = state.withLock { state -> (ClientQueue?, Bool) in
      state.jobs.append(job)
      let isForgotten = state.queue == nil && !state.isWatched
      if isForgotten { state.isWatched = true }
      return (Self.announce(&state), isForgotten)
    }
    wake(queue)
    if isForgotten { try? Worker.start { self.warnIfForgotten() } }
  }

  /// A program that forgets `client.executor` awaits for ever, and nothing else would say so.
  private func warnIfForgotten() {
    poll(nil, 0, 1000)
    let isForgotten = state.withLock {
      $0.isWatched = false
      return $0.queue == nil && !$0.jobs.isEmpty
    }
    if isForgotten {
      Warning.say("tasks wait for a ClientExecutor that no client serves: set client.executor, or use Client.run(as:)")
    }
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
  func serve(with queue: ClientQueue) {
    noteThread()
    let queue: ClientQueue? = state.withLock {
      $0.queue = queue
      $0.isAnnounced = false
      return Self.announce(&$0)
    }
    wake(queue)
  }

  /// Whether a client serves the executor now.
  var isServed: Bool { state.withLock { $0.queue != nil } }

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
  private static func announce(_ state: inout State) -> ClientQueue? {
    guard !state.jobs.isEmpty, !state.isAnnounced, let queue = state.queue else { return nil }
    state.isAnnounced = true
    return queue
  }

  private func wake(_ queue: ClientQueue?) {
    guard let queue else { return }
    queue.add { self.runAnnounced(by: queue) }
  }

  /// Jobs that another client serves by now are left to that client.
  private func runAnnounced(by queue: ClientQueue) {
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
