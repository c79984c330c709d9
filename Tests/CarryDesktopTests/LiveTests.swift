import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Which previews follow their windows and which are snapshots, with a compositing manager, in each phase of a drag.
  @Suite(.serialized) struct LivePreviews {
    private typealias Color = Screenshot.Color

    /// Whether a colour is one of full red, green and blue, as seen through a translucent stack or in the middle of a
    /// change.
    private static func has(_ red: Bool, _ green: Bool, _ blue: Bool) -> (Color) -> Bool {
      { c in
        let (r, g, b) = (c.red > 105, c.green > 105, c.blue > 105)
        return (r, g, b) == (red, green, blue) && max(c.red, c.green, c.blue) > 130
          && min(c.red, c.green, c.blue) < 90
      }
    }

    private static var colors: [(name: String, is: (Color) -> Bool)] {
      [
        ("red", has(true, false, false)), ("green", has(false, true, false)), ("yellow", has(true, true, false)),
        ("cyan", has(false, true, true)), ("magenta", has(true, false, true)),
      ]
    }

    /// The colours on a picture of the screen, but for where the parts of the windows themselves are.
    private static func look(_ shot: Screenshot) -> Set<String> {
      let areas = [(410, 10, 860, 280), (450, 300, 690, 450), (1150, 300, 100, 340)].map {
        CarryModel.Rect(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
      }
      // Where two colours meet there may be a third, of a pixel or two.
      let seen = colors.filter { color in
        areas.contains { (shot.blob(in: $0, step: 6, where: color.is)?.count ?? 0) > 4 }
      }
      return Set(seen.map(\.name))
    }

    /// What was seen outside of the windows that are painted, once the pictures could have changed.
    private struct Seen {
      var isRisenLive = false
      var carriedChanged = 0
      var carriedStayed = 0
      /// While items end: colours in pictures of the screen, in their order.
      var ends: [Set<String>] = []
    }

    /// Three items that are parts of a window: the first is the region as usual, and the last becomes another part when
    /// the drag begins. As they end the first does what is usual, the second does that elsewhere, and the last becomes
    /// a part of a window again. Parts are red, green and blue as they have risen, yellow afterwards, and cyan as soon
    /// as the items fly.
    private func play(drops: Bool) throws -> Seen {
      let path = "/tmp/carry-live-\(getpid()).conf"
      try Desktop.write(Array("[animation]\ncancel-ms = 700\n".utf8), to: path)
      defer { unlink(path) }
      var s = Traces.screen
      let f = s.down(110, 110, at: 0)
      s.move(f, to: 640, 120, from: 1200, until: 1400)
      if drops { s.move(f, to: 700, 450, from: 2100, until: 2200) }
      s.up(f, at: drops ? 2600 : 2300)
      let d = try Desktop(s, clients: drops ? 2 : 1, options: ["--config", path])
      let source = try Player(d, "source")
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 50, width: 350, height: 250), color: 0x303030)
      let goal = d.client.makeWindow(CarryModel.Rect(x: 450, y: 300, width: 800, height: 450), color: 0x303030)
      d.client.sync()
      let places = [(20, 20), (120, 20), (220, 20), (20, 140)].map {
        Carry.Rect(x: $0.0, y: $0.1, width: 80, height: 80)
      }
      let other = Carry.Rect(x: 700, y: 350, width: 80, height: 80)
      func paint(_ colors: [UInt32]) {
        for (place, color) in zip(places, colors) {
          d.client.fill(
            window, CarryModel.Rect(x: Double(place.x), y: Double(place.y), width: 80, height: 80), color: color)
        }
        d.client.fill(goal, CarryModel.Rect(x: 700, y: 350, width: 80, height: 80), color: colors[2])
        d.client.sync()
      }
      let region = source.region(window, places[0], [DragInteraction(delegate: source)])
      var hasFlown = false
      func ends(_ what: String, _ fraction: Double) {
        guard what != "lift", fraction > 0, !hasFlown else { return }
        hasFlown = true
        paint([0x00FFFF, 0x00FFFF, 0x00FFFF, 0x00FFFF])
      }
      source.items = { _ in
        ["usual", "elsewhere", "own"].map { name in
          let item = DesktopTests.item(name)
          item.itemProvider.suggestedName = name
          return item
        }
      }
      source.lift = { item in
        switch item.localObject as? String {
        case "elsewhere": TargetedDragPreview(window: window.raw, rect: places[1])
        case "own": TargetedDragPreview(window: window.raw, rect: places[2])
        default: .usual(of: region)
        }
      }
      var isPainted = false
      source.progress = { what, fraction in
        if what == "lift", fraction > 0.3, fraction < 1, !isPainted {
          isPainted = true
          paint([0xFF0000, 0x00FF00, 0x0000FF, 0xFF00FF])
        }
        ends(what, fraction)
      }
      source.begins = { session in
        session.items[2].previewProvider = { DragPreview(view: .window(window.raw, places[3])) }
      }
      func answer(
        _ item: DragItem, _ preview: TargetedDragPreview, _ place: Region, _ elsewhere: Carry.Point, _ own: Carry.Point,
        _ part: PreviewView
      ) -> TargetedDragPreview {
        switch item.itemProvider.suggestedName {
        case "elsewhere": preview.retargetedPreview(with: DragPreviewTarget(container: place, center: elsewhere))
        case "own": TargetedDragPreview(view: part, target: DragPreviewTarget(container: place, center: own))
        default: preview
        }
      }
      source.cancel = { item, preview in
        answer(
          item, preview, region, .init(x: 930, y: 200), .init(x: 430, y: 560), .window(window.raw, places[2]))
      }
      var players = [source]
      if drops {
        let target = try Player(d, "target")
        let to = target.region(
          goal, .init(x: 0, y: 0, width: 800, height: 450), [DropInteraction(delegate: target)])
        target.drop = { item, preview in
          answer(item, preview, to, .init(x: 740, y: 60), .init(x: 60, y: 390), .window(goal.raw, other))
        }
        target.progress = ends
        players.append(target)
      }
      var seen = Seen()
      var isYellow = false
      let isOver = Player.run(players) {
        let wasYellow = isYellow
        let hadFlown = hasFlown
        // From the answer on how they end the items may fly.
        let isCarried =
          source.calls.contains("willBegin") && !source.calls.contains("will cancel")
          && players.last?.calls.contains("performDrop") == false
        guard let shot = d.client.screenshot() else { return false }
        if isPainted, !source.calls.contains("willBegin") {
          // Just above the parts, where the risen pictures reach.
          let rims = [
            (110, Self.has(true, false, false)), (210, Self.has(false, true, false)),
            (320, Self.has(false, false, true)),
          ]
          seen.isRisenLive = seen.isRisenLive || rims.allSatisfy { $0.1(shot[$0.0, 69]) }
        } else if hadFlown {
          seen.ends.append(Self.look(shot))
        } else if isCarried {
          let colors = Self.look(shot)
          if !isYellow, colors.contains("magenta") {
            isYellow = true
            paint([0xFFFF00, 0xFFFF00, 0xFFFF00, 0xFFFF00])
          } else if wasYellow, shot[110, 110].distance(to: Color(255, 255, 0)) < 30 {
            if colors.contains("yellow") {
              seen.carriedChanged += 1
            } else if colors.contains("magenta") {
              seen.carriedStayed += 1
            }
          }
        }
        return source.calls.contains(drops ? "didTransfer" : "didEnd(cancel)")
          && (!drops || players[1].calls.contains("concludeDrop"))
      }
      #expect(isOver, "\(players.map(\.calls))")
      return seen
    }

    @Test(
      "P20, L14, DA10: live as they rise, a snapshot while carried; as they end, live where they are a part of a window",
      arguments: [false, true])
    func P20_liveAndSnapshot(drops: Bool) throws {
      let seen = try play(drops: drops)
      #expect(seen.isRisenLive, "the risen pictures do not follow their window")
      #expect(seen.carriedStayed > 0 && seen.carriedChanged == 0, "\(seen.carriedStayed) and \(seen.carriedChanged)")
      let cyan = try #require(seen.ends.firstIndex { $0.contains("cyan") }, "\(seen.ends)")
      // By then the others could have followed, too.
      let after = seen.ends[cyan...]
      #expect(after.contains { $0.contains("green") }, "\(seen.ends)")
      #expect(drops ? seen.ends.contains { $0.contains("red") } : after.contains { $0.contains("red") }, "\(seen.ends)")
    }
  }
}
