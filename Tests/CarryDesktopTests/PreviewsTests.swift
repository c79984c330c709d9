import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// How items look, rise and end, through the Swift API and a real engine, on the screen.
  @Suite(.serialized) struct Previews {
    private final class App: DragInteractionDelegate, DropInteractionDelegate {
      let client: Client
      var region: Region?
      var calls: [String] = []
      var items: [DragItem] = []
      var lift: (DragItem) -> TargetedDragPreview? = { _ in nil }
      var cancel: (DragItem, TargetedDragPreview) -> TargetedDragPreview? = { $1 }
      var drop: (DragItem, TargetedDragPreview) -> TargetedDragPreview? = { $1 }
      var begins: (DragSession) -> Void = { _ in }
      var fractions: [String: [Double]] = [:]
      var onMoves: () -> Void = {}
      var onAdd: () -> Void = {}
      var onProgress: (String, Double) -> Void = { _, _ in }
      var onCompletion: (String) -> Void = { _ in }
      var added: [DragItem] = []

      init(_ d: Desktop, _ name: String) throws { client = try Client(name: name, socket: d.socket) }

      private func go(along animator: any DragAnimating, _ name: String) {
        calls.append("will \(name)")
        animator.addAnimations { [weak self] in
          self?.fractions[name, default: []].append($0)
          self?.onProgress(name, $0)
        }
        animator.addCompletion { [weak self] in
          self?.calls.append("\(name) \($0)")
          self?.onCompletion("\(name) \($0)")
        }
      }

      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [Carry.DragItem] { items }
      func dragInteraction(
        _ i: DragInteraction, previewForLifting item: DragItem, session: DragSession
      ) -> TargetedDragPreview? {
        calls.append("previewForLifting")
        return lift(item)
      }
      func dragInteraction(
        _ i: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
      ) { go(along: animator, "lift") }
      func dragInteraction(_ i: DragInteraction, sessionWillBegin session: DragSession) {
        calls.append("willBegin")
        begins(session)
      }
      func dragInteraction(
        _ i: DragInteraction, itemsForAddingTo s: DragSession, withTouchAt p: Carry.Point
      ) -> [Carry.DragItem] { added }
      func dragInteraction(
        _ i: DragInteraction, session: DragSession, willAdd new: [Carry.DragItem], for adding: DragInteraction
      ) {
        calls.append("willAdd")
        onAdd()
      }
      func dragInteraction(_ i: DragInteraction, sessionDidMove session: DragSession) { onMoves() }
      func dragInteraction(
        _ i: DragInteraction, previewForCancelling item: DragItem, withDefault preview: TargetedDragPreview
      ) -> TargetedDragPreview? {
        calls.append("previewForCancelling")
        return cancel(item, preview)
      }
      func dragInteraction(
        _ i: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
      ) { go(along: animator, "cancel") }
      func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
        calls.append("didEnd(\(o))")
      }

      func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
        DropProposal(operation: .copy)
      }
      func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) { calls.append("performDrop") }
      func dropInteraction(
        _ i: DropInteraction, previewForDropping item: DragItem, withDefault preview: TargetedDragPreview
      ) -> TargetedDragPreview? {
        calls.append("previewForDropping")
        return drop(item, preview)
      }
      func dropInteraction(_ i: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating) {
        go(along: animator, "drop")
      }
      func dropInteraction(_ i: DropInteraction, concludeDrop s: DropSession) { calls.append("concludeDrop") }
    }

    private typealias Color = Screenshot.Color
    private static let red = Color(255, 0, 0)
    private static let green = Color(0, 200, 0)

    private static func image(_ color: Color, side: Int) -> PreviewImage? {
      let pixel = 0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
      return PreviewImage(
        width: side, height: side, premultipliedARGB: Array(repeating: pixel, count: side * side))
    }

    private func window(_ d: Desktop, _ x: Double, _ color: UInt32) -> CarryModel.WindowID {
      let id = d.client.makeWindow(CarryModel.Rect(x: x, y: 250, width: 300, height: 300), color: color)
      d.client.sync()
      return id
    }

    private func region(_ app: App, _ window: CarryModel.WindowID, _ interactions: [any Interaction]) -> Region {
      let region = Region(client: app.client, window: window.raw, frame: .init(x: 0, y: 0, width: 300, height: 300))
      for i in interactions { region.addInteraction(i) }
      app.region = region
      return region
    }

    private func run(_ apps: [App], seconds: Double = 20, until condition: () -> Bool) -> Bool {
      Wait.until(seconds: seconds, descriptor: apps[0].client.fileDescriptor) {
        for app in apps { try? app.client.dispatch() }
        return condition()
      }
    }

    /// Whether a colour, seen through a stack of 85 %, is at a point.
    private func shows(_ d: Desktop, _ x: Int, _ y: Int, _ color: Color, within distance: Int = 70) -> Bool {
      d.client.screenshot().map { $0[x, y].distance(to: color) < distance } ?? false
    }

    private func item(_ name: String) -> Carry.DragItem {
      let item = Carry.DragItem(itemProvider: ItemProvider(text: name))
      item.localObject = name
      return item
    }

    private func script(to x: Int, _ y: Int, releasedAt end: Int) -> FingerScript {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(x, y, 2500...2800), upAt: end)
      let corner = s.down(1270, 10, at: end + 1500)
      s.up(corner, at: end + 1600)
      return s
    }

    @Test("L9, L11, L18, P1, P3, P4, P12, DA1, DA5, DA6, DA7, DA9, DA13: previews rise, are carried and land")
    func L9_P1_DA1_previewsRiseAreCarriedAndLand() throws {
      let d = try Desktop(script(to: 1000, 400, releasedAt: 4500), clients: 2)
      let source = try App(d, "source")
      let target = try App(d, "target")
      let from = window(d, 50, 0x3366CC)
      let to = window(d, 850, 0x222222)
      source.items = [item("red"), item("green")]
      let region = region(source, from, [DragInteraction(delegate: source)])
      let place = self.region(target, to, [DropInteraction(delegate: target)])
      let image = try #require(Self.image(Self.red, side: 60))
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
      target.drop = { item, preview in
        item.itemProvider.registeredTypes.isEmpty
          ? nil
          : preview.retargetedPreview(
            with: DragPreviewTarget(
              container: place, center: .init(x: 20, y: 20),
              transform: .init(scale: 30 / (preview.size?.width ?? 1000))))
      }
      // Each at its own place, risen; the pixmap that is none is a plain card, as large as the outline.
      let card = Color(244, 245, 248)
      #expect(run([source, target]) { shows(d, 110, 310, Self.red) && shows(d, 290, 500, card, within: 12) })
      #expect(!shows(d, 290 - 50, 490, card))
      #expect(run([source, target]) { !refusals.isEmpty }, "nobody was told of the pixmap")
      #expect(source.calls.prefix(3) == ["previewForLifting", "previewForLifting", "will lift"])
      #expect(run([source, target]) { source.calls.contains("lift end") })
      let lift = source.fractions["lift"] ?? []
      #expect(lift.count > 3 && zip(lift, lift.dropFirst()).allSatisfy { $0 <= $1 } && lift.last == 1)
      // They go down where the target has said, and not where they were let go.
      var hasLanded = false
      #expect(
        run([source, target]) {
          hasLanded = hasLanded || shows(d, 870, 270, Self.red) || shows(d, 870, 270, card)
          return target.calls.contains("concludeDrop")
        })
      #expect(hasLanded)
      #expect(
        target.calls == [
          "performDrop", "previewForDropping", "previewForDropping", "will drop", "will drop", "drop end", "drop end",
          "concludeDrop",
        ])
      #expect((target.fractions["drop"] ?? []).count > 4)
      #expect(d.playToTheEnd() == 0)
    }

    @Test(
      "E3, E4, E5, B6, P5, P14, P15, P17, P18, P19: a picture changes in flight, and goes where it is told when it is cancelled"
    )
    func E3_B6_aPictureChangesInFlight() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 4800))
      let source = try App(d, "source")
      let from = window(d, 50, 0x3366CC)
      let region = region(source, from, [DragInteraction(delegate: source)])
      source.items = [item("one")]
      source.lift = { _ in TargetedDragPreview(region: region) }
      let image = try #require(Self.image(Self.green, side: 90))
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
      #expect(run([source]) { shows(d, 640, 150, Self.green) })
      #expect(made == 1)
      // It flies to a place below the window, and stays until it is over.
      var seen = false
      #expect(
        run([source]) {
          seen = seen || shows(d, 200, 790, Self.green)
          return source.calls.contains("didEnd(cancel)")
        })
      #expect(seen)
      #expect(
        source.calls.suffix(4) == ["previewForCancelling", "will cancel", "cancel end", "didEnd(cancel)"],
        "\(source.calls)")
      #expect((source.fractions["cancel"] ?? []).count > 3)
      #expect(d.playToTheEnd() == 0)
      #expect(shows(d, 640, 150, d.client.screenshot()?[600, 60] ?? Self.red, within: 3))
    }

    @Test("P15: an item whose provider returns nil is not seen any more, and another picture brings it back")
    func P15_aProviderHidesAnItem() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 30_000))
      let source = try App(d, "source")
      let from = window(d, 50, 0x3366CC)
      let region = region(source, from, [DragInteraction(delegate: source)])
      source.items = [item("one")]
      let (green, red) = (try #require(Self.image(Self.green, side: 90)), try #require(Self.image(Self.red, side: 90)))
      source.lift = { _ in
        TargetedDragPreview(
          view: .image(green), target: DragPreviewTarget(container: region, center: .init(x: 150, y: 150)))
      }
      var moves = 0
      source.onMoves = { moves += 1 }
      #expect(run([source]) { shows(d, 640, 150, Self.green) })
      let carried = try #require(source.items[0].session)
      source.items[0].previewProvider = { nil }
      // The desktop is the same beside it.
      #expect(
        run([source]) { d.client.screenshot().map { $0[640, 150].distance(to: $0[640, 700]) < 3 } ?? false },
        "it is still seen")
      #expect(carried.items.count == 1 && !source.calls.contains("didEnd(cancel)"))
      source.items[0].previewProvider = { DragPreview(view: .image(red)) }
      #expect(run([source]) { shows(d, 640, 150, Self.red) }, "it does not come back")
    }

    @Test(
      "L14, L15, L16, L20, P2, P7, P20: the window is live while it rises, and a snapshot from the drag's start on",
      arguments: [nil, Compositor.Kind.picom])
    func L14_L15_L16_liveWhileItRises(_ kind: Compositor.Kind?) throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 4800), compositor: kind)
      let source = try App(d, "source")
      let from = window(d, 50, 0x3366CC)
      let region = region(source, from, [DragInteraction(delegate: source)])
      _ = region
      source.items = [item("one")]
      source.lift = { _ in .init(region: region) }
      // L20: what covers the view goes while it rises, and is back when it has risen.
      func paint(_ color: UInt32) {
        d.client.fill(from, CarryModel.Rect(x: 0, y: 0, width: 300, height: 300), color: color)
        d.client.sync()
      }
      source.onProgress = { what, fraction in if what == "lift", fraction > 0.3, fraction < 1 { paint(0xFF0000) } }
      source.onCompletion = { if $0 == "lift end" { paint(0x0000FF) } }
      // The picture reaches a little beyond the window.
      #expect(run([source]) { shows(d, 46, 400, Self.red) }, "the risen picture is not live")
      #expect(run([source]) { source.calls.contains("willBegin") })
      // The lift's completion runs after the snapshot.
      #expect(source.calls.suffix(2) == ["lift end", "willBegin"])
      #expect(run([source]) { shows(d, 640, 150, Self.red) })
      #expect(run([source]) { source.calls.contains("didEnd(cancel)") })
    }

    @Test("L12, L13, L17: what goes along with a lift runs back when it is reversed") func L12_L13_goesBack() throws {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      s.up(f, at: 900)
      let corner = s.down(1270, 10, at: 2500)
      s.up(corner, at: 2600)
      let d = try Desktop(s)
      let source = try App(d, "source")
      source.items = [item("one")]
      _ = region(source, window(d, 50, 0x3366CC), [DragInteraction(delegate: source)])
      source.lift = { [weak source] _ in source?.region.map { TargetedDragPreview(region: $0) } }
      #expect(run([source]) { source.calls.contains("lift start") })
      let lift = source.fractions["lift"] ?? []
      #expect(lift.max() == 1 && lift.last == 0)
      #expect(d.playToTheEnd() == 0)
    }

    @Test(
      "K3, DA11, DA12, DA14, DA15: few items are asked about one by one, many are not",
      arguments: [(10, 10), (11, 10), (3, 2)])
    func K3_DA11_DA12_fewAndManyItems(_ count: Int, few: Int) throws {
      let configuration = "/tmp/carry-few-\(getpid()).conf"
      try Desktop.write(Array("[animation]\nfew-items = \(few)\n".utf8), to: configuration)
      defer { unlink(configuration) }
      let d = try Desktop(
        script(to: 1000, 400, releasedAt: 3600), clients: 2, compositor: nil,
        options: few == 10 ? [] : ["--config", configuration])
      let source = try App(d, "source")
      let target = try App(d, "target")
      source.items = (0..<count).map { item("\($0)") }
      source.items[0].itemProvider.preferredPresentationSize = (640, 480)
      let region = region(source, window(d, 50, 0x3366CC), [DragInteraction(delegate: source)])
      source.lift = { _ in TargetedDragPreview(region: region) }
      var sizes: [Int?] = []
      target.drop = { item, preview in
        // The data has not come, but how large it will be is known.
        sizes.append(item.itemProvider.preferredPresentationSize?.width)
        return preview
      }
      _ = self.region(target, window(d, 850, 0x222222), [DropInteraction(delegate: target)])
      #expect(run([source, target]) { target.calls.contains("concludeDrop") })
      let isFew = count <= few
      #expect(source.calls.count { $0 == "previewForLifting" } == (isFew ? count : 0))
      #expect(target.calls.count { $0 == "previewForDropping" } == (isFew ? count : 0))
      #expect(target.calls.count { $0 == "will drop" } == (isFew ? count : 1))
      #expect(target.calls.count { $0 == "drop end" } == (isFew ? count : 1))
      #expect(sizes == (isFew ? [640] + Array(repeating: nil, count: count - 1) : []))
    }

    @Test("K3, L9: each of as many items as are few is seen as it was described") func K3_L9_eachOfFewItems() throws {
      let d = try Desktop(script(to: 640, 600, releasedAt: 3600))
      let source = try App(d, "source")
      source.items = (0..<10).map { item("\($0)") }
      let region = region(source, window(d, 50, 0x3366CC), [DragInteraction(delegate: source)])
      let image = try #require(Self.image(Self.red, side: 30))
      func place(_ n: Int) -> (x: Int, y: Int) { (30 + n % 5 * 60, 80 + n / 5 * 100) }
      source.lift = { item in
        let place = place(Int(item.localObject as? String ?? "") ?? 0)
        let center = Carry.Point(x: Double(place.x), y: Double(place.y))
        return TargetedDragPreview(view: .image(image), target: DragPreviewTarget(container: region, center: center))
      }
      let all = run([source]) {
        (0..<10).allSatisfy { shows(d, 50 + place($0).x, 250 + place($0).y, Self.red, within: 40) }
      }
      #expect(all, "\((0..<10).map { d.color(50 + place($0).x, 250 + place($0).y) })")
    }

    @Test("A10, A11: what is dimmed as it is added is carried as it was") func A10_A11_whatIsDimmedAsItIsAdded() throws
    {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      s.move(f, to: 640, 600, from: 700, until: 1000)
      s.tap(1000, 400, at: 1500)
      s.up(f, at: 4000)
      let d = try Desktop(s)
      let app = try App(d, "source")
      (app.items, app.added) = ([item("one")], [item("two")])
      let (first, second) = (window(d, 50, 0x3366CC), window(d, 850, 0xFF0000))
      app.lift = { item in
        let window = item.localObject as? String == "one" ? first : second
        return TargetedDragPreview(window: window.raw, rect: .init(x: 0, y: 0, width: 120, height: 90))
      }
      let regions = [first, second].map { region(app, $0, [DragInteraction(delegate: app)]) }
      _ = regions
      app.onAdd = {
        d.client.fill(second, CarryModel.Rect(x: 0, y: 0, width: 300, height: 300), color: 0)
        d.client.sync()
      }
      #expect(run([app]) { app.calls.contains("willAdd") })
      #expect(run([app]) { shows(d, 1100, 500, Color(0, 0, 0), within: 8) })
      #expect(run([app]) { shows(d, 640, 600, Self.red) })
      #expect(run([app]) { app.calls.contains("didEnd(cancel)") })
    }

    @Test("B6, P15: an added item is asked how it looks as it is carried") func B6_P15_anAddedItemIsAsked() throws {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      s.move(f, to: 640, 600, from: 700, until: 1000)
      s.tap(1000, 400, at: 1500)
      s.up(f, at: 4000)
      let d = try Desktop(s)
      let app = try App(d, "source")
      (app.items, app.added) = ([item("one")], [item("two")])
      let image = try #require(Self.image(Self.green, side: 90))
      app.added[0].previewProvider = { DragPreview(view: .image(image)) }
      let regions = [50.0, 850].map { region(app, window(d, $0, 0xFF0000), [DragInteraction(delegate: app)]) }
      app.lift = { _ in TargetedDragPreview(region: regions[0]) }
      #expect(run([app]) { shows(d, 640, 600, Self.green) })
      #expect(run([app]) { app.calls.contains("didEnd(cancel)") })
    }

    @Test(
      "M6, B7: a cancelled item flies to where its place is by then, and fades where that cannot be seen any more",
      arguments: ["moved", "scrolled", "unmapped", "withdrawn"])
    func M6_B7_itsPlaceByThen(_ what: String) throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 4800))
      let source = try App(d, "source")
      let from = window(d, 50, 0x00AA00)
      let region = region(source, from, [DragInteraction(delegate: source)])
      source.items = [item("one")]
      source.lift = { _ in TargetedDragPreview(region: region) }
      #expect(run([source]) { shows(d, 640, 150, Color(0, 0xAA, 0)) })
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
        run([source]) {
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
      let source = try App(d, "source")
      source.items = (0..<12).map { item("\($0)") }
      _ = region(source, window(d, 50, 0x3366CC), [DragInteraction(delegate: source)])
      #expect(run([source]) { source.calls.contains("didEnd(cancel)") })
      #expect(source.calls.suffix(3) == ["will cancel", "cancel end", "didEnd(cancel)"])
      #expect(!source.calls.contains("previewForCancelling"))
    }

    @Test("Z13: what would take a drag is framed as it begins") func Z13_whatWouldTakeADragIsFramed() throws {
      let configuration = "/tmp/carry-highlight-\(getpid()).conf"
      try Desktop.write(Array("[drop]\nhighlight = yes\n".utf8), to: configuration)
      defer { unlink(configuration) }
      let d = try Desktop(script(to: 640, 150, releasedAt: 4300), clients: 2, options: ["--config", configuration])
      let source = try App(d, "source")
      let target = try App(d, "target")
      source.items = [item("one")]
      _ = region(source, window(d, 50, 0x3366CC), [DragInteraction(delegate: source)])
      let drop = DropInteraction(delegate: target)
      drop.acceptedTypes = ["text/plain"]
      _ = region(target, window(d, 850, 0x222222), [drop])
      let frame = Color(42, 127, 242)
      #expect(run([source, target]) { shows(d, 852, 400, frame) })
      #expect(!shows(d, 640, 400, frame))
      #expect(run([source, target]) { source.calls.contains("didEnd(cancel)") })
      #expect(run([source, target]) { !shows(d, 852, 400, frame) })
    }

    @Test("T8, T13: a picture that cannot be used gives a plain card and an error, and nothing else")
    func T8_T13_aPictureThatCannotBeUsed() throws {
      let d = try Desktop(script(to: 640, 150, releasedAt: 4300))
      let source = try App(d, "source")
      let from = window(d, 50, 0x3366CC)
      let region = region(source, from, [DragInteraction(delegate: source)])
      source.items = (0..<3).map { item("\($0)") }
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
        case "1": return TargetedDragPreview(view: .pixmap(0, width: 9, height: 9), target: target)
        default: return TargetedDragPreview(window: region.window, rect: region.frame, parameters: parameters)
        }
      }
      #expect(PreviewImage(width: 0, height: 0, premultipliedARGB: []) == nil)
      #expect(PreviewImage(width: 40_000, height: 40_000, premultipliedARGB: []) == nil)
      // The pixmap's: below its middle, where the card has no line.
      #expect(run([source]) { shows(d, 150, 385, Color(244, 245, 248), within: 12) })
      #expect(run([source]) { source.calls.contains("didEnd(cancel)") })
      #expect(refusals.count == 3, "\(refusals)")
      #expect(d.playToTheEnd() == 0)
    }
  }
}
