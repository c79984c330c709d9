import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Many at once, and some of them at their worst.
  @Suite(.serialized) struct Load {
    private func descriptors(_ d: Desktop) -> Int { Files.list("/proc/\(d.engine.pid)/fd").count }

    /// Kibibytes that the engine has in memory; a line of its status in proc(5): of all, of what it has allocated, of files
    /// such as its own code.
    private func resident(_ d: Desktop, _ line: String = "VmRSS") -> Int {
      let text = (try? Files.readStart("/proc/\(d.engine.pid)/status", most: 4096)) ?? []
      let found = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(line + ":") }
      return found.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    private func number(_ line: String, _ key: String) -> Int? {
      guard let start = line.split(separator: "\"\(key)\": ", omittingEmptySubsequences: false).dropFirst().first else {
        return nil
      }
      return Int(start.prefix { $0.isNumber })
    }

    /// How the sessions of a monitor's lines ended: of those that began, how many, and what is wrong.
    private func ends(_ lines: [String]) -> (began: Int, problems: [String]) {
      var stories: [Int: [String]] = [:]
      for line in lines {
        if let id = number(line, "session"), let word = events([line]).first { stories[id, default: []].append(word) }
      }
      let begun = stories.filter { $0.value.contains("began") }
      let problems = begun.filter { _, words in
        words.count { $0 == "dropped" || $0 == "cancelled" } != 1 || words.count { $0 == "ended" } != 1
      }
      return (begun.count, problems.map { "\($0.key): \($0.value)" })
    }

    @Test("ten fingers carry ten sessions, and each ends once") func tenSessions() throws {
      var s = Traces.screen
      let fingers = (0..<10).map { i in s.down(80 + i % 5 * 55, 350 + i / 5 * 80, at: i * 10) }
      for (i, f) in fingers.enumerated() {
        s.move(f, to: 900 + i % 5 * 45, 350 + i / 5 * 80, from: 700 + i * 10, until: 1200 + i * 10)
      }
      for (i, f) in fingers.enumerated() { s.up(f, at: 1500 + i * 40) }
      let d = try Desktop(s, clients: 2, compositor: nil)
      let target = try d.target()
      let source = try d.source("--text", "hello")
      #expect(d.playToTheEnd() == 0)
      let result = ends(d.monitor.remainingLines())
      #expect(result.began == 10 && result.problems.isEmpty, "\(result)")
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"hello\"") })
      withExtendedLifetime(source) {}
    }

    private struct Victim {
      var phase: String
      var isTarget = false
      var isOver = false
    }

    /// Pairs above one another, in each of which somebody is killed in another phase, and one that nobody disturbs.
    @Test("whoever is killed in whatever phase, the others' drags go on and nothing is left")
    func killedInEachPhase() throws {
      var victims = [
        Victim(phase: "lift-began"), Victim(phase: "lifted"), Victim(phase: "began"), Victim(phase: "items-added"),
        Victim(phase: "entered", isTarget: true), Victim(phase: "updated"), Victim(phase: "updated", isTarget: true),
        Victim(phase: "dropped"), Victim(phase: "dropped", isTarget: true), Victim(phase: "data-delivered"),
        Victim(phase: "cancelled"),
      ]
      func top(_ i: Int) -> Int { 12 + i * 64 }
      var s = Traces.screen
      // Each pair is a while after the one before, so that there are never more than ten at once.
      for i in 0...victims.count {
        let (y, start) = (top(i) + 28, i * 400)
        let f = s.down(150, y, at: start)
        let isAborted = i < victims.count && victims[i].phase == "cancelled"
        s.move(f, to: isAborted ? 640 : 980, y, from: start + 650, until: start + 1250)
        if i < victims.count, victims[i].phase == "items-added" { s.tap(80, y, at: start + 900) }
        // There is time to end somebody before.
        s.up(f, at: start + 2900)
      }
      // Keeps the engine there until all has been looked at.
      s.tap(640, 790, at: 60_000)
      let d = try Desktop(s, clients: 2 * (victims.count + 1), compositor: nil)
      let before = descriptors(d)
      var tools: [(source: ChildProcess, target: ChildProcess)] = []
      for i in 0...victims.count {
        let target = try d.target(geometry: "200x56+900+\(top(i))")
        tools.append((try d.source("--text", "text \(i)", geometry: "200x56+50+\(top(i))"), target))
      }
      var lines: [String] = []
      while victims.contains(where: { !$0.isOver }), let line = d.monitor.readLine(seconds: 10) {
        lines.append(line)
        for (i, victim) in victims.enumerated() where !victim.isOver {
          guard line.contains("\"event\": \"\(victim.phase)\""), line.contains("\"y\": \(top(i) + 28)") else {
            continue
          }
          (victim.isTarget ? tools[i].target : tools[i].source).stop(SIGKILL)
          victims[i].isOver = true
        }
      }
      #expect(victims.allSatisfy { $0.isOver }, "\(victims.filter { !$0.isOver })")
      let last = try #require(tools.last)
      #expect(last.target.readLine { $0.contains("\"text\": \"text \(victims.count)\"") } != nil)
      for pair in tools {
        pair.source.stop()
        pair.target.stop()
      }
      #expect(Wait.until { descriptors(d) == before }, "\(descriptors(d)) descriptors, \(before) before")
      #expect(d.engine.stop() == 0)
      lines += d.monitor.remainingLines()
      let result = ends(lines)
      #expect(result.began >= victims.count - 2 && result.problems.isEmpty, "\(result)")
      // Three were killed only after the drop.
      #expect(lines.count { $0.contains("\"event\": \"dropped\"") } == 4, "\(events(lines))")
    }

    @Test("an engine that is killed leaves no preview and no client that hangs", arguments: ["lifted", "updated"])
    func theEngineIsKilled(phase: String) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let target = try d.target()
      let source = try d.source("--text", "hello")
      #expect(d.step(phase) != nil)
      d.engine.stop(SIGKILL)
      for tool in [source, target, d.monitor] { #expect(tool.waitForExit(seconds: 5) != nil) }
      let isEmpty = Wait.until { d.client.children(of: d.client.root).isEmpty }
      #expect(isEmpty)
    }

    @Test("what a hoarder made the engine keep is given back within 1 MiB") func memoryComesBack() throws {
      typealias R = RawClient
      let d = try Desktop(compositor: nil)
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 50, width: 100, height: 100))
      d.client.sync()
      /// Registers regions, withdraws them, and destroys none, until the engine hangs up: how many objects, how much memory.
      func hoard() throws -> (objects: UInt32, most: Int) {
        let raw = try R(d.socket)
        raw.greet()
        var (number, most): (UInt32, Int) = (4, 0)
        let isOver = Wait.until(seconds: 30) {
          let some = (0..<64).flatMap { i in
            R.message(3, 2, R.words([number + UInt32(i), window.raw])) + R.message(number + UInt32(i), 1, R.words([1]))
          }
          number += 64
          most = max(most, resident(d, "RssAnon"))
          // One that does not read would have to go for that.
          raw.drain()
          return !raw.send(some)
        }
        #expect(isOver)
        return (number, most)
      }
      // A while after its start the engine gives back what only the start needed: its code above all.
      let code = resident(d, "RssFile")
      _ = Wait.until(seconds: 5) { resident(d, "RssFile") < code - 1024 }
      try Carry.Client(name: "visitor", socket: d.socket).synchronize()
      let before = resident(d, "RssAnon")
      #expect(before > 0)
      var most = 0
      for _ in 0..<3 {
        let hoard = try hoard()
        #expect(hoard.objects > 4096)
        most = max(most, hoard.most)
      }
      var now = 0
      let isBack = Wait.until(seconds: 20) {
        now = resident(d, "RssAnon")
        return now - before < 1024
      }
      print("\(before) KiB before, \(most) at most, \(now) after")
      #expect(isBack, "\(before) KiB before, \(most) at most, \(now) KiB after")
    }

    @Test("one that never reads, one that is slow and one that floods cost a drag nothing, and little memory")
    func badClients() throws {
      typealias R = RawClient
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let before = resident(d)
      #expect(before > 0)
      let (deaf, flood, slow) = (try R(d.socket), try R(d.socket), try R(d.socket))
      for raw in [deaf, flood, slow] { raw.greet() }
      flood.send(R.message(3, 3, R.words([4])))
      let target = try d.target()
      let source = try d.source("--text", "hello")
      let names = Array((0..<100).map { _ in R.message(4, 2, R.string("x")) }.joined())
      var id: UInt32 = 10
      var most = 0
      var rounds = 0
      var (deafRest, floodRest): ([UInt8], [UInt8]) = ([], [])
      let piece = R.message(3, 3, R.words([4]))
      let isOver = Wait.until(seconds: 15) {
        if !d.engine.isRunning { return true }
        for _ in 0..<20 {
          // Each is answered, and nobody reads the answer; each says something, over and over; half a message, for ever.
          var syncs: [UInt8] = []
          for _ in 0..<100 {
            syncs += R.message(1, 0, R.words([id]))
            id += 1
          }
          if deafRest.isEmpty { deafRest = syncs }
          if floodRest.isEmpty { floodRest = names }
          deaf.offer(&deafRest)
          flood.offer(&floodRest)
        }
        if rounds < piece.count - 1 {
          var byte = [piece[rounds]]
          slow.offer(&byte)
        }
        rounds += 1
        most = max(most, resident(d))
        return false
      }
      #expect(isOver && rounds > piece.count)
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"hello\"") })
      #expect(most - before < 16 * 1024, "\(before) KiB before, \(most) at most")
      withExtendedLifetime(source) {}
    }
  }
}

extension RawClient {
  /// Takes in what has come, and forgets it.
  fileprivate func drain() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while recv(socket.raw, &buffer, buffer.count, CInt(MSG_DONTWAIT)) > 0 {}
  }

  /// Sends as much as there is room for, and takes it from the bytes.
  fileprivate func offer(_ bytes: inout [UInt8]) {
    let n = bytes.withUnsafeBytes {
      CLinux.send(socket.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }
    if n > 0 { bytes.removeFirst(n) }
  }
}
