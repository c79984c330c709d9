import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import CX11
import Testing

extension DesktopTests {
  /// What is seen of items whose application says nothing of their looks, or that they have none.
  @Suite(.serialized) struct DefaultPreviews {
    private typealias Color = Screenshot.Color

    /// A source without `previewForLifting`: where cancelled items go is all that it says.
    private final class Plain: DragInteractionDelegate {
      let count: Int
      var places: [DragPreviewTarget] = []
      var hasEnded = false

      init(_ count: Int) { self.count = count }

      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
        (0..<count).map { n in
          let item = DragItem(itemProvider: ItemProvider(text: "\(n)"))
          item.localObject = n
          return item
        }
      }
      func dragInteraction(
        _ i: DragInteraction, previewForCancelling item: DragItem, withDefault preview: TargetedDragPreview
      ) -> TargetedDragPreview? {
        (item.localObject as? Int).map { preview.retargetedPreview(with: places[$0]) }
      }
      func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
        hasEnded = true
      }
    }

    @Test("L8: without previewForLifting each item is a picture of the whole region")
    func L8_eachItemIsTheWholeRegion() throws {
      let count = 3
      var s = Traces.screen
      s.carry(from: (170, 350), at: 0, .to(640, 200, 900...1100), upAt: 1300)
      // A shot of the screen takes a fifth of a second on a busy machine, and they are there for the last of the way only.
      let d = try Desktop(s, settings: "[animation]\ncancel-ms = 8000\n")
      let client = try Client(name: "plain", socket: d.socket)
      let plain = Plain(count)
      // The screen is the compositing manager's from here on: nothing is seen that it has not taken over.
      #expect(d.shows { $0[1270, 790] != Color(0, 0, 0) })
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), color: 0x202020)
      // A mark in each corner of the region, which is a part of the window.
      let frame = CarryModel.Rect(x: 20, y: 20, width: 200, height: 160)
      let body = Color(192, 0, 192)
      let marks: [(x: Double, y: Double, color: Color)] = [
        (-73, -53, Color(255, 0, 0)), (73, -53, Color(0, 200, 0)), (-73, 53, Color(0, 0, 255)),
        (73, 53, Color(255, 255, 0)),
      ]
      func paint() {
        d.client.fill(window, frame, color: 0xC000C0)
        for mark in marks {
          let c = mark.color
          d.client.fill(
            window,
            CarryModel.Rect(
              x: frame.center.x + mark.x - 15, y: frame.center.y + mark.y - 15, width: 30, height: 30),
            color: UInt32(c.red << 16 | c.green << 8 | c.blue))
        }
        d.client.sync()
      }
      // What a window shows is lost when the compositing manager takes it over.
      #expect(
        d.shows { shot in
          paint()
          return shot[170, 350] == body && shot[97, 297] == marks[0].color
        })
      let region = Region(client: client, window: window.raw, frame: .init(x: 20, y: 20, width: 200, height: 160))
      region.addInteraction(DragInteraction(delegate: plain))
      let places = [(x: 200, y: 660), (x: 560, y: 660), (x: 920, y: 660)]
      plain.places = places.map {
        DragPreviewTarget(container: region, center: .init(x: Double($0.x - 70), y: Double($0.y - 270)))
      }
      func isWhole(_ shot: Screenshot, at place: (x: Int, y: Int)) -> Bool {
        marks.allSatisfy { shot[place.x + Int($0.x), place.y + Int($0.y)].distance(to: $0.color) < 50 }
          && [-94, 94].allSatisfy { shot[place.x + $0, place.y].distance(to: body) < 50 }
          && [-72, 72].allSatisfy { shot[place.x, place.y + $0].distance(to: body) < 50 }
          && [-115, 115].allSatisfy { shot[place.x + $0, place.y].distance(to: body) > 60 }
      }
      // Risen, it is a little larger than the region.
      func step(_ condition: (Screenshot) -> Bool) -> Bool {
        Wait.until(seconds: 20, descriptor: client.fileDescriptor) {
          try? client.dispatch()
          return plain.hasEnded || d.client.screenshot().map(condition) == true
        }
      }
      let isRisen = step {
        $0.blob(in: .init(x: 58, y: 300, width: 10, height: 100), step: 2) { $0.distance(to: body) < 50 } != nil
      }
      #expect(isRisen && !plain.hasEnded)
      var seen: Set<Int> = []
      let isOver = step { shot in
        for i in places.indices where isWhole(shot, at: places[i]) { seen.insert(i) }
        return false
      }
      #expect(isOver)
      #expect(seen == Set(0..<count))
      withExtendedLifetime(region) {}
    }

    @Test("L10: an item whose preview is nil is not seen, neither as it lifts nor afterwards")
    func L10_nilIsNotSeen() throws {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      let g = s.down(1000, 400, at: 50)
      s.move(f, to: 400, 150, from: 900, until: 1100)
      s.move(g, to: 1050, 150, from: 950, until: 1150)
      s.up(f, at: 1500)
      s.up(g, at: 1550)
      let d = try Desktop(s, clients: 2, settings: Desktop.slowFlights)
      let unseen = try Player(d, "unseen")
      defer { unseen.close() }
      let half = try Player(d, "half seen")
      defer { half.close() }
      // What no window covers looks as the compositing manager likes, and when it likes.
      d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 1280, height: 800), color: 0x405060)
      unseen.region(
        CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), color: 0x3366CC, [DragInteraction(delegate: unseen)])
      let place = half.region(
        CarryModel.Rect(x: 850, y: 250, width: 300, height: 300), color: 0x00AA00, [DragInteraction(delegate: half)])
      unseen.items = { _ in [DesktopTests.item("nothing")] }
      half.items = { _ in [DesktopTests.item("nothing"), DesktopTests.item("something")] }
      half.lift = { $0.localObject as? String == "something" ? TargetedDragPreview(region: place) : nil }
      half.cancel = { item, preview in
        let x = item.localObject as? String == "something" ? 250.0 : -150
        return preview.retargetedPreview(with: DragPreviewTarget(container: place, center: .init(x: x, y: 400)))
      }
      #expect(
        d.shows {
          $0[200, 400] == Color(0x33, 0x66, 0xCC) && $0[1000, 400] == Color(0, 0xAA, 0)
            && $0[600, 20] == Color(0x40, 0x50, 0x60)
        })
      let before = try #require(d.client.screenshot())
      func changes(_ shot: Screenshot, _ rect: CarryModel.Rect) -> Int {
        var n = 0
        for y in stride(from: Int(rect.y), to: Int(rect.y + rect.height), by: 5) {
          for x in stride(from: Int(rect.x), to: Int(rect.x + rect.width), by: 5)
          where shot[x, y].distance(to: before[x, y]) > 3 { n += 1 }
        }
        return n
      }
      var left = 0
      var (hiddenPlace, shownPlace) = (0, 0)
      let isOver = Player.run([unseen, half]) {
        guard let shot = d.client.screenshot() else { return false }
        left = max(left, changes(shot, .init(x: 0, y: 0, width: 600, height: 800)))
        hiddenPlace = max(hiddenPlace, changes(shot, .init(x: 660, y: 610, width: 80, height: 80)))
        shownPlace = max(shownPlace, changes(shot, .init(x: 1060, y: 610, width: 80, height: 80)))
        return [unseen, half].allSatisfy { $0.calls.contains("didEnd(cancel)") }
      }
      #expect(isOver)
      // It lifted, was carried and came to an end like any other.
      #expect(unseen.calls.contains("willBegin") && half.calls.contains("willBegin"))
      #expect(left == 0, "something is seen of it")
      #expect(hiddenPlace == 0 && shownPlace > 200, "\(hiddenPlace) and \(shownPlace) of 256 changed")
    }

    @Test("P5: nothing is put into an application's windows, and they stay where they are, through whole drags")
    func P5_windowsStayAsTheyAre() throws {
      var s = Traces.screen
      s.carry(
        from: (200, 400), at: 0, .to(640, 600, 700...1000), .tap(120, 300, at: 1400), .to(1000, 400, 2000...2200),
        upAt: 2500)
      // Another one, that is cancelled.
      s.carry(from: (200, 400), at: 3200, .to(640, 150, 3800...4000), upAt: 4100)
      let d = try Desktop(s, clients: 2)
      let x = d.client.connection
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let windows = [50.0, 850].map { left in
        d.client.makeWindow(CarryModel.Rect(x: left, y: 250, width: 300, height: 300), color: 0x3366CC)
      }
      for w in windows { d.client.makeWindow(CarryModel.Rect(x: 20, y: 20, width: 100, height: 100), in: w) }
      d.client.sync()
      func tree() -> [[CarryModel.WindowID]] { windows.map { d.client.children(of: $0) } }
      let before = tree()
      // Of all that happens to them and below them the server tells, and of new windows on the screen.
      for w in windows { XSelectInput(x, UInt(w.raw), SubstructureNotifyMask | StructureNotifyMask) }
      XSelectInput(x, UInt(d.client.root.raw), SubstructureNotifyMask)
      d.client.sync()
      let whole = Carry.Rect(x: 0, y: 0, width: 300, height: 300)
      let from = source.region(windows[0], whole, [DragInteraction(delegate: source)])
      let to = target.region(windows[1], whole, [DropInteraction(delegate: target)])
      source.items = { _ in [DesktopTests.item("one")] }
      source.adding = { _, _ in [DesktopTests.item("two")] }
      source.lift = { _ in TargetedDragPreview(region: from) }
      target.drop = { _, preview in
        preview.retargetedPreview(with: DragPreviewTarget(container: to, center: .init(x: 60, y: 60)))
      }
      let isOver = Player.run([source, target]) {
        source.calls.contains("didEnd(cancel)") && target.calls.contains("sessionDidEnd")
      }
      #expect(isOver, "\(source.calls) \(target.calls)")
      for call in ["lift end", "willAdd(1)", "didEnd(copy)", "cancel end"] { #expect(source.calls.contains(call)) }
      #expect(target.calls.contains("drop end"))
      d.client.sync()
      var onRoot = 0
      var onTheirs: [CInt] = []
      while XPending(x) > 0 {
        var event = XEvent()
        XNextEvent(x, &event)
        if event.xany.window == UInt(d.client.root.raw) {
          if event.type == MapNotify { onRoot += 1 }
          // A window that is moved elsewhere tells its old parent.
          if event.type == ReparentNotify { onTheirs.append(event.type) }
        } else {
          onTheirs.append(event.type)
        }
      }
      #expect(onRoot > 0, "no preview was mapped")
      #expect(onTheirs.isEmpty, "event types \(onTheirs)")
      #expect(tree() == before)
      #expect(windows.allSatisfy { d.client.children(of: d.client.root).contains($0) })
    }
  }
}
