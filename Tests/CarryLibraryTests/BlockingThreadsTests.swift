import CarryModel
import CarryTesting
import CarryWireClient
import Synchronization
import Testing

@testable import Carry
@testable import CarryTransfers

/// Work on many files of a file system, of which some is done at a time.
@Suite struct BlockingThreadsTests {
  private final class Files: Sendable {
    let begun = Mutex<[Int]>([])
    let mayEnd = Atomic<Bool>(false)

    func look(at number: Int) -> Int {
      begun.withLock { $0.append(number) }
      _ = Wait.until(seconds: 60) { self.mayEnd.load(ordering: .relaxed) }
      return number
    }
  }

  @Test("Z9: of many the first begin, one that nobody waits for any more does not, and the others come later")
  func Z9_inTurn() throws {
    let completions = try ClientQueue()
    let threads = BlockingThreads(completions)
    let files = Files()
    var results: [Int?] = []
    let provisions = (0..<12).map { number in
      let (load, provision) = WireLoad.local()
      let work = BlockingWork(lookingAt: ["/usr/\(number)"], for: .seconds(60)) {
        files.look(at: number)
      } then: {
        results.append(try? $0.get())
      }
      threads.beginInTurn(work, for: provision)
      return (load, provision)
    }
    func count() -> Int { files.begun.withLock { $0.count } }
    #expect(Wait.until(seconds: 60) { count() == 4 })
    // Other work has room, and that on another file system.
    var otherIsOver = false
    let other = BlockingWork(lookingAt: ["/usr/other"], for: .seconds(60)) {
      files.look(at: 100)
    } then: { _ in
      otherIsOver = true
    }
    #expect(threads.begin(other))
    for number in [5, 9] { provisions[number].1.deliver(.cancelled) }
    #expect(Wait.until(seconds: 60) { count() == 5 } && results.isEmpty)
    files.mayEnd.store(true, ordering: .relaxed)
    let isOver = Wait.until(seconds: 60) {
      completions.run()
      return results.count == 10 && otherIsOver
    }
    #expect(isOver)
    #expect(results.compactMap { $0 }.sorted() == [0, 1, 2, 3, 4, 6, 7, 8, 10, 11])
    #expect(files.begun.withLock { !$0.contains(5) && !$0.contains(9) })
    #expect(threads.nextDeadline == nil)
  }
}
