import Synchronization

/// What tasks wait at until the client's thread lets them pass.
///
/// A continuation would not do: the runtime resumes a continuation's task on a thread of its pool, from where the task
/// comes back to its actor. A task that changes to an actor is handed to that actor's executor and nobody else. So tasks
/// change to this actor, whose executor keeps them, and go back to their own from the thread that opens the gate.
actor Gate {
  private nonisolated let executor: GateExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter completions: of the client, whose thread opens the gate.
  init(_ completions: CompletionQueue) { executor = GateExecutor(completions) }

  /// Returns once the gate is open.
  func pass() {}

  /// On the client's thread. What waits goes on, each task on its own executor, and not before this returns.
  nonisolated func open() { executor.open() }
}

private final class GateExecutor: SerialExecutor {
  private struct State: ~Copyable {
    var isOpen = false
    var waiting: [UnownedJob] = []
  }

  private let state = Mutex(State())
  private let completions: CompletionQueue

  init(_ completions: CompletionQueue) { self.completions = completions }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(job) }
      return state.isOpen
    }
    // Whoever comes late comes from another thread.
    if isOpen { completions.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  func open() {
    let jobs = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}
