import CLinux
import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  /// Drawing at 40,100 of the screen, 480×460: the middle of its sheet is at 280,305. The target is at 700,100.
  @Suite(.serialized) struct DrawingTests {
    private static let drawing = ["--json", "--geometry", "480x460+40+100"]
    private static let target = "480x460+700+100"

    private static var script: FingerScript {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (280, 305), at: t, .to(940, 400, (t + 700)...(t + 1100)), upAt: t + 2600)
      return s
    }

    @Test(
      "DM20, I5: a drawing is had as itself, as PDF, PNG or JPEG: whatever the target names first",
      arguments: [
        ("application/vnd.carry.drawing", "drawing 1\n"), ("application/pdf", "%PDF-"),
        ("image/png", "\u{89}PNG"), ("image/jpeg", "\u{FF}\u{D8}\u{FF}"),
      ])
    func DM20_fourRepresentations(_ type: String, _ start: String) throws {
      let d = try Desktop(demo: Self.script, apps: 2)
      let app = try d.start("carry-drawing", Self.drawing)
      #expect(mkdir(d.received, 0o700) == 0)
      let target = try d.start(
        "carry", ["drop", "--json", "--accept", type, "--to", d.received, "--geometry", Self.target])
      #expect(target.said("received", "\"type\": \"\(type)\"") != nil)
      let name = try #require(Files.list(d.received).first)
      let bytes = try Files.read(d.received + "/" + name, limit: 1 << 20)
      let first = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      #expect(Array(bytes.prefix(first.count)) == first)
      #expect(app.said("ended", "\"operation\": 2") != nil)
    }

    @Test("DM20: another drawing takes the drawing itself, with all its areas") func DM20_theDrawingItself() throws {
      let d = try Desktop(demo: Self.script, apps: 2)
      let other = try d.start("carry-drawing", ["--json", "--geometry", Self.target])
      #expect(other.said("ready") != nil)
      let sky = (x: 940, y: 180)
      func shows(_ color: Screenshot.Color) -> Bool { d.shows { $0[sky.x, sky.y].distance(to: color) < 10 } }
      let blue = Screenshot.Color(0x2B, 0x3A, 0x67)
      // It says that it is ready, and what it does, before the X server has drawn it.
      #expect(shows(blue))
      d.press(XK_c, in: try #require(d.window(titled: "Drawing")))
      #expect(other.said("recolored") != nil)
      #expect(shows(Screenshot.Color(0x67, 0x2B, 0x3A)))
      let app = try d.start("carry-drawing", Self.drawing)
      #expect(other.said("shown", "\"areas\": 19") != nil)
      #expect(shows(blue))
      d.shoot("drawings")
      #expect(app.said("ended") != nil)
    }

    @Test("DM20, O5: above a read-only folder a drop is forbidden, and the window says why; nothing is written")
    func DM20_O5_aReadOnlyFolderForbids() throws {
      let d = try Desktop(demo: Self.script, apps: 2)
      #expect(mkdir(d.received, 0o700) == 0)
      let app = try d.start("carry-drawing", Self.drawing)
      let folder = try d.start("carry-folder", ["--json", "--read-only", "--geometry", Self.target, d.received])
      #expect(folder.said("ready", "\"read-only\": 1") != nil)
      #expect(d.monitor.readLine(seconds: 20) { $0.contains("forbidden") } != nil)
      d.shoot("folder-forbidden")
      #expect(app.said("ended", "\"operation\": 1") != nil)
      #expect(Files.list(d.received).isEmpty)
    }

    @Test("DM20: a folder that can be written to saves the drawing as a document")
    func DM20_aFolderSaves() throws {
      let d = try Desktop(demo: Self.script, apps: 2)
      #expect(mkdir(d.received, 0o700) == 0)
      let app = try d.start("carry-drawing", Self.drawing)
      let folder = try d.start("carry-folder", ["--json", "--geometry", Self.target, d.received])
      #expect(folder.said("saved", "Lighthouse.pdf") != nil)
      #expect(app.said("ended", "\"operation\": 2") != nil)
      d.shoot("folder")
    }

    @Test("DM20, O5: carry drop forbids when nothing can be saved in its folder any more")
    func DM20_O5_carryDropForbids() throws {
      let d = try Desktop(demo: Self.script, apps: 2)
      let app = try d.start("carry-drawing", Self.drawing)
      let target = try d.receiver(Self.target)
      // The window is there: the folder was, too, as it began.
      #expect(Wait.until { d.window(titled: "carry drop") != nil })
      #expect(rmdir(d.received) == 0)
      #expect(target.said("entered") != nil)
      #expect(d.monitor.readLine(seconds: 20) { $0.contains("forbidden") } != nil)
      d.shoot("drop-forbidden")
      #expect(app.said("ended", "\"operation\": 1") != nil)
    }
  }
}
