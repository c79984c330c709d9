import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Several fingers, each of which carries something or adds to it.
  @Suite(.serialized) struct SeveralFingers {
    /// The steps of all sessions that a target sees, such as `entered 2`.
    private func targetSteps(_ d: Desktop) -> [String] {
      d.monitor.remainingLines().compactMap { line in
        guard let event = events([line]).first, ["entered", "exited", "dropped", "cancelled", "ended"].contains(event)
        else { return nil }
        return event + (line.contains("\"session\": 1,") ? " 1" : " 2")
      }
    }

    /// Two fingers lift from the left window and rest in the middle, one above the other.
    private func twoFingers() -> (script: FingerScript, upper: Int, lower: Int) {
      var s = Traces.screen
      let (a, b) = (s.down(200, 300, at: 0), s.down(200, 450, at: 30))
      s.move(a, to: 600, 200, from: 650, until: 900)
      s.move(b, to: 600, 650, from: 700, until: 950)
      return (s, a, b)
    }

    @Test("D2, D16: a target ignores a second session until the first has left and the second comes again")
    func D2_D16_oneSessionAtATime() throws {
      var (s, a, b) = twoFingers()
      s.move(a, to: 1000, 350, from: 1200, until: 1500)
      s.move(b, to: 1000, 500, from: 1700, until: 2000)
      s.move(a, to: 600, 200, from: 2300, until: 2600)
      // Above the free target, the second session moves on; it counts only when it comes again.
      s.move(b, to: 1010, 510, from: 2700, until: 2900)
      s.move(b, to: 600, 650, from: 3100, until: 3300)
      s.move(b, to: 1000, 500, from: 3500, until: 3800)
      s.move(a, to: 1000, 350, from: 4000, until: 4300)
      s.up(a, at: 4500)
      s.up(b, at: 4900)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let source = try d.source("--text", "words")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      let steps = targetSteps(d).filter { !$0.hasPrefix("ended") }
      #expect(steps == ["entered 1", "exited 1", "entered 2", "cancelled 1", "dropped 2"])
      #expect(events(target.remainingLines()).count { $0 == "received" } == 1)
      withExtendedLifetime(source) {}
    }

    @Test("D13: a target accepts another session once its drop has ended, and not before")
    func D13_freeAfterTheEnd() throws {
      var (s, a, b) = twoFingers()
      s.move(a, to: 1000, 350, from: 1200, until: 1500)
      s.up(a, at: 1600)
      // While the first item lands, which takes 1.5 s; and again afterwards.
      s.move(b, to: 1000, 500, from: 1700, until: 1800)
      s.move(b, to: 600, 650, from: 5000, until: 5200)
      s.move(b, to: 1000, 500, from: 5400, until: 5600)
      s.up(b, at: 5900)
      let d = try Desktop(s, clients: 2, compositor: nil, settings: "[animation]\ndrop-ms = 1500\n")
      let source = try d.source("--text", "words")
      let target = try App(d, "target")
      target.takePlaces(isSource: false)
      #expect(target.run(seconds: 30) { !d.engine.isRunning })
      #expect(targetSteps(d) == ["entered 1", "dropped 1", "ended 1", "entered 2", "dropped 2", "ended 2"])
      let drop = ["canHandle", "didEnter", "didUpdate", "performDrop", "concludeDrop", "sessionDidEnd"]
      #expect(target.calls == drop + drop)
      withExtendedLifetime(source) {}
    }

    @Test("A7: a tap on another application's region adds nothing to a drag") func A7_nothingFromAnotherApplication()
      throws
    {
      var s = Traces.screen
      // The second tap, on the drag's own source, shows that the first is over.
      s.carry(
        from: (200, 400), at: 0, .to(600, 200, 650...1000), .tap(575, 650, at: 1300), .tap(180, 480, at: 1700),
        .to(1000, 400, 2200...2600), upAt: 2800)
      let d = try Desktop(s, clients: 3, compositor: nil)
      let app = try App(d, "source")
      app.added = { [DragItem(itemProvider: ItemProvider(text: "added"))] }
      app.takePlaces(isTarget: false)
      let other = try d.source("--text", "another's", geometry: "250x200+450+550")
      let target = try d.target()
      #expect(app.run { app.calls.contains("didTransfer") })
      #expect(app.calls.contains("itemsForAdding"))
      _ = app.run { !d.engine.isRunning }
      let received = target.remainingLines().filter { $0.contains("\"received\"") }
      #expect(received.count == 2 && !received.contains { $0.contains("another's") }, "\(received)")
      #expect(events(d.monitor.remainingLines()).count { $0 == "items-added" } == 1)
      withExtendedLifetime(other) {}
    }

    @Test("V5: a preview that keeps its size becomes small when a second item is added")
    func V5_severalAreSmall() throws {
      var s = Traces.screen
      s.carry(from: (330, 400), at: 0, .to(380, 420, 650...800), .tap(330, 650, at: 4000), upAt: 60_000)
      let d = try Desktop(s)
      let app = try Player(d, "reader")
      defer { app.close() }
      let region = app.region(
        .init(x: 30, y: 100, width: 600, height: 600), color: 0x202020, [DragInteraction(delegate: app)])
      let image = try DesktopTests.image(0xFF0000, side: 400)
      app.items = { _ in [DesktopTests.item("one")] }
      app.adding = { _, _ in [DesktopTests.item("two")] }
      app.lift = { _ in
        TargetedDragPreview(
          view: .image(image), target: DragPreviewTarget(container: region, center: .init(x: 300, y: 300)))
      }
      app.keepsFullSize = true
      func isSeen(_ call: String, width: ClosedRange<Double>) -> Bool {
        Player.run([app]) {
          guard app.calls.contains(call), let shot = d.client.screenshot(),
            let blob = shot.blob(
              in: .init(x: 0, y: 0, width: 1280, height: 800), step: 8,
              where: { $0.red > $0.green + 50 && $0.red > $0.blue + 50 })
          else { return false }
          return width.contains(blob.width)
        }
      }
      #expect(isSeen("willBegin", width: 390...440), "one item does not keep its size")
      #expect(isSeen("willAdd(1)", width: 150...300), "two items do not become small")
    }
  }
}
