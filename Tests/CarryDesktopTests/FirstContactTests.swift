import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// What somebody meets who uses the tools for the first time.
  @Suite(.serialized) struct FirstContact {
    private typealias Tools = EverydayTools

    @Test("Z20: carry drop without --to keeps what was dropped, and it can be dragged elsewhere from there")
    func Z20_keptByDefault() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(600, 400, 650...1000), upAt: 1200)
      script.carry(from: (600, 400), at: 4000, .to(1000, 400, 4650...5000), upAt: 5200)
      try Tools.withFiles(script, clients: 3) { d, work in
        let keeper = try d.target(geometry: "300x300+450+250")
        let target = try d.target("--once", "--to", work + "/saved")
        try Files.write("kept \u{1} words", to: work + "/data")
        let source = try d.source("--once", "--data", work + "/data", "--type", "application/x-kept")
        #expect(source.waitForExit(seconds: 40) == 0)
        #expect(keeper.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") } != nil)
        #expect(target.readLine(seconds: 40) { $0.contains("\"event\": \"received\"") } != nil)
        let saved = Files.list(work + "/saved")
        #expect(saved.count == 1, "\(saved)")
        #expect(
          try saved.first.map { try Files.read("\(work)/saved/\($0)", limit: 100) } == Array("kept \u{1} words".utf8))
        keeper.stop(SIGTERM)
      }
    }

    @Test("Z20, Z9: carry copy and carry paste: texts, files where they are, data, and what is not there")
    func Z20_Z9_copyAndPaste() throws {
      let server = try PrivateXServer()
      let place = try TestFolder("copied")
      let work = place.path
      try place.makeFolder("saved")
      try Files.write("a file", to: work + "/a b.txt")
      func carry(_ command: String) throws -> (status: CInt?, lines: [String]) {
        let child = try ChildProcess(
          ["env", "-C", work, "sh", "-c", "'\(try Checkout.program("carry"))' \(command) 2>&1; s=$?; echo; exit $s"],
          environment: ["DISPLAY": server.display, "CARRY_SOCKET": work + "/none", "XDG_CACHE_HOME": work],
          output: .pipe)
        // A process in the background does not keep the output open.
        var lines = child.remainingLines()
        if lines.last?.isEmpty == true { lines.removeLast() }
        return (child.waitForExit(seconds: 20), lines)
      }
      let nothing = try carry("paste")
      #expect(nothing.status == 1 && nothing.lines == ["carry: the clipboard is empty"])
      #expect(try carry("copy --text 'Grüße'") == (0, []))
      #expect(try carry("paste") == (0, ["Grüße"]))
      #expect(try carry("paste --types").lines.contains("text/plain;charset=utf-8"))
      let missing = try carry("paste --type image/png")
      #expect(
        missing.status == 1
          && missing.lines.first?.contains("there is no image/png; the clipboard has text/plain") == true)
      // Files are what they are, and not copies of them.
      #expect(try carry("copy 'a b.txt'") == (0, []))
      #expect(try carry("paste") == (0, [work + "/a b.txt"]))
      #expect(try carry("paste --to saved") == (0, ["saved/a b.txt"]))
      #expect(try Files.read(work + "/saved/a b.txt", limit: 100) == Array("a file".utf8))
      // Standard input, as any type.
      #expect(try carry("copy --type application/x-a < 'a b.txt'") == (0, []))
      #expect(try carry("paste --type application/x-a") == (0, ["a file"]))
      let binary = try carry("paste")
      #expect(binary.status == 1 && binary.lines.first?.contains("--to DIR saves it") == true, "\(binary.lines)")
      // A name with a newline would be read as two.
      try Files.write("file:///tmp/a%0A/etc/passwd\r\n", to: work + "/hostile")
      #expect(try carry("copy --type text/uri-list < hostile") == (0, []))
      let hostile = try carry("paste")
      #expect(hostile.status == 1 && hostile.lines.count == 1, "\(hostile)")
      #expect(hostile.lines.first?.contains("a name with a newline") == true, "\(hostile)")
      #expect(try carry("paste -0 | tr '\\n\\0' '|\\n'") == (0, ["/tmp/a|/etc/passwd"]))
      let unreadable = try carry("copy nowhere")
      #expect(unreadable.status == 1 && unreadable.lines == ["carry: nowhere: No such file or directory"])
    }

    @Test("Z20, Z9: Ctrl+C in carry drag copies its tiles, and Ctrl+V in carry drop pastes them")
    func Z20_Z9_keysOfTheWindows() throws {
      try Tools.withFiles { d, work in
        let drag = try d.tool("drag", "--geometry", "300x300+50+250", work + "/a.txt", work + "/b.txt")
        let drop = try d.tool("drop", "--to", work + "/saved", "--print", "--geometry", "300x300+850+250")
        let keyboard = try FakeMouse(d.server.display)
        func press(_ key: CInt, at x: Int) {
          keyboard.move(to: x, 400)
          for isPress in [true, false] { for key in [XK_Control_L, key] { keyboard.key(key, isPress) } }
        }
        // Until the windows are there.
        #expect(
          (0..<20).contains { _ in
            press(XK_c, at: 200)
            return drag.readLine(seconds: 1) { $0 == "carry: copied 2 things" } != nil
          })
        var saved: [String] = []
        #expect(
          (0..<20).contains { _ in
            press(XK_v, at: 1000)
            while saved.count < 2, let line = drop.readLine(seconds: 2) { saved.append(line) }
            return saved.count >= 2
          })
        #expect(saved.prefix(2).sorted() == [work + "/saved/a.txt", work + "/saved/b.txt"])
        for tool in [drag, drop] { tool.stop(SIGTERM) }
      }
    }

    @Test("Z20: carry drag reads what find -print0 writes, and a dragged file is the file itself")
    func Z20_pathsWithNULs() throws {
      try Tools.withFiles(Traces.pressDragDrop) { d, work in
        let target = try d.tool("drop", "-p", "--with-engine", "--geometry", "300x300+850+250")
        let source = try Tools.shell(
          d, work,
          "find . -name '[ab].txt' -print0 | sort -z | exec carry drag -aI --with-engine --geometry 300x300+50+250")
        #expect(d.playToTheEnd() == 0)
        #expect(target.remainingLines().filter { $0.hasPrefix("/") }.sorted() == [work + "/a.txt", work + "/b.txt"])
        withExtendedLifetime(source) {}
      }
    }

    @Test(
      "Z20: carry monitor leaves motions out unless --verbose, and names the region beside which a drag was released")
    func Z20_monitorsOfPeople() throws {
      let d = try Desktop(Self.beside, clients: 2, compositor: nil)
      let brief = try d.tool("monitor", "--with-engine")
      #expect(d.engine.readLine { $0.contains("is carry monitor") } != nil)
      let (source, target) = (try App(d, "source"), try App(d, "target"))
      source.region(App.left, [DragInteraction(delegate: source)])
      let region = target.region(App.right, [DropInteraction(delegate: target)])
      region.label = "the box"
      #expect(
        target.run {
          try? source.client.dispatch()
          return !d.engine.isRunning
        })
      let lines = brief.remainingLines()
      #expect(lines.contains { $0.hasPrefix("entered") } && !lines.contains { $0.hasPrefix("updated") }, "\(lines)")
      let way = "released where no drop region is; nearest: target 'the box', 25 px to the left"
      #expect(lines.contains { $0.hasPrefix("cancelled") && $0.contains(way) }, "\(lines)")
      let json = d.step("cancelled") ?? ""
      #expect(json.contains(#""nearest": {"target": "target", "label": "the box", "x": -25, "y": 0}"#), "\(json)")
    }

    /// A finger that goes over the right region, and is lifted 25 pixels beside it.
    private static let beside = { () -> FingerScript in
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...900), .to(1175, 400, 1200...1400), upAt: 1800)
      return script
    }()

    @Test("Z24: menu entries start the engine, and a window says why there is none")
    func Z24_theEngineIsStarted() throws {
      let server = try PrivateXServer()
      let place = try TestFolder("started")
      let runtime = place.path
      func drop(_ more: [String: String?] = [:]) throws -> ChildProcess {
        try ChildProcess(
          [try Checkout.program("carry"), "drop", "--start-engine", "--json"],
          environment: [
            "DISPLAY": server.display, "CARRY_SOCKET": nil, "XDG_RUNTIME_DIR": runtime, "XDG_CONFIG_HOME": runtime,
          ].merging(more) { $1 }, output: .pipe)
      }
      let looker = try #require(XClient(server.display))
      let first = try drop()
      #expect(Wait.until(seconds: 20) { looker.window { $0 == "carry drop" } != nil })
      #expect(Files.exists(runtime + "/carry-0"))
      // The engine stays for others.
      first.stop(SIGTERM)
      let client = try Client(name: "visitor", socket: runtime + "/carry-0")
      client.close()
      // A mistake in the settings keeps an engine from starting, on another socket as well as on another display.
      let other = try PrivateXServer()
      let watcher = try #require(XClient(other.display))
      try Files.write("[lift]\nbegins-ms = soon\n", to: runtime + "/broken.conf")
      mkdir(runtime + "/carry", 0o700)
      rename(runtime + "/broken.conf", runtime + "/carry/carry.conf")
      let second = try drop(["DISPLAY": other.display, "CARRY_SOCKET": runtime + "/second"])
      let said = second.readLine(seconds: 20) { $0.hasPrefix("carry: ") }
      #expect(said?.contains("carry.conf:2") == true, "\(said ?? "nothing")")
      #expect(Wait.until(seconds: 20) { watcher.window { $0 == "Carry does not run" } != nil })
      let keyboard = try FakeMouse(other.display)
      #expect(
        (0..<20).contains { _ in
          keyboard.move(to: 640, 400)
          for isPress in [true, false] { keyboard.key(XK_Escape, isPress) }
          return second.waitForExit(seconds: 1) == 3
        })
      for pid in Self.engines(of: runtime) { kill(pid, SIGTERM) }
    }

    /// The engines that were started with a runtime directory of a test's.
    private static func engines(of runtime: String) -> [pid_t] {
      Files.list("/proc", most: 100_000).compactMap { pid_t($0) }.filter { pid in
        let words = (try? Files.readAll("/proc/\(pid)/environ", limit: 1 << 20)) ?? []
        let name = (try? Files.readAll("/proc/\(pid)/comm", limit: 100)) ?? []
        return name == Array("carryd\n".utf8)
          && String(decoding: words, as: UTF8.self).contains("XDG_RUNTIME_DIR=\(runtime)\0")
      }
    }
  }
}
