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

    /// Whether that is a colour of full red, green and blue, or of none of one of them, as seen through a translucent
    /// stack or in the middle of a change.
    private static func `is`(_ c: Color, _ name: String) -> Bool {
      let (r, g, b) = (c.red > 105, c.green > 105, c.blue > 105)
      guard max(c.red, c.green, c.blue) > 130, min(c.red, c.green, c.blue) < 90 else { return false }
      return switch name {
      case "red": r && !g && !b
      case "green": !r && g && !b
      case "blue": !r && !g && b
      case "yellow": r && g && !b
      case "cyan": !r && g && b
      default: r && !g && b
      }
    }

    /// The colours on a picture of the screen, but for where the parts of the windows themselves are.
    private static func look(_ shot: Screenshot) -> Set<String> {
      let areas = [(410, 10, 860, 280), (450, 300, 690, 450), (1150, 300, 100, 340)].map {
        CarryModel.Rect(x: $0.0, y: $0.1, width: $0.2, height: $0.3)
      }
      // Where two colours meet there may be a third, of a pixel or two.
      return Set(
        ["red", "green", "yellow", "cyan", "magenta"].filter { name in
          areas.contains { (shot.blob(in: $0, step: 6) { Self.is($0, name) }?.count ?? 0) > 4 }
        })
    }

    /// Three items that are parts of a window: the first is the region as usual, and the last becomes another part when
    /// the drag begins. As they end the first does what is usual, the second does that elsewhere, and the last becomes
    /// a part of a window again. Parts are red, green and blue as they have risen, yellow afterwards, and cyan as soon
    /// as the items fly.
    private final class Play {
      private enum Paint {
        static let risen: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFF00FF]
        static let carried = [UInt32](repeating: 0xFFFF00, count: 4)
        static let flying = [UInt32](repeating: 0x00FFFF, count: 4)
      }

      // What was seen outside of the parts themselves, once the pictures could have changed.
      var isRisenLive = false
      var carriedChanged = 0
      var carriedStayed = 0
      /// While items end: the colours on pictures of the screen, in their order.
      var ends: [Set<String>] = []

      private let d: Desktop
      private let source: Player
      private let target: Player?
      private let window: CarryModel.WindowID
      private let goal: CarryModel.WindowID
      private let places = [(20, 20), (120, 20), (220, 20), (20, 140)].map {
        Carry.Rect(x: $0.0, y: $0.1, width: 80, height: 80)
      }
      /// In the other window.
      private let other = Carry.Rect(x: 700, y: 350, width: 80, height: 80)
      private var painted: [UInt32] = []

      init(drops: Bool) throws {
        var s = Traces.screen
        let f = s.down(110, 110, at: 0)
        s.move(f, to: 640, 120, from: 2500, until: 2700)
        if drops { s.move(f, to: 700, 450, from: 4000, until: 4100) }
        s.up(f, at: drops ? 5500 : 4500)
        d = try Desktop(s, clients: drops ? 2 : 1, settings: Desktop.slowFlights)
        source = try Player(d, "source")
        target = drops ? try Player(d, "target") : nil
        window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 50, width: 350, height: 250), color: 0x303030)
        goal = d.client.makeWindow(CarryModel.Rect(x: 450, y: 300, width: 800, height: 450), color: 0x303030)
        d.client.sync()
        lift()
        end()
      }

      private func paint(_ colors: [UInt32]) {
        guard painted != colors else { return }
        painted = colors
        for (id, place, color) in zip(places, colors).map({ (window, $0, $1) }) + [(goal, other, colors[2])] {
          let rect = CarryModel.Rect(x: Double(place.x), y: Double(place.y), width: 80, height: 80)
          d.client.fill(id, rect, color: color)
        }
        d.client.sync()
      }

      private func lift() {
        let (window, places) = (window, places)
        let region = source.region(window, places[0], [DragInteraction(delegate: source)])
        source.items = { _ in
          ["usual", "elsewhere", "own"].map { name in
            let item = DesktopTests.item(name)
            item.itemProvider.suggestedName = name
            return item
          }
        }
        source.lift = { item in
          switch item.itemProvider.suggestedName {
          case "elsewhere": TargetedDragPreview(window: window.raw, rect: places[1])
          case "own": TargetedDragPreview(window: window.raw, rect: places[2])
          default: .usual(of: region)
          }
        }
        source.begins = { session in
          session.items[2].previewProvider = { DragPreview(view: .window(window.raw, places[3])) }
        }
      }

      private func end() {
        func answers(_ region: Region, _ elsewhere: Carry.Point, _ own: Carry.Point, _ part: PreviewView)
          -> (DragItem, TargetedDragPreview) -> TargetedDragPreview?
        {
          { item, preview in
            switch item.itemProvider.suggestedName {
            case "elsewhere": preview.retargetedPreview(with: .init(container: region, center: elsewhere))
            case "own": TargetedDragPreview(view: part, target: .init(container: region, center: own))
            default: preview
            }
          }
        }
        source.cancel = answers(
          source.regions[0], .init(x: 930, y: 200), .init(x: 430, y: 560), .window(window.raw, places[2]))
        for player in [source, target].compactMap({ $0 }) {
          player.progress = { [unowned self] what, fraction in
            guard fraction > 0 else { return }
            if what != "lift" { paint(Paint.flying) } else if painted.isEmpty { paint(Paint.risen) }
          }
        }
        guard let target else { return }
        let whole = Carry.Rect(x: 0, y: 0, width: 800, height: 450)
        let region = target.region(goal, whole, [DropInteraction(delegate: target)])
        target.drop = answers(region, .init(x: 740, y: 60), .init(x: 60, y: 390), .window(goal.raw, other))
      }

      /// Says whether it came to its end.
      func run() -> Bool {
        defer { for player in [source, target].compactMap({ $0 }) { player.close() } }
        return Player.run([source, target].compactMap { $0 }) {
          look()
          guard let target else { return source.calls.contains("didEnd(cancel)") }
          return source.calls.contains("didTransfer") && target.calls.contains("concludeDrop")
        }
      }

      private func look() {
        // From the answer on how they end the items may fly.
        let isEnding = source.calls.contains("will cancel") || target?.calls.contains("performDrop") == true
        guard let shot = d.client.screenshot() else { return }
        if painted == Paint.flying {
          ends.append(LivePreviews.look(shot))
        } else if source.calls.contains("willBegin"), !isEnding {
          let colors = LivePreviews.look(shot)
          if painted == Paint.risen, colors.contains("magenta") {
            paint(Paint.carried)
          } else if painted == Paint.carried, shot[110, 110].distance(to: Color(255, 255, 0)) < 30 {
            if colors.contains("yellow") { carriedChanged += 1 }
            if colors.contains("magenta") { carriedStayed += 1 }
          }
        } else if painted == Paint.risen {
          // Just above the parts, where the risen pictures reach.
          let rims = [(110, "red"), (210, "green"), (320, "blue")].map { LivePreviews.is(shot[$0.0, 69], $0.1) }
          isRisenLive = isRisenLive || rims.allSatisfy { $0 }
        }
      }
    }

    @Test(
      "P20, L14, DA10: live as they rise, a snapshot while carried; as they end, live where they are a part of a window",
      arguments: [false, true])
    func P20_liveAndSnapshot(drops: Bool) throws {
      let seen = try Play(drops: drops)
      #expect(seen.run())
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
