import CLinux
import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization
import Testing

@testable import Carry

/// A load ends once, with all that belongs to it. What reads is played by the test.
@Suite(.serialized) struct LoadTests {
  @Test("C1, M13: nothing is written into the caller's memory once the completion has run, whatever ended the load")
  func C1_M13_nothingIsWrittenAfterTheCompletion() throws {
    let transfers = try Transfers()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    var results: [Result<Int, LoadError>] = []
    let load = Load(transfers) { results.append($0) }
    load.begin(into: BufferSink(memory))
    let (hasWritten, goOn, hasEnded) = (Barrier(), Barrier(), Barrier())
    let wasCancelled = Shared(false)
    let isStarted = load.receive { sink, transfer, _ in
      defer { hasEnded.open() }
      [1, 1].withUnsafeBytes { try? sink.take($0) }
      hasWritten.open()
      goOn.wait()
      wasCancelled.value = transfer.isCancelled
      return Result { try [7, 7].withUnsafeBytes { try sink.take($0) } }
        .map { 0 }.mapError { $0 as? LoadError ?? LoadError(.local, "\($0)") }
    }
    #expect(isStarted)
    hasWritten.wait()
    // As the engine's failed event does it, 30 s after a delivery.
    load.finish(.failure(LoadError(.timedOut, "the source did not answer in time")))
    #expect(results.count == 1)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    goOn.open()
    #expect(wait { hasEnded.hasOpened })
    _ = turn(transfers) { true }
    #expect(memory.allSatisfy { $0 == 0 })
    #expect(wasCancelled.value)
    #expect(results.count == 1)
  }

  @Test("R2, T38: sizes that a source has made up add up to a number, and to no end of the program")
  func R2_T38_sizesThatAreTooLarge() throws {
    let transfers = try Transfers()
    let progress = SessionProgress()
    let loads = (0..<2).map { _ in Load(transfers) { _ in } }
    for load in loads {
      load.announce(.max)
      progress.add(load)
    }
    #expect(progress.totalBytes == .max)
    for load in loads { load.finish(.success(0)) }
    #expect(progress.totalBytes == .max && progress.isFinished)
  }

  @Test("R2, T38: room is made once for what is to come, and not for what nobody could have")
  func R2_T38_room() throws {
    for announced in [0, 3, 1_000_000, .max] {
      let sink = ByteSink(limit: 1 << 40)
      sink.makeRoom(for: announced)
      for _ in 0..<4 { try Array(repeating: UInt8(7), count: 250_000).withUnsafeBytes { try sink.take($0) } }
      #expect(sink.take() == Array(repeating: 7, count: 1_000_000), "\(announced)")
    }
  }

  @Test("R2: memory that grows as data comes holds all of it, however large the parts are") func R2_growing() throws {
    let sink = ByteSink(limit: 12_000_000)
    let part = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<11 { try part.withUnsafeBytes { try sink.take($0) } }
    #expect(throws: LoadError.self) { try part.withUnsafeBytes { try sink.take($0) } }
    let all = sink.take()
    #expect(all.count == 11 * part.count)
    #expect((0..<11).allSatisfy { all[$0 * part.count..<($0 + 1) * part.count].elementsEqual(part) })
  }

  @Test(
    "T7, T10: little memory that nobody can change is read at once; more, or what can change, by a thread",
    arguments: [(5, true), (64 * 1024, true), (64 * 1024 + 1, true), (5, false)])
  func T7_T10_littleIsReadAtOnce(count: Int, isSealed: Bool) throws {
    let transfers = try Transfers()
    var result: Result<Int, LoadError>?
    let load = Load(transfers) { result = $0 }
    let sink = ByteSink(limit: 1 << 20)
    load.begin(into: sink)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let memory = isSealed ? try SealedMemory.make(bytes) : Descriptor(owning: clinux_memfd_create("not sealed"))
    load.receive(.memory(try memory.duplicate().release()))
    let isAtOnce = isSealed && count <= 64 * 1024
    #expect((result != nil) == isAtOnce && load.isFinished == isAtOnce)
    #expect(turn(transfers) { result != nil })
    if isSealed {
      #expect(try result?.get() == count && load.completedBytes == count)
      #expect(sink.take() == bytes)
    } else {
      #expect(throws: LoadError.self) { try result?.get() }
    }
  }

  @Test("X4: parts are handed over on a thread of the load's, however little there is") func X4_aLittlePart() throws {
    let transfers = try Transfers()
    var result: Result<Int, LoadError>?
    let load = Load(transfers) { result = $0 }
    let isElsewhere = Shared(false)
    let client = pthread_self()
    load.begin(into: PartSink { _ in isElsewhere.value = pthread_self() != client })
    load.receive(.memory(try SealedMemory.make([1, 2, 3]).release()))
    #expect(turn(transfers) { result != nil })
    #expect(isElsewhere.value)
  }

  @Test("C2: cancelling returns at once though a read never does, and nothing is left of the load but its thread")
  func C2_cancellingReturnsAtOnce() throws {
    let transfers = try Transfers()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    defer { memory.deallocate() }
    var result: Result<Int, LoadError>?
    let load = Load(transfers) { result = $0 }
    load.begin(into: BufferSink(memory))
    let (isReading, never) = (Barrier(), Barrier())
    _ = load.receive { _, _, _ in
      isReading.open()
      never.wait()
      return .success(0)
    }
    isReading.wait()
    load.cancel()
    #expect(throws: LoadError.self) { try result?.get() }
    never.open()
  }

  @Test("C2: so many threads may be stuck in reads that do not return, and no more")
  func C2_stuckThreadsAreBounded() throws {
    let transfers = try Transfers()
    let never = Barrier()
    let ended = Count()
    func begin() -> (started: Bool, error: LoadError?) {
      var error: LoadError?
      let load = Load(transfers) { if case .failure(let e) = $0 { error = e } }
      load.begin(into: ByteSink(limit: 10))
      let started = load.receive { _, _, _ in
        never.wait()
        ended.add()
        return .success(0)
      }
      if started { load.cancel() }
      return (started, error)
    }
    for _ in 0..<TransferState.mostStuck { #expect(begin().started) }
    let refused = begin()
    #expect(!refused.started)
    #expect(refused.error?.code == .local)
    #expect(refused.error?.description.contains("transfers that were given up") == true)
    never.open()
    #expect(wait { ended.value == TransferState.mostStuck })
    // They have ended, or are about to: then there is room again.
    #expect(wait { begin().started })
  }

  @Test("M14, T7: a load of which nothing comes for too long ends, though its thread waits for ever")
  func M14_T7_aRestingLoadEnds() throws {
    let transfers = try Transfers()
    var error: LoadError?
    let load = Load(transfers) { if case .failure(let e) = $0 { error = e } }
    load.patience = .milliseconds(50)
    load.begin(into: ByteSink(limit: 10))
    let never = Barrier()
    _ = load.receive { _, _, _ in
      never.wait()
      return .success(0)
    }
    #expect(turn(transfers) { error != nil })
    #expect(error?.code == .timedOut)
    never.open()
  }

  @Test("M12: a load rests for as long as its source says that it is at work") func M12_aSourceAtWork() throws {
    let transfers = try Transfers()
    var error: LoadError?
    let load = Load(transfers) { if case .failure(let e) = $0 { error = e } }
    load.begin(into: ByteSink(limit: 10))
    let never = Barrier()
    let state = Shared<TransferState?>(nil)
    let isReading = Barrier()
    _ = load.receive { _, transfer, _ in
      state.value = transfer
      isReading.open()
      never.wait()
      return .success(0)
    }
    isReading.wait()
    let now = MonotonicClock.now()
    for minutes in 1...3 {
      state.value?.noteLife(at: now + .seconds(60 * Double(minutes)))
      #expect(load.deadline == now + .seconds(60 * Double(minutes) + Limits.transferSeconds))
      transfers.watch()
      #expect(error == nil)
    }
    // Its last word is long ago.
    state.value?.noteLife(at: now + .seconds(-40))
    transfers.watch()
    #expect(error?.code == .timedOut)
    never.open()
  }
}
