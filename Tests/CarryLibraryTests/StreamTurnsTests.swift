import CarryModel
import CarryWireClient
import Testing

@testable import Carry

/// Streams of a session that wait until others have been written.
@Suite struct StreamTurnsTests {
  private let turns = StreamTurns()

  private final class Calls {
    var started: [Int] = []
    var givenUp: [Int] = []
    var signs = 0
  }

  private let calls = Calls()

  private func begin(_ number: Int, _ provision: WireProvision) {
    let calls = calls
    turns.begin(provision) {
      calls.started.append(number)
    } giveUp: {
      calls.givenUp.append(number)
    }
  }

  @Test("T29: so many are written at once, and the others in the order in which they were asked for")
  func T29_inOrder() {
    let pairs = (0..<StreamTurns.most + 4).map { _ in WireLoad.local() }
    for (i, pair) in pairs.enumerated() { begin(i, pair.provision) }
    #expect(calls.started == Array(0..<StreamTurns.most) && turns.isWaiting)
    let first = StreamTurns.most
    // Nobody waits for the second any more.
    pairs[first + 1].provision.tell(.cancelled)
    pairs[first + 1].provision.tell(.lost)
    #expect(calls.givenUp == [first + 1])
    turns.ended()
    turns.ended()
    turns.ended()
    #expect(calls.started.suffix(3) == [first, first + 2, first + 3])
    #expect(!turns.isWaiting && turns.nextSign == nil && calls.givenUp.count == 1)
  }

  @Test("M12: what waits is known to be alive before the engine would give it up") func M12_aSign() throws {
    let pairs = (0...StreamTurns.most).map { _ in WireLoad.local() }
    let calls = calls
    for (i, pair) in pairs.enumerated() {
      pair.load.onEvent = { if case .sourceProgress = $0 { calls.signs += 1 } }
      begin(i, pair.provision)
    }
    let due = try #require(turns.nextSign)
    turns.advance(to: Instant(microseconds: due.microseconds - 1))
    #expect(calls.signs == 0)
    turns.advance(to: due)
    #expect(calls.signs == 1)
    let next = try #require(turns.nextSign)
    #expect(next > due && (next - due).microseconds < Int64(Limits.transferSeconds * 1e6))
  }

  @Test("T29: thousands that cannot be written end one after the other") func T29_noneCanBeWritten() {
    let pair = WireLoad.local()
    for _ in 0..<StreamTurns.most { begin(0, pair.provision) }
    var ended = 0
    for _ in 0..<100_000 {
      turns.begin(pair.provision) { [turns] in
        ended += 1
        turns.ended()
      } giveUp: {
      }
    }
    #expect(ended == 0)
    turns.ended()
    #expect(ended == 100_000 && !turns.isWaiting)
  }
}
