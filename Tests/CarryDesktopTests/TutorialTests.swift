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
      for line in try text("/Sources/Carry/Carry.docc/PostcardTutorial.md").split(
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
  }
}
