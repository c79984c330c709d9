import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Identity, visibility and policy through the real programs: this process is one program, `carry` another.
  @Suite(.serialized) struct Access {
    /// Manifests and a policy of a test's own.
    private final class Rules {
      private let folder: TestFolder
      var apps: String { folder.path + "/apps" }
      var policy: String { folder.path + "/policy.d" }
      var options: [String] { ["--manifests", apps, "--policy", policy] }

      init() throws {
        folder = try TestFolder("access")
        for name in ["apps", "policy.d"] { try folder.makeFolder(name) }
      }

      /// This process and `carry` are programs of these teams; nil for no manifest.
      func teams(own: String?, carry: String?) throws {
        for (name, path, team) in [
          ("org.example.own", Files.canonical("/proc/self/exe"), own),
          ("org.example.carry", Files.canonical(try Checkout.program("carry")), carry),
        ] {
          guard let team, let path else { continue }
          try Files.write("executable = \(path)\nteam = \(team)\n", to: "\(apps)/\(name).conf")
        }
      }
    }

    /// An item with a public representation, and one for the team.
    private static func item() -> DragItem {
      let provider = ItemProvider()
      provider.registerDataRepresentation(forType: "application/x-team", visibility: .team) {
        $0(.success(Array("for the team".utf8)))
      }
      provider.registerDataRepresentation(forType: "application/x-own", visibility: .ownProcess) {
        $0(.success(Array("for itself".utf8)))
      }
      provider.registerDataRepresentation(forType: "text/plain") { $0(.success(Array("for all".utf8))) }
      provider.teamData = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
      return DragItem(itemProvider: provider)
    }

    /// What `carry drop` and the monitors hear of one drag out of this process.
    private func play(_ files: Rules) throws -> (received: [String], steps: [String], log: [String]) {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, options: files.options)
      let source = try App(d, "source")
      source.items = { [Self.item()] }
      source.takePlaces(isTarget: false)
      let target = try d.target()
      #expect(source.run { source.calls.contains { $0.hasPrefix("didEnd") } })
      _ = source.run { !d.engine.isRunning }
      return (target.remainingLines(), d.monitor.remainingLines(), d.engine.remainingLines())
    }

    @Test("I15, K6: a program of the team gets what is for the team, and only that and what is for all")
    func I15_K6_theTeam() throws {
      let files = try Rules()
      try files.teams(own: "example", carry: "example")
      let (received, steps, _) = try play(files)
      let got = received.filter { $0.contains("\"received\"") }
      #expect(got.count == 1 && got[0].contains("application/x-team"), "\(received)")
      #expect(!(received + steps).contains { $0.contains("x-own") })
      // The monitor is a program of the team as well.
      #expect(steps.contains { $0.contains("application/x-team") })
    }

    @Test(
      "I15, K6: a program of another team, and one without a manifest, get what is for all", arguments: ["other", nil])
    func I15_K6_others(team: String?) throws {
      let files = try Rules()
      try files.teams(own: "example", carry: team)
      let (received, steps, _) = try play(files)
      let got = received.filter { $0.contains("\"received\"") }
      #expect(got.count == 1 && got[0].contains("text/plain") && got[0].contains("for all"), "\(received)")
      #expect(!(received + steps).contains { $0.contains("x-team") || $0.contains("x-own") })
    }

    @Test(
      "G6, K6: a forbidden pair is no pair; the engine's journal says which line forbids it, and so does carry policy")
    func G6_K6_aForbiddenPair() throws {
      let files = try Rules()
      try files.teams(own: "a", carry: "b")
      let rule = "\(files.policy)/10-teams.conf"
      try Files.write("# teams\n[forbid]\nsource = team:a\ntarget = team:b\n", to: rule)
      let (received, steps, log) = try play(files)
      #expect(!received.contains { $0.contains("\"received\"") || $0.contains("\"entered\"") }, "\(received)")
      #expect(steps.contains { $0.contains("\"cancelled\"") } && !steps.contains { $0.contains("text/plain") })
      #expect(
        log.count { $0.contains("org.example.own may not drag to org.example.carry") && $0.contains("\(rule):2") } == 1)
      func check(_ source: String, _ target: String) throws -> (CInt?, [String]) {
        let tool = try ChildProcess(
          [try Checkout.program("carry"), "policy", "check"] + files.options + [source, target, "text/plain"],
          output: .pipe)
        let lines = tool.remainingLines()
        return (tool.waitForExit(seconds: 10), lines)
      }
      #expect(try check("org.example.own", "org.example.carry") == (1, ["forbidden: \(rule):2"]))
      #expect(try check("org.example.carry", "org.example.own") == (0, ["allowed: no rule says otherwise"]))
      #expect(try check("org.example.own", "-") == (0, ["allowed: no rule says otherwise"]))
    }

    @Test("G6: the journal calls programs without a manifest by their own names and their files'")
    func G6_strangersAreNamed() throws {
      let files = try Rules()
      try Files.write("[forbid]\n", to: "\(files.policy)/10.conf")
      let (_, _, log) = try play(files)
      let own = Files.canonical("/proc/self/exe")?.split(separator: "/").last.map(String.init) ?? ""
      let line = "'source' (\(own), without a manifest) may not drag to 'carry drop' (carry, without a manifest)"
      #expect(log.count { $0.contains(line) } == 1, "\(log)")
    }

    @Test("G6: carry policy says a mistake once") func G6_aMistakeOnce() throws {
      let files = try Rules()
      let rule = "\(files.policy)/10.conf"
      try Files.write("[forbid]\ntpye = */*\n", to: rule)
      let tool = try ChildProcess(
        ["sh", "-c", "\"$@\" 2>&1", "-", try Checkout.program("carry"), "policy", "check"] + files.options
          + ["-", "-", "text/plain"], output: .pipe)
      let lines = tool.remainingLines()
      #expect(tool.waitForExit(seconds: 10) == 1)
      #expect(lines.count == 1 && lines[0].hasPrefix("forbidden: \(rule):2: unknown key 'tpye'"), "\(lines)")
    }

    @Test("G6: a policy with a mistake forbids, and is not said to be in force until it is repaired")
    func G6_aMistake() throws {
      let files = try Rules()
      let rule = "\(files.policy)/10.conf"
      let d = try Desktop(compositor: nil, options: files.options)
      try Files.write("[forbid]\ntpye = */*\n", to: rule)
      let mistake = d.engine.readLine(seconds: 20) { $0.contains("\(rule):2: unknown key") || $0.contains("in force") }
      #expect(mistake?.contains("until that is repaired") == true)
      try Files.write("[forbid]\ntype = image/*\n[allow]\n", to: rule)
      #expect(d.engine.readLine(seconds: 20) { $0.contains("in force") }?.contains("rules: 2") == true)
    }

    @Test(
      "G6: a directory of manifests that does not answer keeps the engine from nothing; one of the policy forbids")
    func G6_directoriesThatDoNotAnswer() throws {
      let files = try Rules()
      guard let stuck = try StuckFile() else {
        return print("SKIPPED: no FUSE here, so no directory that does not answer")
      }
      let d = try Desktop(
        Traces.pressDragDrop, clients: 2, compositor: nil,
        options: ["--manifests", stuck.silentPath, "--policy", files.policy])
      let target = try d.target("--once")
      let source = try d.source("--once", "--text", "words")
      #expect(target.readLine(seconds: 30) { $0.contains("\"event\": \"received\"") } != nil)
      _ = source.waitForExit(seconds: 10)

      let silent = try #require(try StuckFile())
      let forbidding = try Desktop(
        Traces.pressDragDrop, clients: 2, compositor: nil,
        options: ["--manifests", files.apps, "--policy", silent.silentPath])
      let none = try forbidding.target()
      let held = try forbidding.source("--text", "words")
      #expect(forbidding.step("cancelled", seconds: 30) != nil)
      #expect(forbidding.playToTheEnd() == 0)
      #expect(!none.remainingLines().contains { $0.contains("received") })
      _ = held
    }

    @Test("G6: a policy whose directory answers late is in force from then on") func G6_lateAnswer() throws {
      let files = try Rules()
      guard let stuck = try StuckFile() else {
        return print("SKIPPED: no FUSE here, so no directory that does not answer")
      }
      let d = try Desktop(compositor: nil, options: ["--manifests", files.apps, "--policy", stuck.silentPath])
      stuck.answer()
      // There is no such directory, and so there are no rules.
      #expect(d.engine.readLine(seconds: 20) { $0.contains("is in force; rules: 0") } != nil)
    }

    @Test("I16: team data can be read while the drag hovers, before the drop") func I16_teamData() throws {
      let files = try Rules()
      let d = try Desktop(Traces.pressDragDrop, options: files.options)
      let app = try App(d, "both")
      app.items = { [Self.item()] }
      var seen: [UInt8]?
      app.onUpdate = { session in
        seen = session.items.first?.itemProvider.teamData
        return .copy
      }
      app.takePlaces()
      #expect(app.run { app.calls.contains("sessionDidEnd") })
      #expect(seen == (0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    }
  }
}
