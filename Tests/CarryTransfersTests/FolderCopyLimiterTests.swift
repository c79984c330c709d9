import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import CarryTransfers

@Suite struct FolderCopyLimiterTests {
  private final class Copies: Sendable {
    let begun = Atomic<Int>(0)
    let given = Atomic<Int>(0)
    let mayEnd = Atomic<Bool>(false)
    let isCancelled = Atomic<Bool>(false)
  }

  @Test("a few folders are copied at a time, and one that nobody waits for any more gives its place up")
  func aFewAtATime() throws {
    let turns = FolderCopyLimiter(places: 2, patience: .seconds(3600))
    let copies = Copies()
    func start(_ isCancelled: @escaping @Sendable () -> Bool = { false }) throws {
      try Worker.start {
        do {
          let turn = FolderCopyLimiter.Slot(turns)
          try turn.begin(unless: { if isCancelled() { throw LoadError(.cancelled, "") } }, waits: {})
          copies.begun.add(1, ordering: .relaxed)
          _ = Wait.until(seconds: 60) { copies.mayEnd.load(ordering: .relaxed) }
          turn.end()
        } catch { copies.given.add(1, ordering: .relaxed) }
      }
    }
    for _ in 0..<2 { try start() }
    #expect(Wait.until(seconds: 60) { copies.begun.load(ordering: .relaxed) == 2 })
    try start { copies.isCancelled.load(ordering: .relaxed) }
    copies.isCancelled.store(true, ordering: .relaxed)
    #expect(Wait.until(seconds: 60) { copies.given.load(ordering: .relaxed) == 1 })
    try start()
    copies.mayEnd.store(true, ordering: .relaxed)
    #expect(Wait.until(seconds: 60) { copies.begun.load(ordering: .relaxed) == 3 })
  }

  /// Turns at a time that the test sets.
  private final class Timed {
    let microseconds = Shared<Int64>(0)
    let turns: FolderCopyLimiter

    init(places: Int) {
      turns = FolderCopyLimiter(places: places, patience: .seconds(10)) { [microseconds] in
        Instant(microseconds: microseconds.value)
      }
    }

    func pass(_ seconds: Int64) { microseconds.value += seconds * 1_000_000 }

    /// One that has its turn at once; nil where it would have to wait.
    func begun() -> FolderCopyLimiter.Slot? {
      struct Waits: Error {}
      let turn = FolderCopyLimiter.Slot(turns)
      return (try? turn.begin(unless: { throw Waits() }, waits: {})).map { turn }
    }
  }

  @Test("those that hang keep their places for a while only, all at once; those that go on keep theirs")
  func othersHang() throws {
    let timed = Timed(places: 2)
    let hanging = (0..<2).compactMap { _ in timed.begun() }
    #expect(hanging.count == 2 && timed.begun() == nil)
    timed.pass(11)
    let others = (0..<2).compactMap { _ in timed.begun() }
    #expect(others.count == 2 && timed.begun() == nil)
    timed.pass(9)
    for turn in others { turn.heartbeat() }
    timed.pass(9)
    #expect(timed.begun() == nil)
    // One that comes back goes on, and ends.
    for turn in hanging { turn.heartbeat() }
    for turn in others { turn.end() }
    #expect(timed.begun() == nil)
    for turn in hanging { turn.end() }
    #expect(timed.begun() != nil)
  }

  @Test("R3: a copy that nobody waits for any more gives its place up at once, though it does not come back")
  func R3_givenUp() throws {
    let timed = Timed(places: 1)
    let first = try #require(timed.begun())
    #expect(timed.begun() == nil)
    first.end()
    first.heartbeat()
    let second = try #require(timed.begun())
    second.end()
    // One that was given up before it began takes no place.
    let third = FolderCopyLimiter.Slot(timed.turns)
    third.end()
    try third.begin(unless: {}, waits: {})
    #expect(timed.begun() != nil)
    withExtendedLifetime(third) {}
  }

  @Test("R3: what is abandoned while a folder is copied gives its place up before the copy comes back")
  func R3_abandoned() throws {
    let (from, to) = (try LetterFolder(), try LetterFolder())
    let timed = Timed(places: 1)
    let sink = SavingSink(as: "copy", turns: timed.turns) { try SaveFolder(to.path) }
    let source = try Descriptor.open(from.path, O_RDONLY | O_DIRECTORY)
    let isFree = Shared<[Bool]>([])
    _ = try? sink.copyFolder(source.raw) { _ in
      isFree.value.append(timed.begun() != nil)
      sink.abandon()
      isFree.value.append(timed.begun() != nil)
    }
    #expect(isFree.value.prefix(2) == [false, true])
  }
}
