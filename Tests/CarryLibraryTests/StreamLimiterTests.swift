import CarryModel
import CarryWireClient
import CarryTesting
import Testing

@testable import Carry

/// Streams of a session that wait until others have been written.
@Suite struct StreamLimiterTests {
  private final class Descriptors { var areScarce = false }

  private let descriptors: Descriptors
  private let turns: StreamLimiter

  init() {
    let descriptors = Descriptors()
    (self.descriptors, turns) = (descriptors, StreamLimiter(isScarce: { descriptors.areScarce }))
  }

  private final class Calls {
    var started: [Int] = []
    var turns: [StreamLimiter.Slot] = []
    var givenUp: [Int] = []
    var signs = 0
  }

  private let calls = Calls()

  /// - Returns: the loads, in the order in which they were asked for.
  private func begin(_ count: Int) -> [(load: WireLoad, provision: WireProvision)] {
    let calls = calls
    return (0..<count).map { number in
      let pair = WireLoad.local()
      pair.load.onEvent = { if case .sourceProgress = $0 { calls.signs += 1 } }
      turns.begin(pair.provision) { turn in
        calls.started.append(number)
        calls.turns.append(turn)
      } giveUp: {
        calls.givenUp.append(number)
      }
      return pair
    }
  }

  /// Lets the time of the next sign come.
  private func pass() throws { turns.advance(to: try #require(turns.nextSign)) }

  @Test("so many are written at once, and the others in the order in which they were asked for")
  func inOrder() {
    let first = Limits.writersPerDrop
    let pairs = begin(first + 4)
    #expect(calls.started == Array(0..<first) && turns.isWaiting)
    // Nobody waits for the second any more.
    pairs[first + 1].provision.deliver(.cancelled)
    pairs[first + 1].provision.deliver(.lost)
    #expect(calls.givenUp == [first + 1])
    for turn in calls.turns[0..<3] { turn.ended() }
    #expect(calls.started.suffix(3) == [first, first + 2, first + 3])
    #expect(!turns.isWaiting && turns.nextSign == nil && calls.givenUp.count == 1)
  }

  @Test("where descriptors are scarce one goes on at a time") func scarce()
    throws
  {
    descriptors.areScarce = true
    let pairs = begin(4)
    #expect(calls.started == [0])
    calls.turns[0].ended()
    #expect(calls.started == [0, 1])
    try pass()
    #expect(calls.started == [0, 1], "one has ended meanwhile")
    // The one that goes on may hang, and one that nobody waits for any more too.
    try pass()
    #expect(calls.started == [0, 1, 2])
    for turn in calls.turns[1...] { turn.isCancelled() }
    #expect(calls.started == [0, 1, 2, 3])
    descriptors.areScarce = false
    for turn in calls.turns[1...] { turn.ended() }
    withExtendedLifetime(pairs) {}
  }

  @Test("what waits is known to be alive before the engine would give it up, and keeps its total")
  func aSign() throws {
    let pairs = begin(Limits.writersPerDrop)
    let (load, provision) = WireLoad.local()
    let calls = calls
    load.onEvent = {
      guard case .sourceProgress(let progress) = $0 else { return }
      calls.signs += 1
      if calls.signs > 1 { #expect(progress.total == 500) }
    }
    provision.progress(TransferProgress(completed: 0, total: 500))
    turns.begin(provision) { _ in
    } giveUp: {
    }
    #expect(calls.signs == 2, "its time may be nearly over")
    let due = try #require(turns.nextSign)
    turns.advance(to: Instant(microseconds: due.microseconds - 1))
    #expect(calls.signs == 2)
    // Another one ends, and so the rest will.
    calls.turns[0].ended()
    #expect(!turns.isWaiting)
    withExtendedLifetime((pairs, load)) {}
  }

  @Test("one destination that holds all of them keeps another from its own for a while only")
  func allAreHeld() throws {
    let pairs = begin(Limits.writersPerDrop + 1)
    #expect(calls.started.count == Limits.writersPerDrop && calls.signs == 1)
    try pass()
    #expect(calls.started.count == Limits.writersPerDrop + 1 && calls.signs == 2)
    // One that does so again and again gets its error in the end.
    let more = begin(300)
    for _ in 0..<20 { try pass() }
    #expect(calls.started.count == Limits.slowWritersPerDrop)
    let signs = calls.signs
    try pass()
    try pass()
    #expect(calls.signs == signs)
    calls.turns[0].ended()
    try pass()
    #expect(calls.signs > signs)
    withExtendedLifetime((pairs, more)) {}
  }

  @Test("who waits for a stream no more keeps no turn, though its writer has not ended")
  func cancelledOnes() {
    let pairs = begin(Limits.writersPerDrop + 3)
    for turn in calls.turns[0..<2] { turn.isCancelled() }
    #expect(calls.started.count == Limits.writersPerDrop + 2)
    calls.turns[0].isCancelled()
    for turn in calls.turns[0..<2] { turn.ended() }
    #expect(calls.started.count == Limits.writersPerDrop + 2, "each counts once")
    calls.turns[2].ended()
    #expect(calls.started.count == Limits.writersPerDrop + 3)
    withExtendedLifetime(pairs) {}
  }

  @Test("thousands that cannot be written end one after the other") func noneCanBeWritten() {
    let pairs = begin(Limits.writersPerDrop)
    var ended = 0
    for _ in 0..<20_000 {
      turns.begin(pairs[0].provision) { turn in
        ended += 1
        turn.ended()
      } giveUp: {
      }
    }
    #expect(ended == 0)
    calls.turns[0].ended()
    #expect(ended == 20_000 && !turns.isWaiting)
  }
}

/// The drops that a file provider serves.
@Suite struct ServedDropTests {
  @Test("F1: the loads of one drop share a line for as long as one of them is under way, and no other drop's")
  func F1_aLineForEachDrop() {
    let drops = ServedDrops()
    var ticket: SessionStreams.Ticket? = drops.streams(of: 1).ticket(isStream: true)
    weak let first = drops.streams(of: 1)
    #expect(first != nil && drops.streams(of: 2) !== first && drops.streams(of: 1) === first)
    #expect(drops.streams(of: 1).isOpen && !drops.streams(of: 2).isOpen)
    ticket?.ended(isRead: true)
    ticket = nil
    // Nothing is kept of it once the next one comes.
    _ = drops.streams(of: 3)
    #expect(first == nil && !drops.streams(of: 1).isOpen)
    // Two drops by turns, of which no load has been answered yet.
    let requests = (0..<4).map { drops.streams(of: 4 + $0 % 2) }
    #expect(requests[0] === requests[2] && requests[1] === requests[3] && requests[0] !== requests[1])
  }
}
