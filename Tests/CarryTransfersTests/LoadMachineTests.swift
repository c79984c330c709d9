import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import CarryTransfers

/// A load by the clock: no files, no threads.
@Suite struct LoadMachineTests {
  private static let start = Instant(microseconds: 1_000_000)
  private static func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }

  /// A load that is being read.
  private func reading(_ payload: Payload = .stream(7), totalBytes: Int? = nil) -> LoadMachine {
    var load = LoadMachine(totalBytes: totalBytes, at: Self.start)
    #expect(load.handle(.payload(payload), at: Self.start).count == 1)
    return load
  }

  private func code(_ actions: [LoadMachine.Action]) -> LoadError.Code? {
    guard case .finish(.failure(let error))? = actions.last else { return nil }
    return error.code
  }

  @Test("the engine watches a request; the load itself watches what it reads, and what has no engine")
  func deadlines() {
    #expect(LoadMachine(at: Self.start).deadline == nil)
    #expect(LoadMachine(isTimed: true, at: Self.start).deadline == Self.at(Limits.transferSeconds))
    #expect(reading().deadline == Self.at(Limits.transferSeconds))
  }

  @Test("a load rests for as long as its source says that it is at work, and ends when it is silent")
  func aSourceAtWork() {
    var load = reading()
    for minute in 1...3 {
      let now = Self.at(60 * Double(minute))
      _ = load.handle(.sourceProgress(TransferProgress(completed: UInt64(minute))), at: now)
      #expect(load.deadline == now + .seconds(Limits.transferSeconds))
      #expect(load.advance(to: now + .seconds(Limits.transferSeconds - 0.1)).isEmpty)
    }
    #expect(code(load.advance(to: Self.at(180 + Limits.transferSeconds))) == .timedOut)
    #expect(load.isFinished && !load.hasSucceeded && load.deadline == nil)
  }

  @Test("R2: progress counts in the source's units until bytes are known, and in bytes from then on")
  func R2_progress() {
    var load = LoadMachine(at: Self.start)
    #expect(load.fractionCompleted == nil)
    let half = LoadMachine.Input.sourceProgress(TransferProgress(completed: 1, total: 2))
    #expect(load.handle(half, at: Self.start) == [.report(nil)])
    #expect(load.handle(half, at: Self.start).isEmpty, "a sign of life is no progress")
    #expect(load.fractionCompleted == 0.5)
    #expect(
      load.handle(.payload(.ring(memory: 1, socket: 2)), at: Self.start) == [
        .read(.ring(memory: 1, socket: 2), expecting: 2)
      ])
    _ = load.handle(.sourceProgress(TransferProgress(completed: 0, total: 100)), at: Self.start)
    let actions = load.handle(.read(bytes: 25, total: nil), at: Self.start)
    #expect(actions == [.report(TransferProgress(completed: 25, total: 100))])
    #expect(load.fractionCompleted == 0.25)
    #expect(load.handle(.ended(.success(40)), at: Self.start) == [.finish(.success(40))])
    #expect(load.fractionCompleted == 1 && load.completedBytes == 40)
  }

  @Test("an engine that goes away ends a request, and no load whose data is there") func theEngineGoes() {
    var load = LoadMachine(at: Self.start)
    #expect(code(load.handle(.engineGone, at: Self.start)) == .sourceGone)
    var other = reading()
    #expect(other.handle(.engineGone, at: Self.start).isEmpty)
    #expect(other.handle(.ended(.success(3)), at: Self.start) == [.finish(.success(3))])
  }

  @Test("a load that the engine ends while it is read fails, and what it has stored is removed")
  func endedByTheEngine() {
    var load = reading(.file(9))
    let failed = LoadMachine.Input.payload(.failed(code: LoadError.Code.cancelled.rawValue, message: "cancelled"))
    #expect(code(load.handle(failed, at: Self.start)) == .cancelled)
    #expect(load.handle(.ended(.success(3)), at: Self.start) == [.discard])
    var request = LoadMachine(at: Self.start)
    #expect(code(request.handle(failed, at: Self.start)) == .cancelled)
  }

  @Test("what comes after the end is closed, and what was stored is removed") func afterTheEnd() {
    var load = reading()
    #expect(code(load.handle(.cancelled, at: Self.start)) == .cancelled)
    #expect(load.handle(.payload(.file(9)), at: Self.start) == [.close(.file(9))])
    #expect(load.handle(.ended(.success(3)), at: Self.start) == [.discard])
    #expect(load.handle(.ended(.failure(LoadError(.local, "late"))), at: Self.start).isEmpty)
  }

  /// Anything at any time, with the promises that hold for every load.
  @Test("whatever happens, a load ends once, reads once, and closes every other payload", arguments: 0..<200)
  func randomPlays(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let failure = LoadMachine.Input.payload(.failed(code: 7, message: "cancelled"))
    var load = LoadMachine(isTimed: seed % 2 == 0, at: Self.start)
    var (now, payloads, reads, closes, ends) = (Self.start, 0, 0, 0, 0)
    for step in 0..<60 {
      now = now + .milliseconds(Int(random.next() % 4000))
      let input: LoadMachine.Input? =
        switch random.next() % 9 {
        case 0: .payload(.file(CInt(step)))
        case 1: .payload(.ring(memory: CInt(step), socket: CInt(step)))
        case 2: .sourceProgress(TransferProgress(completed: random.next() % 50, total: random.next() % 50))
        case 3, 4: reads > 0 ? .read(bytes: Int(random.next() % 1000), total: nil) : nil
        case 5: reads > 0 && random.next() % 5 == 0 ? .ended(.success(7)) : nil
        case 6: random.next() % 12 == 0 ? .cancelled : nil
        case 7: random.next() % 12 == 0 ? .engineGone : random.next() % 12 == 0 ? failure : nil
        default: nil
        }
      let wasFinished = load.isFinished
      if case .payload = input, input != failure { payloads += 1 }
      let actions = input.map { load.handle($0, at: now) } ?? load.advance(to: now)
      for action in actions {
        switch action {
        case .read: reads += 1
        case .close(let payload): closes += .payload(payload) == failure ? 0 : 1
        case .finish: ends += 1
        case .report: #expect(!wasFinished)
        case .discard: #expect(wasFinished)
        }
      }
      #expect(load.isFinished == (ends == 1) && ends <= 1 && reads <= 1)
      #expect(payloads == reads + closes)
      if let deadline = load.deadline { #expect(deadline > now || input != nil) }
      if load.isFinished { #expect(load.deadline == nil) }
      if let fraction = load.fractionCompleted { #expect((0...1).contains(fraction)) }
    }
  }
}
