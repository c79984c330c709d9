import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// How items land, as it is seen on the screen.
  @Suite(.serialized) struct DropAnimations {
    private typealias Color = Screenshot.Color
    private static let left = CarryModel.Rect(x: 50, y: 50, width: 200, height: 200)
    private static let right = CarryModel.Rect(x: 400, y: 50, width: 850, height: 700)

    /// A red picture of 100 pixels, carried to a place of the right window and dropped there.
    private func drop(
      at place: (x: Int, y: Int), _ prepare: (Desktop, Player, _ target: Region) throws -> Void,
      look: (_ isFlying: Bool, Screenshot) -> Void
    ) throws {
      let d = try Desktop(settings: Desktop.slowFlights)
      let mouse = try FakeMouse(d.server.display)
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let from = source.region(Self.left, color: 0x303030, [DragInteraction(delegate: source)])
      let to = target.region(Self.right, color: 0x101010, [DropInteraction(delegate: target)])
      let image = try DesktopTests.image(0xFF0000, side: 100)
      source.items = { _ in [DesktopTests.item("red")] }
      source.lift = { _ in
        TargetedDragPreview(
          view: .image(image), target: DragPreviewTarget(container: from, center: .init(x: 100, y: 100)))
      }
      try prepare(d, target, to)
      for app in [source, target] { try app.client.synchronize() }
      try mouse.press(at: 150, 150, d, running: [source, target])
      #expect(Player.run([source, target]) { source.calls.contains("will lift") })
      mouse.glide(from: (150, 150), to: place)
      var carried = Flight()
      #expect(
        Player.run([source, target]) {
          guard let shot = d.client.screenshot() else { return false }
          look(false, shot)
          carried.add(shot.blob(in: Self.right, where: Self.isRed)?.center, isFlying: false)
          return carried.rests(near: .init(x: Double(place.x), y: Double(place.y)))
        })
      mouse.button(false)
      let isOver = Player.run([source, target]) {
        // What is seen before the application goes on is what was there before that.
        let isFlying = target.calls.contains("will drop") && !target.calls.contains("concludeDrop")
        if let shot = d.client.screenshot() { look(isFlying, shot) }
        return target.calls.contains("concludeDrop")
      }
      #expect(isOver)
    }

    private static func isRed(_ c: Color) -> Bool { c.red > c.green + 50 && c.red > c.blue + 50 }
    private static func isCyan(_ c: Color) -> Bool { c.green > c.red + 60 && c.blue > c.red + 60 }

    @Test("DA3: an item whose drop preview is nil shrinks and fades where it was dropped")
    func DA3_shrinksWhereItWasDropped() throws {
      var carried: Blob?
      var flying: [Blob] = []
      try drop(at: (600, 600)) { _, target, _ in
        target.drop = { _, _ in nil }
      } look: { isFlying, shot in
        guard let blob = shot.blob(in: Self.right, where: Self.isRed) else { return }
        if isFlying { flying.append(blob) } else { carried = blob }
      }
      let start = try #require(carried)
      #expect(flying.contains { $0.width < start.width * 0.9 }, "\(start.width) and \(flying.map(\.width))")
      let farthest = flying.map { $0.center.distance(to: start.center) }.max() ?? 0
      // The middle of the region is more than 280 pixels away.
      #expect(!flying.isEmpty && farthest < 12, "\(farthest) pixels away")
    }

    @Test("K2, DA4: an unchanged default goes on from where it was dropped into the target (decision 0024)")
    func K2_DA4_anUnchangedDefault() throws {
      var carried: Blob?
      var flying: [Blob] = []
      try drop(at: (600, 600)) { _, target, _ in
        target.drop = { _, preview in preview }
      } look: { isFlying, shot in
        guard let blob = shot.blob(in: Self.right, where: Self.isRed) else { return }
        if isFlying { flying.append(blob) } else { carried = blob }
      }
      let start = try #require(carried)
      // The last of the way it is too faint to be seen.
      let middle = Self.right.center
      let nearest = try #require(flying.min { $0.center.distance(to: middle) < $1.center.distance(to: middle) })
      let left = nearest.center.distance(to: middle) / start.center.distance(to: middle)
      #expect(left < 0.7 && nearest.width < start.width * 0.9, "\(left) of the way left, \(nearest.width) wide")
    }

    @Test("DA6: a destination's own drop preview takes the item's place on its way, and flies to its target")
    func DA6_anOwnDropPreview() throws {
      let image = try DesktopTests.image(0x00CCDD, side: 120)
      let goal = CarryModel.Point(x: 1100, y: 150)
      var flight = Flight()
      var last: Blob?
      try drop(at: (600, 600)) { _, target, to in
        target.drop = { _, _ in
          TargetedDragPreview(
            view: .image(image), target: DragPreviewTarget(container: to, center: .init(x: 700, y: 100)))
        }
      } look: { isFlying, shot in
        let blob = shot.blob(in: Self.right, where: isFlying ? Self.isCyan : Self.isRed)
        flight.add(blob?.center, isFlying: isFlying)
        if isFlying { last = blob ?? last }
      }
      let start = try #require(flight.start)
      #expect(flight.way.contains { $0.distance(to: goal) > 20 && $0.distance(to: start) > 20 }, "\(flight)")
      #expect(flight.leads(to: goal) && abs((last?.width ?? 0) - 120) < 16, "\(flight)")
    }

    @Test("DA10: a drop preview that is a part of a window shows on its way what the window shows")
    func DA10_aDropPreviewIsLive() throws {
      // What flies is a part in the lower right corner of the window, which is blue until the flight has begun.
      let part = CarryModel.Rect(x: 740, y: 590, width: 100, height: 100)
      let elsewhere = CarryModel.Rect(x: 400, y: 50, width: 850, height: 500)
      var (blue, yellow) = (0, 0)
      try drop(at: (500, 500)) { d, target, to in
        let window = CarryModel.WindowID(to.window)
        d.client.fill(window, part, color: 0x0000FF)
        d.client.sync()
        target.drop = { _, _ in
          TargetedDragPreview(
            view: .window(to.window, .init(x: 740, y: 590, width: 100, height: 100)),
            target: DragPreviewTarget(container: to, center: .init(x: 700, y: 100)))
        }
        var isPainted = false
        target.progress = { what, fraction in
          guard what == "drop", fraction > 0, !isPainted else { return }
          isPainted = true
          d.client.fill(window, part, color: 0xFFFF00)
          d.client.sync()
        }
      } look: { isFlying, shot in
        guard isFlying else { return }
        if shot.blob(in: elsewhere, where: { $0.blue > $0.red + 60 && $0.blue > $0.green + 60 }) != nil { blue += 1 }
        if shot.blob(in: elsewhere, where: { min($0.red, $0.green) > $0.blue + 60 && abs($0.red - $0.green) < 60 })
          != nil
        {
          yellow += 1
        }
      }
      #expect(yellow > 0, "\(blue) times blue, and never yellow")
    }

    @Test("DA8: each item lands on its own, the one that goes far later than the one that stays near")
    func DA8_fartherTakesLonger() throws {
      final class Lander: DropInteractionDelegate {
        var region: Region?
        var places: [String: Carry.Point] = [:]
        var fractions: [String: Double] = [:]
        private func name(_ item: DragItem) -> String { item.itemProvider.suggestedName ?? "" }
        func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
          DropProposal(operation: .copy)
        }
        func dropInteraction(
          _ i: DropInteraction, previewForDropping item: DragItem, withDefault preview: TargetedDragPreview
        ) -> TargetedDragPreview? {
          guard let region, let place = places[name(item)] else { return nil }
          return preview.retargetedPreview(with: DragPreviewTarget(container: region, center: place))
        }
        func dropInteraction(_ i: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating) {
          animator.addAnimations { [weak self, name = name(item)] in self?.fractions[name] = $0 }
        }
      }
      var script = Traces.screen
      script.carry(from: (150, 150), at: 0, .to(450, 100, 650...1000), upAt: 1500)
      let d = try Desktop(script, compositor: nil, settings: Desktop.slowFlights)
      let app = try Player(d, "both")
      defer { app.close() }
      app.items = { _ in
        ["far", "near"].map { name in
          let item = DesktopTests.item(name)
          item.itemProvider.suggestedName = name
          return item
        }
      }
      let from = app.region(Self.left, color: 0x303030, [DragInteraction(delegate: app)])
      app.lift = { _ in TargetedDragPreview(region: from) }
      let lander = Lander()
      lander.region = app.region(Self.right, color: 0x101010, [DropInteraction(delegate: lander)])
      lander.places = ["far": .init(x: 800, y: 650), "near": .init(x: 50, y: 50)]
      var (ahead, behind) = (0, 0)
      let isOver = Player.run([app]) {
        guard let far = lander.fractions["far"], let near = lander.fractions["near"] else { return false }
        // At their first step, the items are a moment apart.
        if near > far + 0.01 { ahead += 1 } else if near < far { behind += 1 }
        return far == 1
      }
      #expect(isOver && ahead > 0 && behind == 0, "ahead \(ahead), behind \(behind)")
    }
  }
}
