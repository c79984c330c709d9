import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// What items look like while they are carried, and what that costs.
  @Suite(.serialized) struct CarriedPreviews {
    private static func isRed(_ c: Screenshot.Color) -> Bool { c.red > c.green + 50 && c.red > c.blue + 50 }

    @Test("DM6b, V2: a large piece of a page keeps its size above its page, shrinks as it leaves, and stays small")
    func DM6b_V2_itShrinksAsItLeaves() throws {
      var s = Traces.screen
      s.carry(
        from: (330, 400), at: 0, .to(380, 420, 650...800), .to(1000, 400, 5500...5800), .to(330, 400, 10_000...10_300),
        upAt: 60_000)
      let d = try Desktop(s)
      let app = try Player(d, "reader")
      defer { app.close() }
      let page = CarryModel.Rect(x: 30, y: 100, width: 600, height: 600)
      let region = app.region(page, color: 0x202020, [DragInteraction(delegate: app)])
      let image = try DesktopTests.image(0xFF0000, side: 400)
      app.items = { _ in [DesktopTests.item("article")] }
      app.lift = { _ in
        TargetedDragPreview(
          view: .image(image), target: DragPreviewTarget(container: region, center: .init(x: 300, y: 300)))
      }
      app.keepsFullSize = true
      /// Waits until the picture is somewhere, and of some size.
      func waits(_ place: ClosedRange<Double>, _ width: ClosedRange<Double>) -> Bool {
        Player.run([app]) {
          guard app.calls.contains("willBegin"), let shot = d.client.screenshot(),
            let blob = shot.blob(in: .init(x: 0, y: 0, width: 1280, height: 800), step: 8, where: Self.isRed)
          else { return false }
          return place.contains(blob.center.x) && width.contains(blob.width)
        }
      }
      #expect(waits(360...400, 390...440), "not at its size above the page")
      #expect(waits(950...1050, 150...270), "not small beside the page")
      #expect(waits(300...360, 150...270), "not small where it came from")
    }

    @Test("P17, P16: providers that are set all the time are asked for what is seen, and not for each time")
    func P17_P16_settingProvidersAllTheTime() throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 400, 620...1000), upAt: 5000)
      let d = try Desktop(s, clients: 2)
      let app = try Player(d, "source")
      defer { app.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let region = app.region(
        .init(x: 50, y: 250, width: 300, height: 300), color: 0x3366CC, [DragInteraction(delegate: app)])
      target.region(
        .init(x: 850, y: 250, width: 300, height: 300), color: 0x222222, [DropInteraction(delegate: target)])
      app.items = { _ in (0..<8).map { DesktopTests.item("\($0)") } }
      app.lift = { _ in TargetedDragPreview(region: region) }
      let (red, green) = (try DesktopTests.image(0xFF0000, side: 60), try DesktopTests.image(0x00FF00, side: 60))
      var made = [Int](repeating: 0, count: 8)
      var turns = 0
      var set = 0
      var refusals: [String] = []
      app.client.onPreviewRefused = { refusals.append($0) }
      app.moves = { session in
        turns += 1
        let isThere = session.location(in: region).x > 700
        for _ in 0..<25 {
          for (i, item) in session.items.enumerated() {
            set += 1
            let image = isThere ? green : red
            item.previewProvider = {
              made[i] += 1
              return DragPreview(view: .image(image))
            }
          }
        }
      }
      var seen: Screenshot.Color?
      let isOver = Player.run([app, target]) {
        if !target.calls.contains("performDrop") { seen = d.client.screenshot()?[1000, 400] }
        return app.calls.contains("didTransfer")
      }
      #expect(isOver, "\(app.calls)")
      #expect(turns > 1 && set == turns * 200)
      // Four of them can be seen; the others are never asked for.
      #expect(made[..<4] == [0, 0, 0, 0], "\(made)")
      #expect(made[4...].allSatisfy { $0 > 0 && $0 <= turns }, "\(made) in \(turns) turns")
      // What was set last is what was seen at the end.
      #expect(seen.map { $0.distance(to: .init(0, 255, 0)) < 60 } == true, "\(seen.map { "\($0)" } ?? "")")
      #expect(refusals.isEmpty, "\(refusals.count): \(refusals.first ?? "")")
      #expect(d.playToTheEnd() == 0)
    }
  }
}
