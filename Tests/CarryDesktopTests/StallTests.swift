import CLinux
import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// An engine that does not read for a while, and applications that have a lot to say.
  @Suite(.serialized) struct Stalls {
    private final class Source: DragInteractionDelegate {
      let name: String
      var lifts = 0
      init(_ name: String) { self.name = name }
      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
        lifts += 1
        return [DragItem(itemProvider: ItemProvider(text: name))]
      }
    }

    private func regions(_ count: Int, _ client: Client, window: UInt32, _ source: Source) -> [Region] {
      (0..<count).map { _ in
        let region = Region(client: client, window: window, frame: Carry.Rect(x: 0, y: 0, width: 1, height: 1))
        region.addInteraction(DragInteraction(delegate: source))
        return region
      }
    }

    @Test("an application that scrolls while the engine stands still keeps its connection, and the newest counts")
    func scrollingPastAStall() throws {
      // It plays when the second program has a region.
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let client = try Client(name: "list", socket: d.socket)
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300))
      d.client.sync()
      let (rows, wanted) = (Source("row"), Source("wanted"))
      let list = regions(199, client, window: window.raw, rows)
      let last = regions(1, client, window: window.raw, wanted)
      try client.synchronize()
      d.engine.signal(SIGSTOP)
      // Ten seconds of sixty frames.
      for frame in 1...600 {
        for (i, region) in (list + last).enumerated() {
          // They pass beneath the finger, and only the newest place of one is there.
          region.frame = Carry.Rect(x: 0, y: frame + i, width: 300, height: 300)
        }
        try client.flush()
        try client.dispatch()
      }
      for region in list { region.frame = Carry.Rect(x: 290, y: 290, width: 10, height: 10) }
      last[0].frame = Carry.Rect(x: 100, y: 100, width: 100, height: 100)
      try client.flush()
      d.engine.signal(SIGCONT)
      try client.synchronize()
      let target = try App(d, "target")
      target.region(
        CarryModel.Rect(x: 850, y: 250, width: 300, height: 300), [DropInteraction(delegate: target)])
      #expect(
        target.run {
          try? client.dispatch()
          return wanted.lifts + rows.lifts > 0 || !d.engine.isRunning
        })
      #expect(wanted.lifts == 1 && rows.lifts == 0)
      client.close()
    }

    @Test("as many regions as there may be, for an engine that does not read yet") func allRegionsAtOnce() throws {
      let d = try Desktop(compositor: nil)
      let client = try Client(name: "crowd", socket: d.socket)
      let window = d.client.makeWindow(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300))
      d.client.sync()
      d.engine.signal(SIGSTOP)
      let source = Source("all")
      var refusals: [String] = []
      let all = regions(4096, client, window: window.raw, source)
      for region in all { region.onRefused = { refusals.append($0) } }
      try client.flush()
      try client.dispatch()
      d.engine.signal(SIGCONT)
      try client.synchronize()
      #expect(refusals.isEmpty)
      client.close()
    }

    @Test("a lost engine is told by flush too") func aLostEngineIsTold() throws {
      let d = try Desktop(compositor: nil)
      let client = try Client(name: "app", socket: d.socket)
      d.engine.stop(SIGKILL)
      let region = Region(client: client, window: 1, frame: Carry.Rect(x: 0, y: 0, width: 1, height: 1))
      let source = Source("")
      var said = ""
      #expect(
        Wait.until {
          region.removeInteraction(DragInteraction(delegate: source))
          region.addInteraction(DragInteraction(delegate: source))
          do { try client.flush() } catch { said = "\(error)" }
          return !said.isEmpty
        })
      #expect(said == "the connection to the engine was lost: the engine stopped")
      #expect(throws: ClientError.self) { try client.synchronize() }
    }
  }
}
