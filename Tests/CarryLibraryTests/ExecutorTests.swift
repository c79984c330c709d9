import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import Carry
@testable import CarryTransfers

/// All of a program that has to do with its client.
@globalActor actor Desk {
  static let shared = Desk()
  static let executor = ClientExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}

/// An actor whose executor no client serves.
@globalActor actor Forgotten {
  static let shared = Forgotten()
  static let executor = ClientExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}

/// Z28: what is awaited comes back in the client's loop.
@Suite(.serialized) struct ExecutorTests {
  private struct Thread: Equatable, Sendable {
    let number = UInt(pthread_self())
  }

  private func client() throws -> Client {
    try Client(awaitingEngineAs: "executor", socket: "/tmp/carry-no-engine-\(getpid())")
  }

  /// Turns the client's loop until something holds.
  private func run(_ client: Client, until condition: () -> Bool) -> Bool {
    let end = MonotonicClock.now() + .seconds(20)
    while !condition() {
      if MonotonicClock.now() > end { return false }
      var p = pollfd(fd: client.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&p, 1, 100)
      try? client.dispatch()
    }
    return true
  }

  @Test("Z28: an actor's jobs run in the client's loop, on its thread, in their order") func Z28_inTheLoop() throws {
    let client = try client()
    defer { client.close() }
    let here = Thread()
    let seen = Shared<[Int]>([])
    let threads = Shared<[Thread]>([])
    for i in 0..<3 {
      Task { @Desk in
        seen.value.append(i)
        threads.value.append(Thread())
        Task {
          seen.value.append(i + 10)
          threads.value.append(Thread())
        }
      }
    }
    // Nobody serves it yet, although a loop turns.
    try? client.dispatch()
    #expect(seen.value.isEmpty)
    client.executor = Desk.executor
    #expect(seen.value.isEmpty)
    #expect(run(client) { seen.value.count == 6 })
    #expect(seen.value == [0, 1, 2, 10, 11, 12])
    #expect(threads.value == Array(repeating: here, count: 6))
  }

  @Test("Z28: tasks that wait for an executor without a client are said") func Z28_forgotten() {
    let forgotten = Forgotten.executor
    Task { @Forgotten in }
    #expect(
      Wait.until(seconds: 20) {
        Warning.sentences.contains { $0.hasPrefix("tasks wait for a ClientExecutor that no client serves") }
      })
    forgotten.runPending()
  }

  @Test("Z28: one call runs a program that awaits: in its loop, on the caller's thread, to its end")
  func Z28_runAs() throws {
    let here = Thread()
    let seen = Shared<[Thread]>([])
    func run(_ program: @escaping @ClientActor (Client) async throws -> Void) throws {
      try Client.run(as: "executor", socket: "/tmp/carry-no-engine-\(getpid())", program)
    }
    try run { client in
      // A program with a loop of its own to run.
      let load = Load(client.transfers) { _ in }
      Task {
        seen.value.append(Thread())
        client.stop()
      }
      try client.run()
      // And one that only awaits.
      await Task.yield()
      seen.value.append(Thread())
      withExtendedLifetime(load) {}
      #expect(throws: ClientError.self) { try run { _ in } }
    }
    #expect(seen.value == [here, here])
    #expect(throws: LoadError.self) { try run { _ in throw LoadError(.local, "no") } }
  }

  @Test("Z28: what begins before there is a loop runs when it is told to") func Z28_beforeThereIsALoop() {
    let seen = Shared(0)
    Task { @Desk in seen.value += 1 }
    #expect(seen.value == 0)
    Desk.executor.runPending()
    #expect(seen.value == 1)
  }

  @Test("Z28: the client's thread is known, and no other is taken for it") func Z28_theThreadIsKnown() throws {
    let client = try client()
    defer { client.close() }
    client.executor = Desk.executor
    try client.dispatch()
    #expect(Desk.executor.isIsolatingCurrentContext() == true)
    let other = Shared<Bool?>(nil)
    let isOver = Barrier()
    try Worker.start {
      other.value = Desk.executor.isIsolatingCurrentContext()
      isOver.open()
    }
    isOver.wait()
    #expect(other.value == false)
    // A delegate, which is called outside of any job, is the actor's own code.
    Desk.shared.assumeIsolated { _ in }
  }

  @Test("Z28: a client that nobody asked for an executor has none") func Z28_whoDoesNotUseItDoesNotPay() throws {
    let client = try client()
    defer { client.close() }
    try client.dispatch()
    #expect(client.ownExecutor == nil)
    #expect(client.executor === client.executor)
  }

  /// Stands for the runtime's pool, and counts what goes by one of its threads.
  private final class Pool: TaskExecutor {
    let jobs = Count()

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.add()
      let job = UnownedJob(job)
      try? Worker.start { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// A load that the test ends, and what becomes of it at the desk.
  private final class Awaited: @unchecked Sendable {
    let transfers: Transfers
    let pool = Pool()
    var load: Load?
    var result: Result<Int, LoadError>?
    /// Where the value was there, and how often it went by another thread to get there.
    var thread: Thread?
    var detours = 0
    private(set) var task: Task<Void, Never>?

    init(_ transfers: Transfers) {
      self.transfers = transfers
      task = Task(executorPreference: pool) { await self.run() }
    }

    @Desk private func run() async {
      let task = LoadTask<Int>(transfers.completions) { finish in
        let load = Load(transfers) { finish($0) }
        load.start(nil, into: ByteSink(limit: 10))
        self.load = load
        return load
      }
      let before = pool.jobs.value
      do throws(LoadError) { result = .success(try await task.value) } catch { result = .failure(error) }
      detours = pool.jobs.value - before
      thread = Thread()
    }
  }

  private func begin(_ client: Client) -> Awaited {
    let awaited = Awaited(client.transfers)
    #expect(run(client) { awaited.load != nil })
    return awaited
  }

  @Test("Z28: a load is awaited, and its value comes on the client's thread, by no other") func Z28_aLoadIsAwaited()
    throws
  {
    let client = try client()
    defer { client.close() }
    client.executor = Desk.executor
    let awaited = begin(client)
    // A task that prefers an executor takes several turns to where it waits.
    for _ in 0..<20 { try client.dispatch() }
    #expect(awaited.result == nil)
    awaited.load?.handle(.ended(.success(7)))
    // Never from within the load's end, as completions are.
    #expect(awaited.result == nil)
    #expect(run(client) { awaited.thread != nil })
    #expect(try awaited.result?.get() == 7 && awaited.thread == Thread() && awaited.detours == 0)
  }

  @Test("Z28: a load that ends while a task is on its way to wait for it is not waited for") func Z28_onTheWay() throws
  {
    let client = try client()
    defer { client.close() }
    client.executor = Desk.executor
    for turns in 0..<6 {
      let awaited = begin(client)
      for _ in 0..<turns { try client.dispatch() }
      awaited.load?.handle(.ended(.success(turns)))
      #expect(run(client) { awaited.thread != nil }, "\(turns)")
    }
  }

  @Test("Z28, R3: a task that is cancelled while it waits cancels its load") func Z28_R3_aTaskIsCancelled() throws {
    let client = try client()
    defer { client.close() }
    client.executor = Desk.executor
    let awaited = begin(client)
    // The cancellation may come from anywhere.
    try Worker.start { awaited.task?.cancel() }
    #expect(run(client) { awaited.result != nil })
    #expect(throws: LoadError.self) { try awaited.result?.get() }
    #expect(awaited.load?.isFinished == true)
  }

  @Test("Z28: a client that closes ends what is awaited; jobs that come later wait for another client")
  func Z28_close() throws {
    let first = try client()
    first.executor = Desk.executor
    let awaited = begin(first)
    #expect(awaited.result == nil)
    first.close()
    #expect(throws: LoadError.self) { try awaited.result?.get() }
    #expect(awaited.thread == Thread())
    let seen = Shared(0)
    Task { @Desk in seen.value += 1 }
    #expect(seen.value == 0)
    let second = try client()
    defer { second.close() }
    second.executor = Desk.executor
    #expect(run(second) { seen.value == 1 })
  }

  @Test("Z28: events wait for whoever awaits them, moves as one, and end with their session") func Z28_events() throws {
    let client = try client()
    defer { client.close() }
    client.executor = Desk.executor
    let hub = EventHub<Int>(client.transfers.completions)
    let sequences = Shared([hub.makeSequence(), hub.makeSequence()])
    let (first, second) = (Shared<[Int]>([]), Shared<[Int]>([]))
    let ends = Shared(0)
    for i in 1...3 { hub.send(7, isMove: i > 1) }
    let listeners = [first, second].enumerated().map { i, seen in
      Task { @Desk in
        for await event in sequences.value[i] { seen.value.append(event) }
        ends.value += 1
      }
    }
    #expect(run(client) { second.value == [7, 7] })
    #expect(first.value == [7, 7])
    hub.send(1)
    try client.dispatch()
    #expect(first.value == [7, 7, 1] && second.value == first.value)
    // Who listens no more hears no more.
    listeners[1].cancel()
    #expect(run(client) { ends.value == 1 })
    hub.send(2)
    hub.finish()
    #expect(run(client) { ends.value == 2 })
    #expect(first.value == [7, 7, 1, 2] && second.value == [7, 7, 1])
    // One that nobody awaits keeps no more than it may, and one that comes late has nothing.
    let many = EventHub<Int>(client.transfers.completions)
    let kept = Shared(many.makeSequence())
    for i in 0..<5000 { many.send(i) }
    many.finish()
    let late = Shared(many.makeSequence())
    let rest = Shared<[Int]>([])
    Task { @Desk in
      for await event in kept.value { rest.value.append(event) }
      for await event in late.value { rest.value.append(event) }
      ends.value += 1
    }
    #expect(run(client) { ends.value == 3 })
    #expect(rest.value == Array(4000..<5000))
  }
}
