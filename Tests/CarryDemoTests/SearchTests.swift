import CLinux
import CX11
import CarryModel
import CarrySystem
import CarryTesting
import DemoKit
import Testing

extension DemoTests {
  /// Search at 40,100 of the screen, 460×420: its first result is at 270,213.
  @Suite(.serialized) struct SearchTests {
    @Test(
      "G11, DM1, F1: a result of an app that does not run is found, lifts, and is served, also when search is gone"
    )
    func G11_DM1_F1_resultsOfAppsThatDoNotRun() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start + 1500
      s.carry(from: (270, 213), at: t, .to(1000, 300, (t + 700)...(t + 1100)), upAt: t + 4000)
      let d = try Desktop(demo: s, apps: 2, hasManifests: true)
      let app = try d.start("carry-search", ["--json", "--geometry", "460x420+40+100"])
      let target = try d.receiver("250x400+900+100")
      #expect(app.said("ready") != nil)
      let window = try #require(d.window(titled: "Search"))
      for (key, found) in [
        (XK_a, "customers/Ada Lindqvist.vcf"), (XK_d, "customers/Ada Lindqvist.vcf"),
      ] {
        d.press(key, in: window)
        #expect(app.said("found", found) != nil)
      }
      #expect(d.step("entered") != nil)
      d.shoot("search")
      app.stop(SIGKILL)
      #expect(target.said("received", "Ada Lindqvist.vcf") != nil)
      let bytes = try Files.read(d.received + "/Ada Lindqvist.vcf", limit: 1 << 20)
      #expect(String(decoding: bytes, as: UTF8.self).contains("+46 70 555 01 20"))
    }
  }
}
