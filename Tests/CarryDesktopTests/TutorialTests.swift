import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// That a first-time reader of the tutorial gets what it says.
  @Suite(.serialized) struct Tutorial {
    private func text(_ path: String) throws -> String {
      String(decoding: try Files.read(Checkout.root + path, limit: 1 << 20), as: UTF8.self)
    }

    @Test("G16: the tutorial is the program, piece by piece, in under 60 lines") func theTutorialIsTheProgram() throws {
      let program = try text("/docs/examples/swift/Sources/Postcards/Postcards.swift")
      var code: [Substring] = []
      var isCode = false
      for line in try text("/Sources/Library/Carry/Carry.docc/PostcardTutorial.md").split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        if line.hasPrefix("```") { isCode = line == "```swift" } else if isCode, !line.isEmpty { code.append(line) }
      }
      #expect(code == program.split(separator: "\n"))
      #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
    }

    @Test("G16, C9: three methods make a drag source and a drop target") func G16_C9_threeMethodsSuffice() throws {
      var s = Traces.screen
      s.carry(from: (200, 200), at: 0, .to(300, 150, 650...900), upAt: 1000)
      let d = try Desktop(s, compositor: nil)
      let postcards = try ChildProcess(
        ["stdbuf", "-oL", try Checkout.program("carry-postcards")],
        environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket], output: .pipe)
      #expect(postcards.readLine(seconds: 20) { $0.hasPrefix("received") } == "received: Greetings from the lake")
      #expect(d.playToTheEnd() == 0)
    }

    @Test("M7, R1, R3, K11: the awaiting example saves a folder, shows progress, and cancels at a click")
    func M7_R1_R3_K11_theTray() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let place = d.folder + "/place"
      for name in ["saved", "album"] { try d.engine.folder.makeFolder("place/" + name) }
      try Files.write("one", to: place + "/album/one.txt")
      let tray = try ChildProcess(
        ["env", "-C", place + "/saved", "stdbuf", "-oL", try Checkout.program("carry-tray")],
        environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket], output: .pipe)
      try #require(d.engine.readLine { $0.contains("is Tray") } != nil)
      let source = try App(d, "source")
      source.items = {
        let slow = ItemProvider()
        slow.suggestedName = "slow"
        // It never answers, but says that it is at work.
        slow.registerRequests(forType: "a/slow") { $0.reportProgress(completedUnitCount: 30, totalUnitCount: 100) }
        return [ItemProvider(contentsOf: place + "/album"), slow].map { DragItem(itemProvider: $0) }
      }
      source.takePlaces(isTarget: false)
      var lines: [String] = []
      func says(_ text: String) -> Bool {
        source.run(seconds: 20) {
          while let line = tray.readLine(seconds: 0.01) { lines.append(line) }
          return lines.contains(text)
        }
      }
      #expect(says("saved a folder: ./album") && Files.exists(place + "/saved/album/one.txt"), "\(lines)")
      #expect(says("slow: 30%"), "\(lines)")
      #expect(!lines.contains { $0.hasPrefix("not saved") })
      try click(d, "Tray")
      #expect(says("not saved: the load was cancelled"), "\(lines)")
    }

    /// A press of the pointer's button in the window of this name.
    private func click(_ d: Desktop, _ name: String) throws {
      let connection = d.client.connection
      for window in d.client.children(of: d.client.root) {
        var text: UnsafeMutablePointer<CChar>?
        guard XFetchName(connection, CX11.Window(window.raw), &text) != 0, let text else { continue }
        defer { XFree(text) }
        guard String(cString: text) == name else { continue }
        var event = XEvent()
        event.type = CInt(ButtonPress)
        event.xbutton.window = CX11.Window(window.raw)
        XSendEvent(connection, CX11.Window(window.raw), 0, CLong(ButtonPressMask), &event)
        XSync(connection, 0)
        return
      }
      Issue.record("there is no window \(name)")
    }
  }
}
