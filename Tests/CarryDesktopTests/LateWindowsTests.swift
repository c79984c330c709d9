import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Regions of windows that the X server does not know yet: Xlib keeps what makes them until it is flushed.
  @Suite(.serialized) struct LateWindows {
    private static let whole = Carry.Rect(x: 0, y: 0, width: 300, height: 300)

    /// Has the engine read what the client said, and hear from the X server what that has to say to it.
    private func settle(_ player: Player, _ d: Desktop) throws {
      try player.client.flush()
      let other = try Client(name: "other", socket: d.socket)
      let region = Region(client: other, window: 0x7FFF_FFF0, frame: Self.whole)
      region.onRefused = { _ in }
      region.addInteraction(DropInteraction(delegate: player))
      // Its question comes after those of the client.
      try other.synchronize()
      #expect(region.refusal != nil)
    }

    @Test("a region whose window comes later takes part from then on, its regions stacked as they were made")
    func aWindowThatComesLater() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let player = try Player(d, "late")
      var taken: [String] = []
      let targets = try ["lower", "upper", "middle"].map { name in
        let target = try Player(d, name)
        target.perform = { _ in taken.append(name) }
        return target
      }
      let window = d.client.makeWindow(App.right)
      let regions = targets.map { player.region(window, Self.whole, [DropInteraction(delegate: $0)]) }
      let other = player.region(window, Self.whole, [DropInteraction(delegate: targets[0])])
      regions[1].raise()
      other.invalidate()
      try settle(player, d)
      try player.client.dispatch()
      #expect(regions.allSatisfy { $0.refusal == nil })
      d.client.sync()
      // Only then, as the recording begins when both have a region.
      let source = try d.source("--text", "hello")
      let isTaken = Wait.until(seconds: 20, descriptor: player.client.fileDescriptor) {
        try? player.client.dispatch()
        return !taken.isEmpty
      }
      #expect(isTaken && taken == ["upper"], "\(taken)")
      try player.client.synchronize()
      #expect(regions.allSatisfy { $0.refusal == nil })
      for p in targets + [player] { p.close() }
      withExtendedLifetime(source) {}
    }

    @Test("a window that never comes costs its client the regions, once for all of them, and nothing else")
    func aWindowThatNeverComes() throws {
      let d = try Desktop(compositor: nil)
      let player = try Player(d, "late")
      // More than a client may have refused.
      let many = (0..<100).map { _ in Region(client: player.client, window: 0x7FFF_0000, frame: Self.whole) }
      for region in many {
        region.onRefused = { _ in }
        region.addInteraction(DropInteraction(delegate: player))
      }
      // Nobody asks for an answer: it comes by itself.
      let areRefused = Wait.until(seconds: 30, descriptor: player.client.fileDescriptor) {
        try? player.client.dispatch()
        return many.allSatisfy { $0.refusal?.contains("XSync") == true }
      }
      #expect(areRefused)
      // It has its connection still; whoever asks is answered.
      let last = Region(client: player.client, window: 0x7FFF_0001, frame: Self.whole)
      last.onRefused = { _ in }
      last.addInteraction(DropInteraction(delegate: player))
      try player.client.synchronize()
      #expect(last.refusal?.contains("no such window") == true)
      player.close()
    }
  }
}
