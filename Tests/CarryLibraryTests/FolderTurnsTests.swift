import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import Carry

@Suite struct FolderTurnsTests {
  private final class Copies: Sendable {
    let begun = Atomic<Int>(0)
    let given = Atomic<Int>(0)
    let mayEnd = Atomic<Bool>(false)
    let isCancelled = Atomic<Bool>(false)
  }

  @Test("T11, M7: a few folders are copied at a time, and one that nobody waits for any more gives its place up")
  func T11_M7_aFewAtATime() throws {
    let turns = FolderTurns(places: 2)
    let copies = Copies()
    func start(_ isCancelled: @escaping @Sendable () -> Bool = { false }) throws {
      try Worker.start {
        do {
          try turns.take(unless: { if isCancelled() { throw LoadError(.cancelled, "") } }, waits: {}) {
            copies.begun.add(1, ordering: .relaxed)
            _ = Wait.until(seconds: 60) { copies.mayEnd.load(ordering: .relaxed) }
          }
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

  @Test("T7: where those before it hang, the others begin after a while all the same") func T7_othersHang() throws {
    let turns = FolderTurns(places: 1, patience: .milliseconds(200))
    let copies = Copies()
    for _ in 0..<3 {
      try Worker.start {
        try? turns.take(unless: {}, waits: {}) {
          copies.begun.add(1, ordering: .relaxed)
          _ = Wait.until(seconds: 60) { copies.mayEnd.load(ordering: .relaxed) }
        }
      }
    }
    #expect(Wait.until(seconds: 60) { copies.begun.load(ordering: .relaxed) == 3 })
    copies.mayEnd.store(true, ordering: .relaxed)
  }
}
