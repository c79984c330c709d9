import Synchronization

/// A gate at which tasks wait until the client's thread opens it.
///
/// A continuation would not do: the runtime resumes its task on a thread of its pool, from where the task returns to
/// its actor. A task that switches to an actor, however, is enqueued on that actor's executor only. Tasks therefore
/// switch to this actor, whose executor keeps them, and return to their own actor from the thread that opens the
/// gate.
actor Gate {
  private nonisolated let executor: GateExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter completions: the queue of the client whose thread opens the gate.
  init(_ completions: ClientQueue) { executor = GateExecutor(completions) }

  /// Returns once the gate is open.
  func pass() {}

  /// Opens the gate, on the client's thread. Waiting tasks continue, each on its own executor, after this has
  /// returned.
  nonisolated func open() { executor.open() }
}

private final class GateExecutor: SerialExecutor {
  private struct State: ~Copyable {
    var isOpen = false
    var waiting: [UnownedJob] = []
  }

  private let state = Mutex(State())
  private let completions: ClientQueue

  init(_ completions: ClientQueue) { self.completions = completions }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(job) }
      return state.isOpen
    }
    // A task that arrives later is on another thread.
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
