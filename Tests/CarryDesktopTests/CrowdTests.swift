import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import CLinux
import Testing

extension DesktopTests {
  /// Many of everything.
  @Suite(.serialized) struct Crowd {
    private func descriptors(_ d: Desktop) -> Int { Files.list("/proc/\(d.engine.pid)/fd").count }

    @Test("a hundred clients cost the others nothing, and two thousand that come and go leave nothing")
    func clients() throws {
      let d = try Desktop(compositor: nil)
      let one = try Client(name: "one", socket: d.socket)
      func roundTrips() throws -> Double {
        let start = MonotonicClock.now().seconds
        for _ in 0..<200 { try one.synchronize() }
        return MonotonicClock.now().seconds - start
      }
      _ = try roundTrips()
      let alone = try (0..<5).map { _ in try roundTrips() }.min() ?? 0
      let before = descriptors(d)
      var crowd = try (0..<100).map { try WireConnection(path: d.socket, name: "client \($0)") }
      let among = try (0..<5).map { _ in try roundTrips() }.min() ?? 0
      // The other builds of this machine are in these times as well: an order of magnitude is what can be told.
      #expect(among < alone * 10 + 1, "\(alone) s alone, \(among) s among a hundred")
      // The socket, and libwayland's own duplicate in its event loop.
      #expect(descriptors(d) == before + 200)
      for c in crowd { c.close() }
      crowd = []
      for i in 0..<2000 {
        try WireConnection(path: d.socket, name: "\(i)").close()
        // The engine says of each that it came and went, into a pipe that somebody has to empty.
        if i % 100 == 99 { #expect(d.engine.readLine { $0.contains("is \(i) ") } != nil) }
      }
      #expect(Wait.until { descriptors(d) == before }, "\(descriptors(d)) descriptors, \(before) before")
      try one.synchronize()
    }

    @Test("two thousand regions in one window, moved about, and a drag over them all the while")
    func regions() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 3, compositor: nil)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      let client = try Client(name: "many", socket: d.socket)
      final class Nobody: DropInteractionDelegate {
        func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool { false }
      }
      let nobody = Nobody()
      let window = d.client.makeWindow(CarryModel.Rect(x: 400, y: 100, width: 400, height: 600))
      d.client.sync()
      let regions = (0..<2000).map { i in
        let region = Region(
          client: client, window: window.raw, frame: .init(x: i % 40 * 10, y: i / 40 * 12, width: 10, height: 12))
        region.addInteraction(DropInteraction(delegate: nobody))
        return region
      }
      try client.synchronize()
      var i = 0
      #expect(
        Wait.until(seconds: 20, descriptor: client.fileDescriptor) {
          for _ in 0..<50 {
            regions[i % 2000].frame.x ^= 1
            i += 7
          }
          try? client.dispatch()
          return !d.engine.isRunning
        })
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"hello\"") })
      #expect(regions.allSatisfy { $0.refusal == nil } && i > 10_000)
      withExtendedLifetime((source, nobody)) {}
    }
  }
}
