import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// What the tools print, and what they do when they cannot.
  @Suite(.serialized) struct ToolOutput {
    private static let finger = { () -> FingerScript in
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 60_000)
      return script
    }()

    /// A tool with its output somewhere else; the shell says how it ended.
    private func shell(_ d: Desktop, _ tool: String, _ output: String) throws -> ChildProcess {
      let carry = try Checkout.program("carry")
      return try ChildProcess(
        ["/bin/sh", "-c", "{ '\(carry)' \(tool); echo status $? >&2; } \(output)"],
        environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket], output: .pipe)
    }

    @Test(
      "Z20: a tool whose reader has gone ends at once, like on Ctrl-C",
      arguments: [("monitor", 0), ("drag --text hello", 1), ("drop", 1)])
    func Z20_theReaderHasGone(tool: String, status: Int) throws {
      let d = try Desktop(compositor: nil)
      // Nothing is ever printed.
      let child = try shell(d, tool, "| true")
      let line = child.readLine(seconds: 30) { $0.hasPrefix("status") }
      #expect(line == "status \(status)")
    }

    @Test("Z29: a list of regions that is cut says so, also as JSON", arguments: ["regions", "regions --json"])
    func Z29_cut(tool: String) throws {
      let d = try Desktop(compositor: nil)
      let client = try Client(name: "crowd", socket: d.socket)
      let window = d.client.makeWindow(Rect(x: 0, y: 0, width: 600, height: 600))
      d.client.sync()
      let regions = (0..<515).map { i -> Region in
        let region = Region(client: client, window: window.raw, frame: Carry.Rect(x: i, y: 0, width: 1, height: 600))
        region.addInteraction(SpringLoadedInteraction { _, _ in })
        return region
      }
      try client.synchronize()
      let child = try shell(d, tool, "2>&1 >/dev/null")
      let lines = child.remainingLines()
      #expect(lines.contains { $0.hasSuffix(" 3 more regions are not listed") }, "\(lines)")
      withExtendedLifetime(regions) {}
    }

    @Test(
      "Z20: a tool whose output cannot be written says so and ends at once with 1",
      arguments: ["monitor", "drag", "drop"])
    func Z20_theDiskIsFull(broken: String) throws {
      let d = try Desktop(Self.finger, clients: 2, compositor: nil)
      let full = "> /dev/full"
      let monitor = try broken == "monitor" ? shell(d, "monitor", full) : nil
      if monitor != nil {
        #expect(d.engine.readLine { $0.contains("is carry monitor") } != nil)
      }
      let drag = "drag --text hello --geometry 300x300+50+250"
      let drop = "drop --geometry 300x300+850+250"
      let source = try shell(d, drag, broken == "drag" ? full : "> /dev/null")
      let target = try shell(d, drop, broken == "drop" ? full : "> /dev/null")
      let child = monitor ?? (broken == "drag" ? source : target)
      var lines: [String] = []
      // The finger is still down.
      _ = child.readLine(seconds: 40) {
        lines.append($0)
        return $0.hasPrefix("status")
      }
      #expect(lines.last == "status 1", "\(lines)")
      #expect(lines.contains { $0.contains("the output cannot be written: No space left") }, "\(lines)")
      for each in [source, target, monitor] { each?.stop(SIGKILL) }
    }

    @Test("Z20: carry drop --json says which item failed, as which type, and why")
    func Z20_failedItems() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try Player(d, "source")
      let folder = try d.engine.folder.makeFolder("saved")
      source.items = { _ in
        let refused = ItemProvider(data: [1, 2, 3], type: "image/png")
        refused.suggestedName = "bad\nname.png"
        let broken = ItemProvider()
        broken.suggestedName = "broken.txt"
        broken.registerFileRepresentation(forType: "text/plain") { $0(.success("/nowhere")) }
        return [DragItem(itemProvider: refused), DragItem(itemProvider: broken)]
      }
      source.region(
        CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), color: 0xFF0000, [DragInteraction(delegate: source)])
      let target = try d.target("--to", folder)
      var lines: [String] = []
      let fd = source.client.fileDescriptor
      _ = Wait.until(seconds: 30, descriptor: fd) {
        try? source.client.dispatch()
        while let line = target.readLine(seconds: 0) { lines.append(line) }
        return lines.count { $0.contains("\"event\": \"failed\"") } == 2
      }
      let failed = lines.filter { $0.contains("\"event\": \"failed\"") }
      #expect(failed.count == 2, "\(lines)")
      #expect(failed.contains { $0.contains("\"type\": \"image/png\"") && $0.contains("\"message\": \"refused: ") })
      #expect(
        failed.contains {
          $0.contains("\"session\": ")
            && $0.contains("\"type\": \"text/plain\", \"name\": \"broken.txt\", \"message\": \"")
        }, "\(failed)")
      // A person's line stays.
      #expect(lines.contains { $0.hasPrefix("carry: broken.txt: ") })
      source.close()
    }

    @Test("Z20: monitors hear the end of the sessions that an engine leaves behind as it dies, once")
    func Z20_theEngineDies() throws {
      let d = try Desktop(Self.finger, compositor: nil)
      let tool = try d.tool("monitor", "--verbose", "--json")
      #expect(d.engine.readLine { $0.contains("is carry monitor") } != nil)
      let app = try App(d, "app")
      app.client.reconnects = true
      var steps: [Monitor.Step] = []
      let monitor = Monitor(client: app.client) { steps.append($0) }
      app.region(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), [DragInteraction(delegate: app)])
      app.region(CarryModel.Rect(x: 850, y: 250, width: 300, height: 300), [DropInteraction(delegate: app)])
      #expect(app.run { steps.contains { $0.kind == "entered" } })
      d.engine.stop(SIGKILL)
      #expect(app.run { !app.client.isConnected })
      #expect(steps.count { $0.kind == "ended" } == 1 && steps.last?.kind == "ended")
      #expect(steps.last?.operation == .cancel && steps.last?.session == steps.first?.session)
      // Both kinds of the tool: one that waits for the next engine, and one that ends with this.
      for output in [tool, d.monitor] {
        let line = output.readLine(seconds: 20) { $0.contains("\"event\": \"ended\"") }
        #expect(line?.contains("\"operation\": \"cancel\"") == true, "\(line ?? "")")
      }
      #expect(d.monitor.waitForExit(seconds: 20) == 3)
      withExtendedLifetime(monitor) {}
      app.client.close()
    }
  }
}
