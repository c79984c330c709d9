import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Destinations that block, and promises that are not kept.
  @Suite(.serialized) struct WorstCases {
    @Test("X4: a destination that blocks in performDrop holds up neither the engine nor anybody else")
    func X4_blockingInPerformDrop() throws {
      var s = Traces.screen
      let f = s.down(200, 200, at: 0)
      let g = s.down(200, 600, at: 40)
      s.move(f, to: 1000, 200, from: 620, until: 850)
      s.move(g, to: 1000, 600, from: 660, until: 900)
      s.up(f, at: 1100)
      s.up(g, at: 1300)
      let d = try Desktop(s, clients: 4, compositor: nil)
      let players = try ["upper source", "lower source", "upper target", "lower target"].map { try Player(d, $0) }
      defer { for player in players { player.close() } }
      let (blocking, fine) = (players[2], players[3])
      let others = players.filter { $0 !== blocking }
      for (i, player) in players.enumerated() {
        let rect = CarryModel.Rect(x: i < 2 ? 50 : 850, y: i % 2 == 0 ? 100 : 500, width: 300, height: 200)
        player.region(
          rect, color: 0x3366CC, [i < 2 ? DragInteraction(delegate: player) : DropInteraction(delegate: player)])
        player.items = { _ in [DesktopTests.item(i == 0 ? "upper" : "lower")] }
      }
      var received: [String] = []
      func load(_ session: DropSession) {
        session.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { result in
          received.append((try? result.get()).map { String(decoding: $0, as: UTF8.self) } ?? "\(result)")
        }
      }
      fine.perform = load
      var wasFine = false
      blocking.perform = { session in
        load(session)
        // Its own connection is not looked at until all the others have come to their end.
        wasFine =
          Player.run(others, seconds: 10) {
            fine.calls.contains("sessionDidEnd") && players[1].calls.contains("didTransfer") && received == ["lower"]
          } && d.step("ended") != nil
        #expect(!players[0].calls.contains("didTransfer"))
      }
      let isOver = Player.run(players) {
        blocking.calls.contains("sessionDidEnd") && players[0].calls.contains("didTransfer")
      }
      #expect(isOver, "\(players.map(\.calls))")
      #expect(wasFine)
      // Nothing comes while performDrop runs; it comes afterwards.
      #expect(received == ["lower", "upper"])
      #expect(d.playToTheEnd() == 0)
    }

    private struct BrokeOff: Error {}

    @Test("R10: of what never comes and what breaks off a destination has one error each, and keeps what came")
    func R10_whatNeverComes() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let folder = try d.engine.folder.makeFolder("saved")
      let target = try d.target("--once", "--to", folder)
      let source = try Player(d, "source")
      defer { source.close() }
      source.region(
        CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), color: 0x3366CC,
        [DragInteraction(delegate: source)])
      var request: ItemRequest?
      source.items = { _ in
        let half = ItemProvider()
        half.suggestedName = "half.bin"
        half.registerStreamRepresentation(forType: "application/octet-stream") { out in
          try out.write([UInt8](repeating: 7, count: 2 << 20))
          throw BrokeOff()
        }
        let never = ItemProvider()
        never.suggestedName = "never.bin"
        never.registerRequests(forType: "application/octet-stream") { request = $0 }
        let good = ItemProvider(data: Array("all of it".utf8), type: "text/plain")
        good.suggestedName = "good.txt"
        return [half, never, good].map { DragItem(itemProvider: $0) }
      }
      var lines: [String] = []
      func drain() { while let line = target.readLine(seconds: 0.002) { lines.append(line) } }
      let isHalfDone = Wait.until(seconds: 20) {
        try? source.client.dispatch()
        drain()
        return request != nil && lines.contains { $0.contains("good.txt") }
          && lines.contains { $0.contains("half.bin") }
      }
      #expect(isHalfDone, "\(lines)")
      #expect(!lines.contains { $0.contains("never.bin") })
      #expect(target.isRunning)
      // The application ends with its promise open.
      source.client.close()
      let status = target.waitForExit(seconds: 20)
      drain()
      lines += target.remainingLines()
      #expect(status == 1)
      let broken = lines.filter { $0.contains("half.bin") }
      let missing = lines.filter { $0.contains("never.bin") }
      // A sentence for people, and one for scripts.
      for (lines, why) in [(broken, "the source stopped before it had sent everything"), (missing, "source")] {
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(why) }, "\(lines)")
        #expect(lines.count { $0.contains("\"event\": \"failed\"") } == 1, "\(lines)")
      }
      #expect(lines.count { $0.contains("\"received\"") } == 1)
      #expect(Files.list(folder) == ["good.txt"])
      #expect(try Files.read(folder + "/good.txt", limit: 100) == Array("all of it".utf8))
    }
  }
}
