import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  /// The map at 660,100 of the screen, 600×520; the place that Drag Source knows is at its middle, more or less.
  @Suite(.serialized) struct MapTests {
    @Test("DM11, I5: a photo that knows its place gets a pin there, wherever it is dropped")
    func DM11_thePin() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // The photo of the lake, in Drag Source at 20,40.
      s.carry(from: (460, 440), at: t, .to(1180, 200, (t + 800)...(t + 1300)), upAt: t + 2200)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drag-source", "--json", "--geometry", "600x720+20+40")
      let map = try d.start("carry-map", "--json", "--geometry", "600x520+660+100")
      #expect(app.said("platter") != nil)
      #expect(map.said("pinned", "\"latitude\": 46.3639, \"longitude\": 14.0938, \"name\": \"Lake Bled\"") != nil)
      // The pin's head, above the middle of the map.
      let red = Screenshot.Color(228, 72, 58)
      #expect(
        d.shows { shot in (925..<960).contains { x in (315..<345).contains { shot[x, $0].distance(to: red) < 20 } } })
      // It has come down: what it says is above it.
      #expect(d.shows { $0[900, 300].distance(to: .init(255, 255, 255)) < 8 })
      d.shoot("map")
      #expect(app.said("ended", "copy") != nil)
    }

    @Test(
      "DM11: what names no place on the earth gets no pin, and the map says so",
      arguments: [
        ("text/uri-list", "geo:\r\n"), ("text/uri-list", "geo:;crs=wgs84"), ("text/uri-list", "geo:91,0"),
        ("application/geo+json", "{\"coordinates\":[nan,0]}"), ("application/geo+json", "\"coordinates\"]["),
        ("application/geo+json", "{\"coordinates\":[[14,46],[15,46]]}"),
      ])
    func DM11_noPlace(_ type: String, _ text: String) throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (100, 300), at: t, .to(960, 300, (t + 700)...(t + 1000)), upAt: t + 1300)
      let d = try Desktop(demo: s, apps: 2)
      let map = try d.start("carry-map", "--json", "--geometry", "600x520+660+100")
      try Files.write(text, to: d.folder + "/place")
      let source = try d.start(
        "carry", "drag", "--type", type, "--data", d.folder + "/place", "--geometry", "200x400+0+100")
      #expect(map.said("failed", "It names no place") != nil)
      #expect(map.isRunning)
      withExtendedLifetime(source) {}
    }
  }
}
