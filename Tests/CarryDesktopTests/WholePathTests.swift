import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The desktop lane. Each suite has X servers and engines of its own; within a suite one test comes after another.
@Suite enum DesktopTests {
  @Suite(.serialized) struct WholePath {
    @Test("C1, G9: a recorded drag delivers the text") func C1_G9_aRecordedDragDeliversTheText() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      let received = target.remainingLines()
      #expect(received.contains { $0.contains("\"event\": \"received\"") && $0.contains("\"text\": \"hello\"") })
      #expect(received.contains { $0.contains("\"bytes\": 5") && $0.contains("text/plain;charset=utf-8") })
      #expect(
        events(d.monitor.remainingLines()).collapsed == [
          "lift-began", "lifted", "began", "entered", "updated", "dropped", "received", "data-delivered", "ended",
        ])
      #expect(events(source.remainingLines()) == ["lift-began", "lifted", "began", "dropped", "ended"])
      #expect(target.waitForExit(seconds: 5) == 0)
      #expect(source.waitForExit(seconds: 5) == 0)
    }

    @Test("A1, A11: a tap of a second finger adds an item") func A1_A11_aTapOfASecondFingerAddsAnItem() throws {
      let d = try Desktop(Traces.twoItemsByTap, clients: 2)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      let received = target.remainingLines().filter { $0.contains("\"received\"") }
      #expect(received.count == 2)
      #expect(received.allSatisfy { $0.contains("\"text\": \"hello\"") })
      let steps = d.monitor.remainingLines()
      #expect(events(steps).contains("items-added"))
      #expect(steps.last { $0.contains("\"dropped\"") }?.contains("\"items\": 2") == true)
      withExtendedLifetime(source) {}
    }

    @Test("G7, A14: two drags of two items each at the same time") func G7_A14_twoDragsOfTwoItemsEachAtTheSameTime()
      throws
    {
      let d = try Desktop(Traces.twoAtOnce, clients: 4)
      let sources = [
        try d.source("--text", "upper", geometry: "300x200+50+100"),
        try d.source("--text", "lower", geometry: "300x200+50+500"),
      ]
      let targets = [
        try d.target(geometry: "300x200+850+100"), try d.target(geometry: "300x200+850+500"),
      ]
      #expect(d.playToTheEnd() == 0)
      for (target, text) in zip(targets, ["upper", "lower"]) {
        let received = target.remainingLines().filter { $0.contains("\"received\"") }
        #expect(received.count == 2)
        #expect(received.allSatisfy { $0.contains("\"text\": \"\(text)\"") })
      }
      let ended = d.monitor.remainingLines().filter { $0.contains("\"ended\"") }
      #expect(ended.count == 2)
      withExtendedLifetime(sources) {}
    }

    @Test(
      "L4, L12: touches that are no drags deliver nothing and leave nothing",
      arguments: ["tap", "fast-swipe", "released-too-early"])
    func L4_L12_touchesThatAreNoDragsDeliverNothingAndLeaveNothing(name: String) throws {
      // A press that is released too early says on the monitor that what came before is over; a finger in an empty
      // corner then keeps the engine and the windows there to be looked at.
      let script = Trace(name, then: "1.5s down 200,400\n1.9s up\n1.9s down 1270,10\n9s up")
      // The touches come once three clients have regions: the third waits for a picture of the screen before anything
      // happens, however slow the machine is.
      let d = try Desktop(script, clients: 3)
      let starter = try Player(d, "starter")
      defer { starter.close() }
      let window = d.client.makeWindow(CarryModel.Rect(x: 1200, y: 700, width: 20, height: 20), color: 0x808080)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      // The picture before anything happens: both windows are there, with all that is drawn in them.
      #expect(d.shows { $0[200, 400] != $0[600, 100] && $0[1000, 300] != $0[600, 100] })
      var before = try #require(d.client.screenshot())
      var since = MonotonicClock.now()
      let isAtRest = Wait.until(seconds: 30) {
        guard let now = d.client.screenshot() else { return false }
        if now.differences(from: before) > 0 { (before, since) = (now, MonotonicClock.now()) }
        return MonotonicClock.now() - since > .milliseconds(800)
      }
      #expect(isAtRest, "the windows never came to rest")
      starter.region(window, Carry.Rect(x: 0, y: 0, width: 20, height: 20), [DropInteraction(delegate: starter)])
      try starter.client.synchronize()
      #expect(d.step("lift-reversed") != nil)
      #expect(d.shows { $0.differences(from: before) == 0 }, "something is left on the screen")
      #expect(d.engine.isRunning)
      #expect(d.playToTheEnd() == 0)
      #expect(!events(d.monitor.remainingLines()).contains { ["began", "dropped", "data-delivered"].contains($0) })
      #expect(events(target.remainingLines()).isEmpty)
      #expect(target.waitForExit(seconds: 5) == 3)
      #expect(source.waitForExit(seconds: 5) == 3)
    }
  }
}
