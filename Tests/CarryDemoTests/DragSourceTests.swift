import CarryModel
import CarryTesting
import CX11
import Testing

extension DemoTests {
  /// Drag Source at 20,40 of the screen, 600×720: its stacks are at 104, 250, 392 and 530 from the left, 188 from the
  /// top.
  @Suite(.serialized) struct DragSourceTests {
    private static let geometry = "600x720+20+40"

    @Test("DM9, A3, A4, A10, A11, L18: a stack lifts an item for each image; taps on others add theirs, once")
    func DM9_A3_A10_stacksLiftAnItemForEachImage() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      let f = s.down(104, 188, at: t)
      s.move(f, to: 640, 600, from: t + 800, until: t + 1200)
      for (i, x) in [250, 392, 530, 530, 104].enumerated() { s.tap(x, 188, at: t + 1600 + i * 400) }
      s.move(f, to: 1100, 300, from: t + 3800, until: t + 4200)
      s.up(f, at: t + 4400)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drag-source", "--json", "--geometry", Self.geometry)
      let target = try d.receiver("250x400+1000+100")
      #expect(app.said("lifting", "\"stack\": 0, \"items\": 3") != nil)
      // Each of the three is seen: the lower ones look out beside the uppermost, and what they leave is pale.
      for (stack, items) in [(1, 5), (2, 8), (3, 10)] {
        #expect(app.said("added", "\"stack\": \(stack), \"items\": \(items)") != nil)
      }
      d.shoot("stacks")
      // Twice the same stack, and the one that began it: nothing more.
      let ended = try #require(app.said("ended"))
      #expect(ended.contains("\"operation\": \"copy\", \"items\": 10"))
      var names: Set<String> = []
      for _ in 0..<10 {
        guard let line = target.said("received") else { break }
        names.insert(line)
      }
      #expect(names.count == 10)
      // It says all that it has to say, and ends with the engine.
      #expect(target.said("received") == nil)
    }

    @Test("DM9, A4: with doubles allowed a stack that is tapped again gives its images again; a lift goes back")
    func DM9_A4_doublesWhereTheyAreAllowed() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // First let go as soon as it has risen: the stack comes back.
      let g = s.down(104, 188, at: t)
      s.up(g, at: t + 850)
      s.tap(597, 70, at: t + 1500)
      s.carry(
        from: (250, 188), at: t + 2000, .to(1000, 600, (t + 2800)...(t + 3100)), .tap(250, 188, at: t + 3500),
        upAt: t + 4200)
      let d = try Desktop(demo: s)
      let app = try d.start("carry-drag-source", "--json", "--geometry", Self.geometry)
      // The white rim of the uppermost print.
      let rim = (x: 64, y: 188)
      #expect(app.said("connected") != nil)
      #expect(d.shows { $0[rim.x, rim.y].distance(to: .init(255, 255, 255)) < 12 })
      #expect(app.said("lifting", "\"stack\": 0") != nil)
      // Xvfb has no touches for windows: the switch is worked by key.
      let window = try #require(d.window(titled: "Drag Source"))
      d.press(XK_d, in: window)
      #expect(app.said("doubles", "yes") != nil)
      #expect(app.said("sank", "\"stack\": 0") != nil)
      #expect(d.shows { $0[rim.x, rim.y].distance(to: .init(255, 255, 255)) < 12 })
      #expect(app.said("lifting", "\"stack\": 1, \"items\": 2") != nil)
      #expect(app.said("added", "\"stack\": 1, \"items\": 4") != nil)
      #expect(app.said("ended", "\"operation\": \"cancel\", \"items\": 4") != nil)
    }

    @Test("DM10, L9, L12, P1, P3, P12, E3: two codes rise off their own places, the picture pales, and they fly back")
    func DM10_L9_P3_codesRiseOffTheirPlacesAndFlyBack() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // On the right one, which is the uppermost.
      let f = s.down(252, 469, at: t)
      // Risen, and at rest for a while.
      s.move(f, to: 900, 200, from: t + 4900, until: t + 5300)
      s.up(f, at: t + 9300)
      let d = try Desktop(demo: s)
      let app = try d.start("carry-drag-source", "--json", "--geometry", Self.geometry)
      #expect(app.said("connected") != nil)
      // A place of the wall below the codes, and what is right beside them.
      let wall = (x: 100, y: 525)
      let beside = [(x: 66, y: 400), (x: 213, y: 470)]
      #expect(d.shows { $0[wall.x, wall.y].green > 80 && $0[wall.x, wall.y].red < 120 })
      let before = try #require(d.client.screenshot())
      #expect(app.said("codes-lifting", "\"items\": 2") != nil)
      // Risen, each is a little larger, where it was.
      #expect(d.shows { shot in beside.allSatisfy { shot[$0.x, $0.y].red > 225 } })
      #expect(beside.allSatisfy { before[$0.x, $0.y].red < 120 })
      d.shoot("codes-risen")
      #expect(app.said("codes-lifted", "end") != nil)
      // Half of the wall's colour over white; the carried codes are as dark as ever.
      d.shoot("codes-carried")
      #expect(d.shows { abs($0[wall.x, wall.y].red - (before[wall.x, wall.y].red + 255) / 2) < 12 })
      #expect(d.shows { shot in (860..<940).contains { x in (160..<240).contains { shot[x, $0].red < 60 } } })
      for name in ["Left code.png", "Right code.png"] { #expect(app.said("code-home", name) != nil) }
      #expect(app.said("ended", "\"operation\": \"cancel\"") != nil)
      #expect(d.shows { $0[wall.x, wall.y].distance(to: before[wall.x, wall.y]) < 3 })
      #expect(d.engine.waitForExit(seconds: 20) == 0)
    }

    @Test("DM11, B6, P14, P16: the located photo becomes a platter once it moves, and gives image and place")
    func DM11_B6_P14_theLocatedPhotoBecomesAPlatter() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (480, 460), at: t, .to(1100, 300, (t + 1300)...(t + 1800)), upAt: t + 7000)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drag-source", "--json", "--geometry", Self.geometry)
      let target = try d.start("carry", "drop", "--json", "--accept", "text/uri-list", "--geometry", "250x400+1000+100")
      #expect(app.said("connected") != nil)
      #expect(d.step("began") != nil)
      #expect(app.said("location-begins") != nil)
      #expect(app.said("platter") != nil)
      // What is beside the finger is the platter's paper now, where the lake was.
      #expect(d.shows { $0[1085, 295].blue > 190 && $0[1085, 295].red > 215 })
      d.shoot("platter")
      #expect(target.said("received", "geo:46.3639,14.0938") != nil)
      #expect(app.said("ended") != nil)
    }
  }
}
