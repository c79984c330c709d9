import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  @Suite(.serialized) struct NotesTests {
    @Test("LO1, LO2, O4, G12: a paragraph moves in its note, a link goes to the + and on to another app")
    func LO1_LO2_O4_G12_textMovesAndLinksTravel() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // The second line, to the left of the first.
      s.carry(
        from: (80, 139), at: t, .to(300, 300, (t + 700)...(t + 1000)), .to(40, 110, (t + 1000)...(t + 1400)),
        upAt: t + 1700)
      // The third line, an address, to the +.
      s.carry(from: (120, 165), at: t + 2800, .to(240, 45, (t + 3500)...(t + 4000)), upAt: t + 4250)
      // The link of the tab that this has made, to another window.
      s.carry(from: (200, 120), at: t + 5400, .to(1000, 300, (t + 6100)...(t + 6600)), upAt: t + 6800)
      let d = try Desktop(demo: s, apps: 2)
      let note = d.folder + "/note.txt"
      try Files.write("first\nsecond\nhttps://www.example.org/a?b=c", to: note)
      let notes = try d.start("carry-notes", "--json", "--geometry", "600x400+20+20", note)
      let target = try d.start("carry", "drop", "--json", "--geometry", "300x300+850+150")
      #expect(notes.said("lifted") != nil)
      #expect(d.step("began") != nil)
      d.shoot("notes-carried")
      let moved = try #require(notes.said("moved"))
      #expect(moved.contains("\"text\": \"secondfirst\\n\\nhttps://www.example.org/a?b=c\""))
      let opened = try #require(notes.said("link-opened"))
      #expect(opened.contains("\"tabs\": [\"secondfirst\", \"example.org\"], \"current\": 1"))
      d.shoot("notes-link-card")
      let received = try #require(target.said("received"))
      #expect(received.contains("\"type\": \"text/uri-list\""))
      #expect(received.contains("\"text\": \"https://www.example.org/a?b=c\\r\\n\""))
      #expect(received.contains("\"name\": \"example.org\""))
      #expect(notes.said("copied-out") != nil)
      // Back, in the first tab.
      let window = try #require(d.window(titled: "example.org – Notes") ?? d.window(titled: "Notes"))
      d.press(XK_Tab, in: window, control: true)
      d.press(XK_z, in: window, control: true)
      #expect(notes.said("undone")?.contains("\"text\": \"first\\nsecond\\n") == true)
    }

    @Test("hovering over the + makes a tab, and the text is dropped into it") func hoveringOverThePlus() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(
        from: (100, 600), at: t, .to(640, 145, (t + 700)...(t + 1100)), .to(700, 300, (t + 3300)...(t + 3800)),
        upAt: t + 4000)
      let d = try Desktop(demo: s, apps: 2)
      let notes = try d.start("carry-notes", "--json", "--geometry", "600x400+420+120")
      let source = try d.start("carry", "drag", "--json", "--text", "grüße", "--geometry", "200x150+0+540")
      #expect(notes.said("spring-opened", "\"tabs\": [\"New note\", \"New note\"], \"current\": 1") != nil)
      #expect(notes.said("text-dropped", "\"tabs\": [\"New note\", \"grüße\"]") != nil)
      #expect(source.said("dropped") != nil)
    }

    @Test("Keys write, move, delete and take back") func keysWriteMoveDeleteAndTakeBack() throws {
      let d = try Desktop()
      let notes = try d.start("carry-notes", "--json")
      try #require(notes.said("ready") != nil)
      try #require(Wait.until { d.window(titled: "Notes") != nil })
      let window = try #require(d.window(titled: "Notes"))
      for key in [XK_a, XK_b, XK_c, XK_Left, XK_BackSpace] { d.press(key, in: window) }
      #expect(notes.said("typed", "\"text\": \"ac\"")?.contains("\"caret\": 1") == true)
      d.press(XK_z, in: window, control: true)
      #expect(notes.said("undone", "\"text\": \"abc\"") != nil)
      d.press(XK_t, in: window, control: true)
      #expect(notes.said("opened", "\"current\": 1") != nil)
      d.press(XK_w, in: window, control: true)
      #expect(notes.said("closed", "\"tabs\": [\"abc\"]") != nil)
    }
  }
}
