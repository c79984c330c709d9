import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// A client's descriptors come in only where there is room for them, though that is not asked before each read. Each test
/// runs in a process of its own, because the limit of descriptors is a process's.
@Suite(.serialized) struct RoomTests {
  private typealias R = RawClient

  /// The most descriptors that a message can bring.
  private static let most = 253

  private static func limit(_ count: Int) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = rlim_t(count)
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }

  private static var openCount: Int { Files.list("/proc/self/fd").count - 1 }

  /// A client that asks one question after another, each a sync.
  private final class Asker {
    let raw: RawClient
    private let bench: Bench
    private var last: UInt32 = 3

    init(_ bench: Bench) throws {
      self.bench = bench
      raw = try bench.client()
    }

    /// Asks, and lets the loop go round until the answer has come.
    func isAnswered() -> Bool {
      last += 1
      return bench.settle(raw, sync: last) && !raw.hasEnded
    }

    /// Asks beside a descriptor, and lets the loop go round until somebody else's questions are answered.
    func ask(beside fd: CInt, before other: Asker) {
      last += 1
      raw.send(R.message(1, 0, R.words([last])), descriptors: [fd])
      #expect(other.isAnswered() && other.isAnswered())
    }

    var hasAnswer: Bool { raw.hasReceived(last) }
  }

  private static func null() throws -> Descriptor { try Descriptor.open("/dev/null", O_RDONLY) }

  @Test("a limit that was lowered between two reads keeps descriptors waiting")
  func aLoweredLimit() async {
    await #expect(processExitsWith: .success) {
      RoomTests.limit(2000)
      let b = try Bench()
      let (giver, honest) = (try Asker(b), try Asker(b))
      let null = try RoomTests.null()
      #expect(giver.isAnswered())
      RoomTests.limit(RoomTests.openCount + RoomTests.most - 20)
      Wait.forTick()
      giver.ask(beside: null.raw, before: honest)
      #expect(!giver.hasAnswer && !giver.raw.hasEnded)
      RoomTests.limit(2000)
      #expect(b.turn(later: .seconds(1)) { giver.hasAnswer })
    }
  }

  @Test("who sends descriptors in the instant after the limit was lowered goes, and nobody else")
  func aLimitLoweredJustNow() async {
    await #expect(processExitsWith: .success) {
      let b = try Bench()
      let honest = try Asker(b)
      let null = try RoomTests.null()
      for _ in 0..<200 {
        RoomTests.limit(2000)
        // So that the engine knows no limit of the round before.
        Wait.forTick()
        let giver = try Asker(b)
        let before = Wait.tick
        #expect(honest.isAnswered())
        RoomTests.limit(3)
        giver.ask(beside: null.raw, before: honest)
        // With the next tick the engine would have known.
        let isWithinTick = Wait.tick == before
        RoomTests.limit(2000)
        guard isWithinTick else { continue }
        // A question without its descriptor is not answered.
        #expect(giver.raw.hasEnded && !giver.hasAnswer)
        #expect(honest.isAnswered())
        let next = try Asker(b)
        next.ask(beside: null.raw, before: honest)
        #expect(next.hasAnswer)
        return
      }
      Issue.record("the clock ticked each time")
    }
  }

  @Test("descriptors that are opened turn by turn take the room of those that come")
  func roomThatShrinks() async {
    await #expect(processExitsWith: .success) {
      RoomTests.limit(1000)
      let b = try Bench()
      let (giver, honest) = (try Asker(b), try Asker(b))
      let null = try RoomTests.null()
      var opened: [CInt] = []
      while RoomTests.openCount < 1000 - RoomTests.most + 10 {
        for _ in 0..<4 { opened.append(dup(null.raw)) }
        #expect(honest.isAnswered())
      }
      giver.ask(beside: null.raw, before: honest)
      #expect(!giver.hasAnswer && !giver.raw.hasEnded)
      for fd in opened { close(fd) }
      #expect(b.turn(later: .seconds(1)) { giver.hasAnswer })
    }
  }
}
