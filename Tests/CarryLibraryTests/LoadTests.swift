import CLinux
import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization
import CarryTesting
import Testing

@testable import Carry
@testable import CarryTransfers

/// A load ends once, with all that belongs to it. What reads is played by the test.
@Suite(.serialized) struct LoadTests {
  @Test("nothing is written into the caller's memory once the completion has run, whatever ended the load")
  func nothingIsWrittenAfterTheCompletion() throws {
    let transfers = try Transfers()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    var results: [Result<Int, LoadError>] = []
    let load = Load(transfers) { results.append($0) }
    load.start(nil, into: BufferSink(memory))
    let (hasWritten, goOn, hasEnded) = (Barrier(), Barrier(), Barrier())
    let wasCancelled = Shared(false)
    let isStarted = load.read { sink, transfer, _ in
      defer { hasEnded.open() }
      [1, 1].withUnsafeBytes { try? sink.append($0) }
      hasWritten.open()
      goOn.wait()
      wasCancelled.value = transfer.isCancelled
      return Result { try [7, 7].withUnsafeBytes { try sink.append($0) } }
        .map { 0 }.mapError { $0 as? LoadError ?? LoadError(.local, "\($0)") }
    }
    #expect(isStarted)
    hasWritten.wait()
    // As the engine's failed event does it, 30 s after a delivery.
    load.refuse(LoadError(.timedOut, "the source did not answer in time"))
    #expect(results.count == 1)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    goOn.open()
    #expect(wait { hasEnded.hasOpened })
    _ = turn(transfers) { true }
    #expect(memory.allSatisfy { $0 == 0 })
    #expect(wasCancelled.value)
    #expect(results.count == 1)
  }

  @Test("R2: sizes that a source has made up add up to a number, and to no end of the program")
  func R2_sizesThatAreTooLarge() throws {
    let transfers = try Transfers()
    let progress = SessionProgress()
    let loads = (0..<2).map { _ in Load(transfers, totalBytes: .max) { _ in } }
    for load in loads { progress.add(load) }
    #expect(progress.totalBytes == .max)
    for load in loads { load.cancel() }
    #expect(progress.totalBytes == .max && progress.isFinished)
  }

  @Test("R2: room is made once for what is to come, and not for what nobody could have")
  func R2_room() throws {
    for announced in [0, 3, 1_000_000, .max] {
      let sink = ByteSink(limit: 1 << 40)
      sink.expect(announced)
      for _ in 0..<4 { try Array(repeating: UInt8(7), count: 250_000).withUnsafeBytes { try sink.append($0) } }
      #expect(sink.removeAll() == Array(repeating: 7, count: 1_000_000), "\(announced)")
    }
  }

  @Test("R2: a file that is larger than all memory fails its load, and does not end the program")
  func R2_noMemory() throws {
    #expect(throws: LoadError.self) { try ByteSink(limit: .max).reserve(8_000_000_000_000_000_000) }
    try ByteSink(limit: .max).reserve(1 << 20)
  }

  @Test("R2: memory that grows as data comes holds all of it, however large the parts are") func R2_growing() throws {
    let sink = ByteSink(limit: 12_000_000)
    let part = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<11 { try part.withUnsafeBytes { try sink.append($0) } }
    #expect(throws: LoadError.self) { try part.withUnsafeBytes { try sink.append($0) } }
    let all = sink.removeAll()
    #expect(all.count == 11 * part.count)
    #expect((0..<11).allSatisfy { all[$0 * part.count..<($0 + 1) * part.count].elementsEqual(part) })
  }

  /// Takes what comes to memory, and keeps in mind on which threads it did.
  private final class Observer: MemorySink {
    let isMemory: Bool
    let bytes = ByteSink(limit: 1 << 20)
    private let client = pthread_self()
    private(set) var isElsewhere = false
    init(isMemory: Bool) { self.isMemory = isMemory }
    func expect(_ count: Int) { bytes.expect(count) }
    func reserve(_ count: Int) throws { try bytes.reserve(count) }
    func append(_ new: UnsafeRawBufferPointer) throws {
      if pthread_self() != client { isElsewhere = true }
      try bytes.append(new)
    }
    func fill(_ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? { nil }
    func finish() {}
    func abandon() {}
  }

  struct Little: Sendable {
    var count = 5
    var isSealed = true
    /// Bytes that it has beyond its size.
    var more = 0
    var isMemory = true
    var isReadAtOnce = false
  }

  @Test(
    "little memory that nobody can change is read at once; more of it, or for a stranger's code, by a thread",
    arguments: [
      Little(isReadAtOnce: true), Little(count: 64 * 1024, isReadAtOnce: true), Little(count: 64 * 1024 + 1),
      Little(isSealed: false), Little(more: 1 << 20), Little(isMemory: false),
    ])
  func littleIsReadAtOnce(_ little: Little) throws {
    let transfers = try Transfers()
    var result: Result<Int, LoadError>?
    let load = Load(transfers) { result = $0 }
    let sink = Observer(isMemory: little.isMemory)
    load.start(nil, into: sink)
    let bytes = (0..<little.count).map { UInt8(truncatingIfNeeded: $0) }
    let memory = Descriptor(owning: clinux_memfd_create("little"))
    #expect(bytes.withUnsafeBytes { write(memory.raw, $0.baseAddress, $0.count) } == bytes.count)
    #expect(little.more == 0 || clinux_reserve(memory.raw, off_t(little.more)) == 0)
    let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE
    if little.isSealed { #expect(clinux_add_seals(memory.raw, CInt(seals)) == 0) }
    load.receive(.memory(try memory.duplicate().release()))
    // Never before whoever loads has got the load.
    #expect(result == nil)
    #expect(turn(transfers) { result != nil })
    #expect(sink.isElsewhere == (little.isSealed && !little.isReadAtOnce))
    if little.isSealed {
      #expect(try result?.get() == bytes.count && load.completedBytes == bytes.count)
      #expect(sink.bytes.removeAll() == bytes)
    } else {
      #expect(throws: LoadError.self) { try result?.get() }
    }
  }

  @Test("a load that is cancelled when all of it has been read ends once") func cancelledWhenAllWasRead() throws {
    let transfers = try Transfers()
    var results: [Result<Int, LoadError>] = []
    let load = Load(transfers) { results.append($0) }
    load.start(nil, into: ByteSink(limit: 10))
    load.receive(.memory(try SealedMemory.make([1, 2, 3]).release()))
    load.cancel()
    #expect(results.count == 1)
    _ = turn(transfers) { true }
    #expect(results.count == 1)
    #expect(throws: LoadError.self) { try results[0].get() }
  }

  @Test("R3: a load that the user cancels at the engine ends, though its source's data is being read")
  func R3_cancelledAtTheEngine() throws {
    let transfers = try Transfers()
    var result: Result<Int, LoadError>?
    var isCancelled = false
    let load = Load(transfers) { result = $0 }
    load.cancellationHandler = { isCancelled = true }
    let (wire, provision) = WireLoad.local()
    load.start(wire, into: ByteSink(limit: 10))
    let never = try Pipe()
    wire.deliver(.delivery(.stream(try never.read.duplicate().release())))
    wire.deliver(.delivery(.failed(code: LoadError.Code.cancelled.rawValue, message: "the user cancelled it")))
    #expect(throws: LoadError.self) { try result?.get() }
    #expect(result != nil && isCancelled && load.isFinished)
    withExtendedLifetime(provision) {}
  }

  @Test("cancelling returns at once though a read never does, and nothing is left of the load but its thread")
  func cancellingReturnsAtOnce() throws {
    let transfers = try Transfers()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    defer { memory.deallocate() }
    var result: Result<Int, LoadError>?
    let load = Load(transfers) { result = $0 }
    load.start(nil, into: BufferSink(memory))
    let (isReading, never) = (Barrier(), Barrier())
    _ = load.read { _, _, _ in
      isReading.open()
      never.wait()
      return .success(0)
    }
    isReading.wait()
    load.cancel()
    #expect(throws: LoadError.self) { try result?.get() }
    never.open()
  }

  /// Begins a load whose thread waits, and cancels it.
  ///
  /// - Parameters:
  ///   - pipe: the thread ends when it gets a byte of it.
  ///   - ended: counts the threads that have ended.
  private func beginAndCancel(
    _ transfers: Transfers, until pipe: CInt, _ ended: Count
  ) -> (started: Bool, error: LoadError?) {
    var error: LoadError?
    let load = Load(transfers) { if case .failure(let e) = $0 { error = e } }
    load.start(nil, into: ByteSink(limit: 10))
    let started = load.read { _, _, _ in
      var byte: UInt8 = 0
      _ = read(pipe, &byte, 1)
      ended.add()
      return .success(0)
    }
    if started { load.cancel() }
    return (started, error)
  }

  @Test("so many threads may be stuck in reads that do not return, and no more")
  func stuckThreadsAreBounded() throws {
    let transfers = try Transfers()
    let never = try Pipe()
    let ended = Count()
    let end = never.read.raw
    func begin() -> (started: Bool, error: LoadError?) { beginAndCancel(transfers, until: end, ended) }
    // A thread of another test may be about to end.
    for _ in 0..<Limits.abandonedReaders { #expect(wait { begin().started }) }
    let refused = begin()
    #expect(!refused.started)
    #expect(refused.error?.code == .local)
    #expect(refused.error?.description.contains("transfers that were given up") == true)
    let all = [UInt8](repeating: 0, count: 1000)
    #expect(write(never.write.raw, all, all.count) == all.count)
    #expect(wait { ended.value == Limits.abandonedReaders })
    // They have ended, or are about to: then there is room again.
    #expect(wait { begin().started })
  }

  @Test("a load of which nothing comes for too long ends, though its thread waits for ever")
  func aRestingLoadEnds() throws {
    let transfers = try Transfers()
    var error: LoadError?
    let load = Load(transfers) { if case .failure(let e) = $0 { error = e } }
    load.patience = .milliseconds(50)
    load.start(nil, into: ByteSink(limit: 10))
    let never = try Pipe()
    load.receive(.stream(try never.read.duplicate().release()))
    #expect(turn(transfers) { error != nil })
    #expect(error?.code == .timedOut)
  }

  @Test("Z9: a load without an engine ends, too, when its source hands nothing over, and the source hears it")
  func Z9_aSilentSource() throws {
    let client = try Client(awaitingEngineAs: "test", socket: "/nonexistent/socket")
    let provider = ItemProvider()
    var request: ItemRequest?
    provider.registerRequests(forType: "application/x-never") { request = $0 }
    provider.loadingClient = client
    var error: LoadError?
    let load = provider.loadDataRepresentation(forType: "application/x-never") {
      if case .failure(let e) = $0 { error = e }
    }
    let deadline = try #require(load.deadline)
    request?.reportProgress()
    #expect(try #require(load.deadline) > deadline)
    load.patience = .milliseconds(50)
    client.transfers.watch()
    #expect(turn(client.transfers) { error != nil })
    #expect(error?.code == .timedOut && request?.isCancelled == true)
  }

  @Test("a load whose data came while another's completion kept the application busy succeeds")
  func behindALongCompletion() throws {
    let transfers = try Transfers()
    var results: [Result<Int, LoadError>] = []
    let other = Load(transfers) { results.append($0) }
    other.start(nil, into: ByteSink(limit: 10))
    let load = Load(transfers) {
      results.append($0)
      // Its data arrives in this completion, which is longer than its patience.
      other.receive(.memory((try? SealedMemory.make([1, 2]).release()) ?? -1))
      other.patience = .zero
    }
    load.start(nil, into: ByteSink(limit: 10))
    load.receive(.memory(try SealedMemory.make([1]).release()))
    transfers.completions.run()
    transfers.watch()
    #expect(results.count == 2 && results.allSatisfy { (try? $0.get()) != nil }, "\(results)")
  }

  @Test("Z9: what has come while the application was busy is had, whatever else is loaded then")
  func Z9_aBusyApplication() throws {
    let client = try Client(awaitingEngineAs: "test", socket: "/nonexistent/socket")
    let provider = ItemProvider()
    provider.registerRequests(forType: "application/x-now") { $0.answer(.success(.data([1]))) }
    provider.loadingClient = client
    var results: [Result<[UInt8], LoadError>] = []
    let load = provider.loadDataRepresentation(forType: "application/x-now") { results.append($0) }
    // It is long ago by now.
    load.patience = .zero
    provider.loadDataRepresentation(forType: "application/x-now") { results.append($0) }
    #expect(results.isEmpty, "completions are called later")
    #expect(turn(client.transfers) { results.count == 2 })
    #expect(results.allSatisfy { (try? $0.get()) == [1] })
  }
}
