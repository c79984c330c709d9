import CX11
import CarryModel
import CarrySystem
import CarryTesting
import DemoKit
import Testing

extension DemoTests {
  /// The dock lies in the middle of the lower edge; its icons are at 601,731 and 679,731.
  @Suite(.serialized) struct DockTests {
    @Test("DM1, G11, G12, S4: a link that hovers over the dock launches Notes, and opens in a new tab on its +")
    func DM1_G12_S4_aLinkOverTheDockLaunchesNotesAndOpensInATab() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      let f = s.down(100, 200, at: t)
      s.move(f, to: 679, 731, from: t + 700, until: t + 1300)
      // By now Notes is in the middle of the screen, its + behind its one tab.
      s.move(f, to: 510, 175, from: t + 4700, until: t + 5200)
      s.up(f, at: t + 5600)
      let d = try Desktop(demo: s, apps: 2)
      let source = try d.start(
        "carry", "drag", "--json", "--text", "https://www.example.org/tides", "--geometry", "200x200+0+100")
      // What the dock launches writes where the dock does.
      let dock = try d.start("carry-dock", "--json", "Pinboard=carry-pinboard", "Notes=carry-notes --json")
      #expect(dock.said("spring-possible", "\"name\": \"Notes\"") != nil)
      d.shoot("dock-hover")
      #expect(dock.said("spring-activating") != nil)
      d.shoot("dock-flash")
      #expect(dock.said("launched", "\"name\": \"Notes\", \"by\": \"spring\"") != nil)
      #expect(dock.said("ready", "\"tabs\": [\"New note\"]") != nil)
      #expect(d.step("dropped") != nil)
      let opened = try #require(dock.said("link-opened"))
      #expect(opened.contains("\"tabs\": [\"New note\", \"example.org\"], \"current\": 1"))
      #expect(opened.contains("\"link\": \"https://www.example.org/tides\""))
      d.shoot("notes-link")
      #expect(source.said("dropped", "\"operation\": \"copy\"") != nil)
      // So that others find its entry too.
      let notes = try #require(d.window(titled: "example.org – Notes") ?? d.window(titled: "Notes"))
      let place = d.client.property("_NET_WM_ICON_GEOMETRY", of: notes)
      #expect(place == [650, 702, 58, 58])
    }

    @Test("S4, G12: hovering over the icon of an app that runs raises its window, and text is dropped at the caret")
    func S4_G12_hoveringRaisesTheWindowOfAnAppThatRuns() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(
        from: (100, 700), at: t, .to(679, 731, (t + 700)...(t + 1100)), .to(500, 350, (t + 3600)...(t + 4200)),
        upAt: t + 4500)
      let d = try Desktop(demo: s, apps: 3)
      let note = d.folder + "/note.txt"
      try Files.write("alpha", to: note)
      let notes = try d.start("carry-notes", "--json", "--geometry", "600x400+400+100", note)
      try #require(notes.said("ready") != nil)
      let window = try #require(d.window(titled: "Notes"))
      let cover = d.client.makeWindow(CarryModel.Rect(x: 380, y: 80, width: 700, height: 500), color: 0x446688)
      d.client.sync()
      let dock = try d.start("carry-dock", "--json")
      let source = try d.start("carry", "drag", "--json", "--text", " and beta", "--geometry", "200x150+0+640")
      #expect(d.client.window(at: CarryModel.Point(x: 700, y: 300)) == cover)
      #expect(dock.said("raised", "\"name\": \"Notes\", \"by\": \"spring\"") != nil)
      #expect(Wait.until { d.client.window(at: CarryModel.Point(x: 700, y: 300)) == window })
      // Right of the only line: at its end.
      let dropped = try #require(notes.said("text-dropped"))
      #expect(dropped.contains("\"text\": \"alpha and beta\""))
      #expect(dropped.contains("\"caret\": 14"))
      #expect(source.said("dropped") != nil)
    }

    @Test("S4: the keys launch what was named on the command line, and nothing else")
    func S4_theKeysLaunch() throws {
      let d = try Desktop()
      let file = d.folder + "/app.desktop"
      let text = "[Desktop Entry]\nType=Application\nName=Cards\nExec=carry-notes --json %U\n[Other]\nExec=false\n"
      try Files.write(text, to: file)
      let dock = try d.start("carry-dock", "--json", file, "Broken=/nowhere/program")
      #expect(dock.said("ready", "[\"Cards\", \"Broken\"]") != nil)
      #expect(Wait.until { d.window(titled: "Dock") != nil })
      let window = try #require(d.window(titled: "Dock"))
      d.press(XK_End, in: window)
      d.press(XK_Return, in: window)
      #expect(dock.said("failed", "Broken") != nil)
      d.press(XK_Left, in: window)
      d.press(XK_Return, in: window)
      #expect(dock.said("launched", "\"name\": \"Cards\", \"by\": \"key\"") != nil)
      #expect(dock.said("ready", "New note") != nil)
      #expect(dock.said("window", "Cards") != nil)
      // It runs: the same again raises it.
      d.press(XK_Return, in: window)
      #expect(dock.said("raised", "Cards") != nil)
    }

    @Test("S4: the dock keeps its room at the lower edge of the screen") func S4_theDockKeepsItsRoom() throws {
      let d = try Desktop()
      let dock = try d.start("carry-dock", "--json")
      #expect(dock.said("ready") != nil)
      let window = try #require(d.window(titled: "Dock"))
      #expect(d.client.property("_NET_WM_WINDOW_TYPE", of: window) == [d.client.atom("_NET_WM_WINDOW_TYPE_DOCK")])
      #expect(d.client.property("_NET_WM_STRUT_PARTIAL", of: window) == [0, 0, 0, 112, 0, 0, 0, 0, 0, 0, 554, 725])
    }

    @Test("S4: a dock that hides keeps room for a strip, and comes up when the strip is clicked")
    func S4_aDockThatHides() throws {
      let d = try Desktop()
      let dock = try d.start("carry-dock", "--json", "--hides")
      #expect(dock.said("ready") != nil)
      let window = try #require(d.window(titled: "Dock"))
      let strut = d.client.property("_NET_WM_STRUT_PARTIAL", of: window)
      #expect(strut == [0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 554, 725])
      #expect(d.client.facts(window)?.frame.y == 786)
      d.click(in: window, 86, 7)
      #expect(dock.said("up") != nil)
      #expect(Wait.until { d.client.facts(window)?.frame.y == 688 })
    }
  }
}
