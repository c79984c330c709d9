import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

/// Processes that keep the kernel from saying what they run.
@Suite struct ProgramReadingTests {
  /// A reading of which those with a number above 1,000 end only when they may.
  private final class Scene: Sendable {
    let mayEnd = Atomic<Bool>(false)
    let begun = Atomic<Int>(0)
    let stuck = Atomic<Int>(0)

    func reading() -> ProgramReading {
      ProgramReading { [self] pid in
        begun.add(1, ordering: .relaxed)
        if pid > 1000 {
          stuck.add(1, ordering: .relaxed)
          _ = Wait.until(seconds: 120) { self.mayEnd.load(ordering: .relaxed) }
        }
        var facts = ProgramFacts()
        facts.firstArgument = "/\(pid)"
        return facts
      }
    }
  }

  @Test("a process that does not let itself be read is a stranger, and keeps nobody waiting for long")
  func doesNotAnswer() {
    let scene = Scene()
    let reading = scene.reading()
    #expect(reading.facts(of: 7)?.firstArgument == "/7")
    #expect(reading.facts(of: 1001) == nil)
    // Others are read all the same, though there are as many such as can be.
    for pid in 1002..<1000 + Int32(Limits.stuckProgramReadings) { #expect(reading.facts(of: pid) == nil) }
    let others = Wait.until(seconds: 60) { reading.facts(of: 8)?.firstArgument == "/8" }
    #expect(others)
    let areAllStuck = Wait.until(seconds: 60) {
      _ = reading.facts(of: 2000)
      return scene.stuck.load(ordering: .relaxed) == Limits.stuckProgramReadings
    }
    #expect(areAllStuck)
    // And then none at all, for which no thread is made.
    let begun = scene.begun.load(ordering: .relaxed)
    #expect(reading.facts(of: 9) == nil && scene.begun.load(ordering: .relaxed) == begun)
    scene.mayEnd.store(true, ordering: .relaxed)
    #expect(Wait.until(seconds: 60) { reading.facts(of: 10)?.firstArgument == "/10" })
  }

  @Test("a process that connects again and again takes one thread, and nobody else's place")
  func connectsAgain() {
    let scene = Scene()
    let reading = scene.reading()
    for _ in 0...Limits.stuckProgramReadings { #expect(reading.facts(of: 1001) == nil) }
    #expect(Wait.until(seconds: 60) { scene.stuck.load(ordering: .relaxed) == 1 })
    let others = Wait.until(seconds: 60) { reading.facts(of: 8)?.firstArgument == "/8" }
    #expect(others)
    #expect(scene.stuck.load(ordering: .relaxed) == 1)
    scene.mayEnd.store(true, ordering: .relaxed)
    #expect(Wait.until(seconds: 60) { reading.facts(of: 1001)?.firstArgument == "/1001" })
  }

  @Test("a process's own program is read as before") func reads() throws {
    #expect(ProgramReading().facts(of: getpid()) == ProgramFacts(of: getpid()))
  }
}
