import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// How items look, rise and end, through the Swift API and a real engine, on the screen.
  @Suite(.serialized) struct Previews: PreviewScenes {
    @Test("L9, L11, L18, P1, P3, P4, P12, DA1, DA5, DA6, DA7, DA9, DA13: previews rise, are carried and land")
    func L9_P1_DA1_DA5_previewsRiseAreCarriedAndLand() throws {
      let d = try Desktop(settings: Desktop.slowFlights)
      let mouse = try FakeMouse(d.server.display)
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let from = place(d, 50, 0x3366CC)
      let to = place(d, 850, 0x222222)
      source.items = { _ in [DesktopTests.item("red"), DesktopTests.item("green")] }
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      let place = target.region(to, Self.whole, [DropInteraction(delegate: target)])
      let image = try DesktopTests.image(0xFF0000, side: 60)
      source.lift = { item in
        guard item.localObject as? String == "red" else {
          var round = DragPreviewParameters()
          round.visiblePath = Path(ovalIn: Carry.Rect(x: 0, y: 0, width: 80, height: 80))
          round.backgroundColor = .init(red: 0, green: 200.0 / 255, blue: 0)
          return TargetedDragPreview(
            view: .pixmap(0xFFFF, width: 80, height: 80), parameters: round,
            target: DragPreviewTarget(container: region, center: .init(x: 240, y: 240)))
        }
        return TargetedDragPreview(
          view: .image(image), target: DragPreviewTarget(container: region, center: .init(x: 60, y: 60)))
      }
      var refusals: [String] = []
      source.client.onPreviewRefused = { refusals.append($0) }
      var sizes: [Double] = []
      target.drop = { item, preview in
        sizes.append(preview.size?.width ?? 0)
        return item.itemProvider.registeredTypes.isEmpty
          ? nil
          : preview.retargetedPreview(
            with: DragPreviewTarget(
              container: place, center: .init(x: 20, y: 20),
              transform: .init(scale: 30 / (preview.size?.width ?? 1000))))
      }
      for app in [source, target] { try app.client.synchronize() }
      try mouse.press(at: 200, 400, d, running: [source, target])
      // Each at its own place, risen; the pixmap that is none is a plain card, as large as the outline.
      // Looked at between two of the card's lines, where they are once it has risen.
      let card = Color(244, 245, 248)
      let isRisen = Player.run([source, target]) {
        shows(d, 110, 310, Self.red) && shows(d, 290, 506, card, within: 12)
      }
      #expect(isRisen, "\(d.color(110, 310)) and \(d.color(290, 506)); \(source.calls); \(refusals)")
      #expect(!shows(d, 290 - 50, 490, card))
      #expect(Player.run([source, target]) { !refusals.isEmpty }, "nobody was told of the pixmap")
      #expect(source.calls.prefix(3) == ["previewForLifting", "previewForLifting", "will lift"])
      mouse.glide(from: (200, 400), to: (1000, 400))
      #expect(Player.run([source, target]) { source.calls.contains("lift end") })
      let lift = source.fractions["lift"] ?? []
      // A busy machine leaves out many.
      #expect(lift.count > 1 && zip(lift, lift.dropFirst()).allSatisfy { $0 <= $1 } && lift.last == 1)
      // They go down where the target has said, and not where they were let go.
      let around = CarryModel.Rect(x: 852, y: 252, width: 296, height: 296)
      var flight = Flight()
      func look() {
        let flies = target.calls.contains("will drop")
        guard !target.calls.contains("concludeDrop"), let shot = d.client.screenshot() else { return }
        let blob = shot.blob(in: around) { $0.distance(to: Color(0x22, 0x22, 0x22)) > 120 }
        flight.add(blob?.center, isFlying: flies)
      }
      #expect(
        Player.run([source, target]) {
          look()
          return flight.rests(near: .init(x: 1000, y: 400))
        })
      mouse.button(false)
      #expect(
        Player.run([source, target]) {
          look()
          return target.calls.contains("concludeDrop")
        })
      #expect(flight.leads(to: .init(x: 870, y: 270)), "\(flight)")
      #expect(
        target.calls.prefix(8) == [
          "performDrop", "previewForDropping", "previewForDropping", "will drop", "will drop", "drop end", "drop end",
          "concludeDrop",
        ])
      #expect((target.fractions["drop"] ?? []).count > 1)
      // How large the default is, to be scaled to a place.
      #expect(sizes.map { $0.rounded() } == [60, 80])
    }

    @Test(
      "E3, E4, E5, B6, P5, P14, P15, P17, P18, P19: a picture changes in flight, and goes where it is told when it is cancelled"
    )
    func E3_B6_aPictureChangesInFlight() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 9000), settings: Desktop.slowFlights)
      let source = try Player(d, "source")
      defer { source.close() }
      let from = place(d, 50, 0x3366CC)
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      source.items = { _ in [DesktopTests.item("one")] }
      source.lift = { _ in TargetedDragPreview(region: region) }
      let image = try DesktopTests.image(0x00C800, side: 90)
      var made = 0
      source.begins = { session in
        session.items[0].previewProvider = {
          made += 1
          return DragPreview(view: .image(image))
        }
      }
      source.cancel = { _, preview in
        preview.retargetedPreview(with: DragPreviewTarget(container: region, center: .init(x: 150, y: 550)))
      }
      #expect(Player.run([source]) { shows(d, 640, 150, Self.green) })
      #expect(made == 1)
      // It flies to a place below the window, and stays until it is over.
      let all = CarryModel.Rect(x: 0, y: 0, width: 1280, height: 800)
      var flight = Flight()
      #expect(
        Player.run([source]) {
          let (flies, isOver) = (source.calls.contains("will cancel"), source.calls.contains("didEnd(cancel)"))
          let blob = isOver ? nil : d.client.screenshot()?.blob(in: all) { $0.distance(to: Self.green) < 70 }
          flight.add(blob?.center, isFlying: flies)
          return isOver
        })
      #expect(flight.leads(to: .init(x: 200, y: 800)), "\(flight)")
      #expect(
        source.calls.suffix(4) == ["previewForCancelling", "will cancel", "cancel end", "didEnd(cancel)"],
        "\(source.calls)")
      #expect((source.fractions["cancel"] ?? []).count > 1)
      #expect(d.playToTheEnd() == 0)
      #expect(shows(d, 640, 150, d.client.screenshot()?[600, 60] ?? Self.red, within: 3))
    }

    @Test("P15: an item whose provider returns nil is not seen any more, and another picture brings it back")
    func P15_aProviderHidesAnItem() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 30_000))
      let source = try Player(d, "source")
      defer { source.close() }
      let from = place(d, 50, 0x3366CC)
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      let item = DesktopTests.item("one")
      source.items = { _ in [item] }
      let (green, red) = (try DesktopTests.image(0x00C800, side: 90), try DesktopTests.image(0xFF0000, side: 90))
      source.lift = { _ in
        TargetedDragPreview(
          view: .image(green), target: DragPreviewTarget(container: region, center: .init(x: 150, y: 150)))
      }
      var moves = 0
      source.moves = { _ in moves += 1 }
      #expect(Player.run([source]) { shows(d, 640, 150, Self.green) })
      let carried = try #require(item.session)
      item.previewProvider = { nil }
      // The desktop is the same beside it.
      #expect(
        Player.run([source]) { d.client.screenshot().map { $0[640, 150].distance(to: $0[640, 700]) < 3 } ?? false },
        "it is still seen")
      #expect(carried.items.count == 1 && !source.calls.contains("didEnd(cancel)"))
      item.previewProvider = { DragPreview(view: .image(red)) }
      #expect(Player.run([source]) { shows(d, 640, 150, Self.red) }, "it does not come back")
    }

    @Test(
      "L14, L15, L16, L20, P2, P7, P20: the window is live while it rises, and a snapshot from the drag's start on",
      arguments: [nil, Compositor.Kind.picom])
    func L14_L15_L16_liveWhileItRises(_ kind: Compositor.Kind?) throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 9000), compositor: kind)
      let source = try Player(d, "source")
      defer { source.close() }
      let from = place(d, 50, 0x3366CC)
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      _ = region
      source.items = { _ in [DesktopTests.item("one")] }
      source.lift = { _ in .init(region: region) }
      // L20: what covers the view goes while it rises, and is back when it has risen.
      func paint(_ color: UInt32) {
        d.client.fill(from, CarryModel.Rect(x: 0, y: 0, width: 300, height: 300), color: color)
        d.client.sync()
      }
      source.progress = { what, fraction in if what == "lift", fraction > 0.3, fraction < 1 { paint(0xFF0000) } }
      source.completes = { if $0 == "lift end" { paint(0x0000FF) } }
      // The picture reaches a little beyond the window.
      #expect(Player.run([source]) { shows(d, 46, 400, Self.red) }, "the risen picture is not live")
      #expect(Player.run([source]) { source.calls.contains("willBegin") })
      // The lift's completion runs after the snapshot.
      #expect(source.calls.suffix(2) == ["lift end", "willBegin"])
      #expect(Player.run([source]) { shows(d, 640, 150, Self.red) })
      #expect(Player.run([source]) { source.calls.contains("didEnd(cancel)") })
    }

    @Test("L12, L13, L17: what goes along with a lift runs back when it is reversed") func L12_L13_goesBack() throws {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      s.up(f, at: 900)
      let corner = s.down(1270, 10, at: 2500)
      s.up(corner, at: 2600)
      let d = try Desktop(s)
      let source = try Player(d, "source")
      defer { source.close() }
      source.items = { _ in [DesktopTests.item("one")] }
      source.region(place(d, 50, 0x3366CC), Self.whole, [DragInteraction(delegate: source)])
      source.lift = { [weak source] _ in source?.regions.first.map { TargetedDragPreview(region: $0) } }
      #expect(Player.run([source]) { source.calls.contains("lift start") })
      let lift = source.fractions["lift"] ?? []
      #expect(lift.max() == 1 && lift.last == 0)
      #expect(d.playToTheEnd() == 0)
    }
  }
}
