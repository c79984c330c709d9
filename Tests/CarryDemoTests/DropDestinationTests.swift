import CX11
import CarryModel
import CarryTesting
import Testing

extension DemoTests {
  /// Drop Destination at 660,40 of the screen, 600×720: the first row's cells are at 771, 960 and 1149 from the left,
  /// 189 from the top; the bin is at 960,662.
  @Suite(.serialized) struct DropDestinationTests {
    private static let geometry = "600x720+660+40"

    @Test(
      "DM13, DM15, K2, DA16: dropped images have their places at once, a +n above them, and show when they have come")
    func DM13_DM15_droppedImagesHaveTheirPlacesAtOnce() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(
        from: (50, 200), at: t, .to(900, 450, (t + 700)...(t + 1200)), .tap(150, 450, at: t + 1600),
        .to(940, 480, (t + 2500)...(t + 2700)), upAt: t + 3000)
      // Words, afterwards.
      s.carry(from: (100, 700), at: t + 4200, .to(900, 450, (t + 4900)...(t + 5300)), upAt: t + 5900)
      let d = try Desktop(demo: s, apps: 3)
      let app = try d.start("carry-drop-destination", "--json", "--geometry", Self.geometry)
      let pictures = [try d.makePicture("A.png"), try d.makePicture("B.png", width: 200, height: 300)]
      let source = try d.start("carry", "drag", "--json", "--geometry", "200x400+0+100", pictures[0], pictures[1])
      let text = try d.start("carry", "drag", "--json", "--text", "words", "--geometry", "200x150+0+640")
      #expect(app.said("entered", "\"items\": 1") != nil)
      // The badge's green, by the stack.
      let isGreen = { (c: Screenshot.Color) in c.distance(to: .init(51, 186, 84)) < 40 }
      #expect(d.shows { shot in (880..<1060).contains { x in (360..<460).contains { isGreen(shot[x, $0]) } } })
      d.shoot("gallery-above")
      let dropped = try #require(app.said("dropped"))
      #expect(dropped.contains("[\"A.png landing\", \"B.png landing\"]"), "\(dropped)")
      #expect(app.said("concluded") != nil)
      #expect(source.said("dropped", "\"operation\": \"copy\"") != nil)
      #expect(d.shows { shot in [771, 960].allSatisfy { shot[$0, 189].distance(to: .init(26, 102, 230)) < 8 } })
      d.shoot("gallery")
      // Words are forbidden here, and stay where they are.
      #expect(d.monitor.readLine(seconds: 20) { $0.contains("forbidden") } != nil)
      d.shoot("gallery-forbidden")
      #expect(text.said("cancelled") != nil)
      #expect(d.engine.waitForExit(seconds: 20) == 0)
      let rest = app.linesToTheEnd()
      #expect(!rest.contains { $0.contains("\"dropped\"") }, "\(rest)")
    }

    @Test("DM14, DA5, DA7: an image shrinks into the bin, which grows for it and goes back; Ctrl+Z brings it back")
    func DM14_DA5_anImageShrinksIntoTheBin() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (771, 189), at: t, .to(800, 680, (t + 1000)...(t + 1500)), upAt: t + 2200)
      let d = try Desktop(demo: s)
      let app = try d.start("carry-drop-destination", "--json", "--samples", "--geometry", Self.geometry)
      #expect(app.said("connected") != nil)
      // Left of the lid: only a larger one reaches so far.
      let rim = (x: 937, y: 646)
      #expect(d.shows { $0[rim.x, rim.y].red > 200 && $0[rim.x, rim.y].blue > 200 })
      #expect(d.step("began") != nil)
      #expect(d.monitor.readLine(seconds: 20) { $0.contains("\"move\"") } != nil)
      #expect(d.shows { shot in (800..<960).contains { shot[$0, 664].distance(to: .init(196, 64, 47)) < 50 } })
      d.shoot("bin-above")
      let deleted = try #require(app.said("deleted"))
      #expect(!deleted.contains("Morning mist.png") && deleted.contains("[\"The lake.png shown\""))
      // A slow machine may take no picture of it while it is large: how large it was, the app says below.
      _ = Wait.until(seconds: 2) { d.client.screenshot().map { $0[rim.x, rim.y].blue < 170 } ?? false }
      d.shoot("bin-grown")
      // The session ends first, and then what is seen of it.
      #expect(app.said("carried-away") != nil)
      #expect(app.said("swallowed", "\"bin\": 1.25") != nil)
      #expect(d.shows { $0[rim.x, rim.y].blue > 200 }, "the bin does not go back")
      d.press(XK_z, in: try #require(d.window(titled: "Drop Destination")), control: true)
      #expect(app.said("brought-back", "[\"Morning mist.png shown\"") != nil)
    }

    @Test("DM12, DM15, G7, R7: slow images come one by one, what breaks off says so, and all else works meanwhile")
    func DM12_DM15_slowImagesComeWhileAllElseWorks() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // Two far images of Drag Source, the first and the one that breaks off.
      s.carry(
        from: (132, 680), at: t, .to(900, 500, (t + 800)...(t + 1200)), .tap(508, 680, at: t + 1500), upAt: t + 2300)
      // While they come, an image goes into the bin.
      s.carry(from: (771, 189), at: t + 2700, .to(960, 690, (t + 3400)...(t + 3700)), upAt: t + 3900)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drop-destination", "--json", "--samples", "--geometry", Self.geometry)
      let source = try d.start("carry-drag-source", "--json", "--delay", "3", "--geometry", "600x720+20+40")
      let dropped = try #require(app.said("dropped"))
      #expect(dropped.contains("\"Far morning mist.png landing\", \"Far poppies.png landing\""), "\(dropped)")
      #expect(app.said("concluded", "\"Far morning mist.png coming\", \"Far poppies.png coming\"") != nil)
      d.shoot("gallery-coming")
      // Its own spinners are enough: the engine's window, which would be here after half a second, does not come.
      var comes = false
      // The places of six samples and, in the third row, of what comes. That is more than a second after the drop.
      let isDeleted = Wait.until(seconds: 20) {
        let shot = d.client.screenshot()
        comes = comes || [740, 1060].contains { shot?[$0, 575].distance(to: .init(255, 255, 255)) ?? 255 < 8 }
        return app.said("deleted", "\"Far morning mist.png coming\"", seconds: 0) != nil
      }
      #expect(isDeleted && !comes, "\(comes ? "the engine shows what the gallery shows itself" : "nothing is deleted")")
      d.shoot("gallery-coming-2")
      let both = app.readLine(seconds: 20) {
        $0.contains("\"Far morning mist.png shown\"") && $0.contains("\"Far poppies.png failed\"")
      }
      #expect(both != nil)
      d.shoot("gallery-failed")
      #expect(source.said("transferred") != nil)
      // It is dismissed with keys here: the last one is selected.
      let window = try #require(d.window(titled: "Drop Destination"))
      for _ in 0..<8 { d.press(XK_Right, in: window) }
      d.press(XK_Delete, in: window)
      let dismissed = try #require(app.said("dismissed"))
      #expect(!dismissed.contains("poppies.png failed"))
    }

    @Test("DM15: while an image comes, its fraction grows, another image is carried away, and the grid scrolls")
    func DM15_theGridScrollsWhileAnImageComes() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (132, 680), at: t, .to(900, 200, (t + 800)...(t + 1200)), upAt: t + 1500)
      // The drop has scrolled to the third row: this is an image of the second.
      s.carry(from: (771, 170), at: t + 2300, .to(960, 430, (t + 3000)...(t + 3300)), upAt: t + 3600)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drop-destination", "--json", "--samples", "--geometry", "600x460+660+40")
      let source = try d.start("carry-drag-source", "--json", "--delay", "12", "--geometry", "600x720+20+40")
      let coming = "\"Far morning mist.png coming\""
      #expect(app.said("concluded", coming) != nil)
      let deleted = try #require(app.said("deleted", coming))
      #expect(!deleted.contains("Dunes.png"), "\(deleted)")
      let first = try #require(fraction(app.said("progress")))
      // Two rows are left, and a little of the first is out of sight.
      let window = try #require(d.window(titled: "Drop Destination"))
      let before = d.client.screenshot()?[771, 125]
      d.press(XK_Page_Up, in: window)
      #expect(app.said("scrolled", coming) != nil)
      #expect(d.shows { $0[771, 125] != before }, "the grid does not scroll")
      d.shoot("gallery-scrolled")
      let next = try #require(fraction(app.said("progress", "Far morning mist.png")))
      #expect(0 < first && first < next && next < 1, "\(first), \(next)")
      withExtendedLifetime(source) {}
    }

    private func fraction(_ line: String?) -> Double? {
      guard let line, let start = line.range(of: "\"fraction\": ") else { return nil }
      return Double(String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" }))
    }
  }
}
