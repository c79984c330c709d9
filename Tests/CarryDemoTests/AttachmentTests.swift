import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import DemoKit
import Testing

extension DemoTests {
  /// Customers at 40,100 of the screen, 420×560: the first row's picture is at 403,199. The editor is at 560,100, 480×480.
  @Suite(.serialized) struct AttachmentTests {
    private static let customers = ["--json", "--geometry", "420x560+40+100"]
    private static let editor = "480x480+560+100"

    /// The picture goes to the editor, and rests above it for a while.
    private static func script(upAt end: Int) -> FingerScript {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (403, 199), at: t, .to(800, 300, (t + 700)...(t + 1100)), upAt: end)
      return s
    }

    @Test("DM19, F3, F5: a customer's picture is opened in place, changed and saved; the change shows in Customers")
    func DM19_F3_F5_theChangeShowsAtOnce() throws {
      let d = try Desktop(demo: Self.script(upAt: DemoTests.start + 1600), apps: 2, hasManifests: true)
      let app = try d.start("carry-customers", Self.customers)
      let editor = try d.start("carry-picture-editor", ["--json", "--geometry", Self.editor])
      #expect(editor.said("opened", "original") != nil)
      d.shoot("editor")
      let before = try Files.read(d.document("customers/The lake.jpg"), limit: 64 << 20)
      let window = try #require(d.window(titled: "Picture Editor"))
      d.press(XK_r, in: window)
      #expect(editor.said("turned") != nil)
      d.press(XK_s, in: window, control: true)
      #expect(editor.said("saved", "/customers/The lake.jpg") != nil)
      // It was wide, and is high now.
      let line = try #require(app.said("attachment-changed", "Ada Lindqvist"))
      let numbers = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers[0] < numbers[1], "\(line)")
      #expect(try Files.read(d.document("customers/The lake.jpg"), limit: 64 << 20) != before)
      d.shoot("attachment-changed")
    }

    @Test("DM19, F3: a picture that cannot be saved is not lost, nor by closing the window, and is saved later")
    func DM19_F3_othersHaveTheFile() throws {
      let d = try Desktop(demo: Self.script(upAt: DemoTests.start + 1600), apps: 2, hasManifests: true)
      let app = try d.start("carry-customers", Self.customers)
      let editor = try d.start("carry-picture-editor", ["--json", "--geometry", Self.editor])
      #expect(editor.said("opened", "original") != nil)
      let path = d.document("customers/The lake.jpg")
      let before = try Files.read(path, limit: 64 << 20)
      let window = try #require(d.window(titled: "Picture Editor"))
      d.press(XK_r, in: window)
      #expect(editor.said("turned") != nil)
      do {
        let file = try Descriptor.open(path, O_RDONLY)
        #expect(clinux_try_lock(file.raw, 0) == 0)
        d.press(XK_s, in: window, control: true)
        d.press(XK_q, in: window, control: true)
        #expect(editor.said("failed") != nil)
        d.shoot("editor-cannot-save")
        #expect(editor.isRunning)
      }
      #expect(try Files.read(path, limit: 64 << 20) == before)
      d.press(XK_s, in: window, control: true)
      #expect(editor.said("saved", "/customers/The lake.jpg") != nil)
      withExtendedLifetime(app) {}
    }

    @Test("DM19, F1, F2: Customers is closed in mid-drag, and its picture is opened in place all the same")
    func DM19_F1_F2_customersIsClosedInMidDrag() throws {
      let d = try Desktop(demo: Self.script(upAt: DemoTests.start + 4500), apps: 2, hasManifests: true)
      let app = try d.start("carry-customers", Self.customers)
      let editor = try d.start("carry-picture-editor", ["--json", "--turn", "--geometry", Self.editor])
      #expect(d.step("entered") != nil)
      app.stop(SIGKILL)
      #expect(editor.said("opened", "original") != nil)
      #expect(editor.said("saved", "/customers/The lake.jpg") != nil)
      // Customers shows the change when it is opened again.
      let again = try d.start("carry-customers", Self.customers)
      #expect(again.said("ready") != nil)
      d.shoot("customers-again")
    }

    @Test("DM19: without a manifest Customers serves its picture itself, and the editor still opens it in place")
    func DM19_withoutAManifest() throws {
      let d = try Desktop(demo: Self.script(upAt: DemoTests.start + 1600), apps: 2)
      let app = try d.start("carry-customers", Self.customers)
      let editor = try d.start("carry-picture-editor", ["--json", "--turn", "--geometry", Self.editor])
      #expect(editor.said("opened", "original") != nil)
      #expect(app.said("attachment-changed", "Ada Lindqvist") != nil)
    }

    @Test("DM19: a PNG file is still one when it is saved") func DM19_aPNGStaysOne() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (75, 290), at: t, .to(800, 300, (t + 700)...(t + 1000)), upAt: t + 1300)
      let d = try Desktop(demo: s, apps: 2)
      #expect(mkdir(d.folder + "/pictures", 0o700) == 0)
      let path = try d.makePicture("pictures/wide.png", width: 64, height: 32)
      let editor = try d.start("carry-picture-editor", ["--json", "--turn", "--geometry", Self.editor])
      let source = try d.start("carry-folder", "--json", "--geometry", "400x400+0+160", d.folder + "/pictures")
      #expect(editor.said("opened", "original") != nil && editor.said("saved", "wide.png") != nil)
      #expect(try Files.read(path, limit: 1 << 20).prefix(4) == [0x89, 0x50, 0x4E, 0x47])
      withExtendedLifetime(source) {}
    }

    @Test("DM19: a reference that leads out of the documents is refused") func DM19_referencesAreChecked() {
      #expect(Documents.path("customers/The lake.jpg")?.hasSuffix("/carry-demos/customers/The lake.jpg") == true)
      for bad in [
        "", "customers", "customers/", "customers/../x", "customers/a/b", "mail/x", "customers/.x", "/etc/passwd",
      ] {
        #expect(Documents.path(bad) == nil, "\(bad)")
      }
    }
  }
}
