import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// The same of few items, of many, of those that are added, and of what cannot be shown.
  @Suite(.serialized) struct SeveralPreviews: PreviewScenes {
    @Test(
      "K3, DA11, DA12, DA14, DA15: few items are asked about one by one, many are not",
      arguments: [(10, 10), (11, 10), (3, 2)])
    func K3_DA11_DA12_fewAndManyItems(_ count: Int, few: Int) throws {
      let d = try Desktop(
        script(to: 1000, 400, releasedAt: 3600), clients: 2, compositor: nil,
        settings: few == 10 ? "" : "[animation]\nfew-items = \(few)\n")
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let items = (0..<count).map { DesktopTests.item("\($0)") }
      source.items = { _ in items }
      items[0].itemProvider.preferredPresentationSize = (640, 480)
      let region = source.region(place(d, 50, 0x3366CC), Self.whole, [DragInteraction(delegate: source)])
      source.lift = { _ in TargetedDragPreview(region: region) }
      var sizes: [Int?] = []
      target.drop = { item, preview in
        // The data has not come, but how large it will be is known.
        sizes.append(item.itemProvider.preferredPresentationSize?.width)
        return preview
      }
      target.region(place(d, 850, 0x222222), Self.whole, [DropInteraction(delegate: target)])
      #expect(Player.run([source, target]) { target.calls.contains("concludeDrop") })
      let isFew = count <= few
      #expect(source.calls.count { $0 == "previewForLifting" } == (isFew ? count : 0))
      #expect(target.calls.count { $0 == "previewForDropping" } == (isFew ? count : 0))
      #expect(target.calls.count { $0 == "will drop" } == (isFew ? count : 1))
      #expect(target.calls.count { $0 == "drop end" } == (isFew ? count : 1))
      #expect(sizes == (isFew ? [640] + Array(repeating: nil, count: count - 1) : []))
    }

    @Test("K3, L9: each of as many items as are few is seen as it was described") func K3_L9_eachOfFewItems() throws {
      var slow = Traces.screen
      slow.carry(from: (200, 400), at: 0, .to(640, 600, 8000...8300), upAt: 9500)
      let d = try Desktop(slow)
      let source = try Player(d, "source")
      defer { source.close() }
      source.items = { _ in (0..<10).map { DesktopTests.item("\($0)") } }
      let region = source.region(place(d, 50, 0x3366CC), Self.whole, [DragInteraction(delegate: source)])
      let image = try DesktopTests.image(0xFF0000, side: 30)
      func spot(_ n: Int) -> (x: Int, y: Int) { (30 + n % 5 * 60, 80 + n / 5 * 100) }
      source.lift = { item in
        let spot = spot(Int(item.localObject as? String ?? "") ?? 0)
        let center = Carry.Point(x: Double(spot.x), y: Double(spot.y))
        return TargetedDragPreview(view: .image(image), target: DragPreviewTarget(container: region, center: center))
      }
      let all = Player.run([source]) {
        guard let shot = d.client.screenshot() else { return false }
        return (0..<10).allSatisfy { shot[50 + spot($0).x, 250 + spot($0).y].distance(to: Self.red) < 40 }
      }
      #expect(all, "\((0..<10).map { d.color(50 + spot($0).x, 250 + spot($0).y) })")
    }

    /// A drag from the left window to the middle, and a tap on the right window that adds to it.
    private static var carryAndTap: FingerScript {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(640, 600, 700...1000), .tap(1000, 400, at: 1500), upAt: 4000)
      return s
    }

    @Test("A10, A11: what is dimmed as it is added is carried as it was") func A10_A11_whatIsDimmedAsItIsAdded() throws
    {
      let d = try Desktop(Self.carryAndTap)
      let app = try Player(d, "source")
      defer { app.close() }
      (app.items, app.adding) = ({ _ in [DesktopTests.item("one")] }, { _, _ in [DesktopTests.item("two")] })
      let (first, second) = (place(d, 50, 0x3366CC), place(d, 850, 0xFF0000))
      app.lift = { item in
        let window = item.localObject as? String == "one" ? first : second
        return TargetedDragPreview(window: window.raw, rect: .init(x: 0, y: 0, width: 120, height: 90))
      }
      let regions = [first, second].map { app.region($0, Self.whole, [DragInteraction(delegate: app)]) }
      _ = regions
      app.adds = {
        d.client.fill(second, CarryModel.Rect(x: 0, y: 0, width: 300, height: 300), color: 0)
        d.client.sync()
      }
      #expect(Player.run([app]) { app.calls.contains("willAdd(1)") })
      #expect(Player.run([app]) { shows(d, 1100, 500, Color(0, 0, 0), within: 8) })
      #expect(Player.run([app]) { shows(d, 640, 600, Self.red) })
      #expect(Player.run([app]) { app.calls.contains("didEnd(cancel)") })
    }

    @Test("B6, P15: an added item is asked how it looks as it is carried") func B6_P15_anAddedItemIsAsked() throws {
      let d = try Desktop(Self.carryAndTap)
      let app = try Player(d, "source")
      defer { app.close() }
      let added = DesktopTests.item("two")
      (app.items, app.adding) = ({ _ in [DesktopTests.item("one")] }, { _, _ in [added] })
      let image = try DesktopTests.image(0x00C800, side: 90)
      added.previewProvider = { DragPreview(view: .image(image)) }
      let regions = [50.0, 850].map { app.region(place(d, $0, 0xFF0000), Self.whole, [DragInteraction(delegate: app)]) }
      app.lift = { _ in TargetedDragPreview(region: regions[0]) }
      #expect(Player.run([app]) { shows(d, 640, 600, Self.green) })
      #expect(Player.run([app]) { app.calls.contains("didEnd(cancel)") })
    }

    @Test(
      "B7: a cancelled item flies to where its place is by then, and fades where that cannot be seen any more",
      arguments: ["moved", "scrolled", "unmapped", "withdrawn"])
    func B7_itsPlaceByThen(_ what: String) throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 9000), settings: Desktop.slowFlights)
      let source = try Player(d, "source")
      defer { source.close() }
      let from = place(d, 50, 0x00AA00)
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      source.items = { _ in [DesktopTests.item("one")] }
      source.lift = { _ in TargetedDragPreview(region: region) }
      #expect(Player.run([source]) { shows(d, 640, 150, Color(0, 0xAA, 0)) })
      // What is carried is green; what is where the window was, and where it goes, is not.
      d.client.fill(from, CarryModel.Rect(x: 0, y: 0, width: 300, height: 300), color: 0x202020)
      switch what {
      case "moved": d.client.setFrame(from, CarryModel.Rect(x: 850, y: 450, width: 300, height: 300))
      case "scrolled": region.frame = Carry.Rect(x: 0, y: 150, width: 300, height: 300)
      case "unmapped": d.client.unmap(from)
      default: region.invalidate()
      }
      d.client.sync()
      func isGreen(_ shot: Screenshot, _ x: Int, _ y: Int) -> Bool {
        shot[x, y].green > shot[x, y].red + 30 && shot[x, y].green > shot[x, y].blue + 30
      }
      // Compositing managers take their time.
      #expect(d.shows { !isGreen($0, 200, 300) && isGreen($0, 640, 150) })
      var seen: Set<String> = []
      #expect(
        Player.run([source]) {
          guard let shot = d.client.screenshot() else { return false }
          for (name, x, y) in [("moved", 1000, 600), ("scrolled", 200, 550), ("where it was", 70, 270)]
          where isGreen(shot, x, y) {
            seen.insert(name)
          }
          return source.calls.contains("didEnd(cancel)")
        })
      #expect(seen.contains("moved") == (what == "moved"), "\(seen)")
      #expect(seen.contains("scrolled") == (what == "scrolled"), "\(seen)")
      #expect(!seen.contains("where it was"), "\(seen)")
    }

    @Test("K3, E4: of many items that are cancelled one animation goes along") func K3_E4_manyAreCancelled() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 3600), compositor: nil)
      let source = try Player(d, "source")
      defer { source.close() }
      source.items = { _ in (0..<12).map { DesktopTests.item("\($0)") } }
      source.region(place(d, 50, 0x3366CC), Self.whole, [DragInteraction(delegate: source)])
      #expect(Player.run([source]) { source.calls.contains("didEnd(cancel)") })
      #expect(source.calls.suffix(3) == ["will cancel", "cancel end", "didEnd(cancel)"])
      #expect(!source.calls.contains("previewForCancelling"))
    }

    @Test("Z13: what would take a drag is framed as it begins") func Z13_whatWouldTakeADragIsFramed() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 9000), clients: 2, settings: "[drop]\nhighlight = yes\n")
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      source.items = { _ in [DesktopTests.item("one")] }
      source.region(place(d, 50, 0x3366CC), Self.whole, [DragInteraction(delegate: source)])
      let drop = DropInteraction(delegate: target)
      drop.acceptedTypes = ["text/plain"]
      target.region(place(d, 850, 0x222222), Self.whole, [drop])
      let frame = Color(42, 127, 242)
      #expect(Player.run([source, target]) { shows(d, 852, 400, frame) })
      #expect(!shows(d, 640, 400, frame))
      #expect(Player.run([source, target]) { source.calls.contains("didEnd(cancel)") })
      #expect(Player.run([source, target]) { !shows(d, 852, 400, frame) })
    }

    @Test("a picture that cannot be used gives a plain card and an error, and nothing else")
    func aPictureThatCannotBeUsed() throws {
      // Long enough to be seen at its place on a busy machine.
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(640, 150, 5000...5300), upAt: 7000)
      let d = try Desktop(script)
      let source = try Player(d, "source")
      defer { source.close() }
      let from = place(d, 50, 0x3366CC)
      let region = source.region(from, Self.whole, [DragInteraction(delegate: source)])
      source.items = { _ in (0..<3).map { DesktopTests.item("\($0)") } }
      var refusals: [String] = []
      source.client.onPreviewRefused = { refusals.append($0) }
      var huge = Path()
      huge.move(to: .init(x: .nan, y: 0))
      for i in 0..<2000 { huge.addLine(to: .init(x: Double(i), y: 1e9)) }
      source.lift = { item in
        var parameters = DragPreviewParameters()
        parameters.visiblePath = huge
        let target = DragPreviewTarget(container: region, center: .init(x: 100, y: 100))
        switch item.localObject as? String {
        // The root window is not ours.
        case "0": return TargetedDragPreview(window: 1, rect: .init(x: 0, y: 0, width: 100, height: 100))
        case "1": return TargetedDragPreview(window: region.window, rect: region.frame, parameters: parameters)
        // Above the others.
        default: return TargetedDragPreview(view: .pixmap(0, width: 9, height: 9), target: target)
        }
      }
      #expect(PreviewImage(width: 0, height: 0, premultipliedARGB: []) == nil)
      #expect(PreviewImage(width: 40_000, height: 40_000, premultipliedARGB: []) == nil)
      // The pixmap's: below its middle, where the card has no line.
      #expect(Player.run([source]) { shows(d, 150, 385, Color(244, 245, 248), within: 12) })
      #expect(Player.run([source]) { source.calls.contains("didEnd(cancel)") })
      #expect(refusals.count == 3, "\(refusals)")
      #expect(d.playToTheEnd() == 0)
    }
  }
}
