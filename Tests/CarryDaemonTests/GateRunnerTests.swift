import CarryGate
import CarryModel
import Testing

@testable import CarryDaemon

/// Starting, losing and starting again, for both kinds of gates.
@Suite struct GateRunnerTests {
  private final class Owner<Event: GateEvent>: GateOwner {
    var events: [Event] = []
    var gone = 0
    func handle(_ event: Event) { events.append(event) }
    func gateIsGone(at now: Instant) { gone += 1 }
  }

  private final class Bench<Event: GateEvent> {
    let played = PlayedGate()
    let clock = TestClock()
    let loop: TestLoop
    let owner = Owner<Event>()
    let runner: GateRunner<Event>

    init() throws {
      loop = try TestLoop()
      let clock = clock
      let gate = Gate<Event>(
        displayName: ":7", patience: .milliseconds(600), spawner: played, now: clock.now)
      runner = GateRunner(gate, loop.loop, now: clock.now)
      runner.owner = owner
    }

    func advance(to time: Instant) {
      clock.time = time
      runner.advance(to: time)
    }
  }

  @Test("Z4: a gate that cannot be started is tried again, later each time, and runs in the end")
  func Z4_aGateThatCannotBeStarted() throws {
    let b = try Bench<TouchEvent>()
    b.played.fails = true
    b.runner.guardWindows([WindowID(3)])
    b.runner.start()
    #expect(!b.runner.isRunning && !b.runner.hasRun)
    #expect(b.runner.nextDeadline == ms(1000))
    b.advance(to: ms(999))
    #expect(b.played.starts == 1)
    b.advance(to: ms(1000))
    #expect(b.played.starts == 2)
    #expect(b.runner.nextDeadline == ms(3000))
    b.played.fails = false
    b.advance(to: ms(3000))
    #expect(b.runner.isRunning && b.runner.hasRun)
    #expect(b.played.heard() == ["guardWindow 3"])
    #expect(b.played.jobs.allSatisfy { $0.kind == .touches && $0.displayName == ":7" })
    #expect(b.owner.gone == 0)
  }

  @Test("Z4: a gate that ends is started again, and told of its windows again") func Z4_aGateThatEnds() throws {
    let b = try Bench<ClickEvent>()
    b.runner.start()
    b.runner.guardWindows([WindowID(3)])
    #expect(b.played.heard() == ["guardWindow 3"])
    b.played.say(.clicked, 9)
    b.runner.dispatch()
    #expect(b.owner.events == [.clicked(9, .zero, ClickFlags(rawValue: 7), ms(0))])
    b.played.end()
    b.runner.dispatch()
    #expect(!b.runner.isRunning && b.owner.gone == 1)
    b.advance(to: ms(1000))
    #expect(b.runner.isRunning && b.played.starts == 2)
    #expect(b.played.heard() == ["guardWindow 3"])
    #expect(b.played.jobs.allSatisfy { $0.kind == .clicks })
  }

  @Test("Z4: a gate that does not answer is ended and started again") func Z4_aGateThatHangs() throws {
    let b = try Bench<TouchEvent>()
    b.runner.start()
    b.played.say(.ready, 0)
    b.runner.dispatch()
    b.runner.expectHeartbeat(at: ms(100))
    #expect(b.runner.nextDeadline == ms(600))
    b.advance(to: ms(600))
    #expect(b.played.heard() == ["ping 0"])
    // What it has said by then counts, though nobody had read it.
    b.played.say(.pong, 0)
    b.advance(to: ms(2600))
    #expect(b.runner.isRunning)
    b.runner.expectHeartbeat(at: ms(3000))
    b.advance(to: ms(3500))
    b.advance(to: ms(5500))
    #expect(!b.runner.isRunning && b.owner.gone == 1)
    b.advance(to: ms(6500))
    #expect(b.runner.isRunning)
  }

  @Test("Z4: windows that another client holds are known, until they can be held") func Z4_unguardableWindows() throws {
    let b = try Bench<TouchEvent>()
    b.runner.start()
    b.runner.guardWindows([WindowID(3), WindowID(4)])
    b.played.say(.guardFailed, 3)
    b.played.say(.guarded, 4)
    b.runner.dispatch()
    #expect(b.runner.unguardable == [WindowID(3)])
    _ = b.played.heard()
    // It is tried again whenever the windows change.
    b.runner.guardWindows([WindowID(3), WindowID(4), WindowID(5)])
    #expect(Set(b.played.heard()) == ["guardWindow 3", "guardWindow 5"])
    b.played.say(.guarded, 3)
    b.runner.dispatch()
    #expect(b.runner.unguardable.isEmpty)
    b.played.say(.guardFailed, 5)
    b.runner.dispatch()
    b.runner.guardWindows([WindowID(4)])
    #expect(b.runner.unguardable.isEmpty)
  }

  @Test("Z4: a runner that is stopped stays so") func Z4_aRunnerThatIsStopped() throws {
    let b = try Bench<ClickEvent>()
    b.runner.start()
    b.played.end()
    b.runner.dispatch()
    #expect(b.runner.nextDeadline == ms(1000))
    b.runner.stop()
    b.advance(to: ms(100_000))
    #expect(!b.runner.isRunning && b.played.starts == 1 && b.runner.nextDeadline == nil)
  }
}
