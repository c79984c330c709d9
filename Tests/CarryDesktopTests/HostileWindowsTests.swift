import CLinux
import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Windows that nobody can see, and windows in other programs' windows (T34).
  @Suite struct HostileWindows {
    private final class Thief: DropInteractionDelegate {
      var sessions = 0
      func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
        sessions += 1
        return true
      }
      func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
        DropProposal(operation: .copy)
      }
    }

    @Test("what is dropped on a window goes to that, whatever unseen windows lie over it and in it")
    func unseenWindows() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 3, compositor: nil)
      let target = try d.target()
      #expect(d.engine.readLine { $0.contains("is carry drop") } != nil)
      var victim: WindowID?
      _ = Wait.until {
        victim = d.client.children(of: d.client.root).first { d.client.facts($0)?.frame.x == 850 }
        return victim != nil
      }
      try #require(victim != nil)
      let whole = CarryModel.Rect(x: 0, y: 0, width: 300, height: 300)
      let over = d.client.makeInputOnlyWindow(whole.offset(by: CarryModel.Point(x: 850, y: 250)))
      let inside = d.client.makeInputOnlyWindow(whole, in: victim)
      // On the screen when it is registered, and the victim's child after that.
      let moved = d.client.makeWindow(whole)
      // Seen, but in the victim's window.
      let child = d.client.makeWindow(whole, in: victim, maps: false)
      let own = d.client.makeWindow(CarryModel.Rect(x: 600, y: 0, width: 10, height: 10))
      d.client.sync()

      let client = try Client(name: "thief", socket: d.socket)
      let thief = Thief()
      let regions = [over, inside, child, moved, own].map { window in
        let region = Region(client: client, window: window.raw, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 300))
        region.addInteraction(DropInteraction(delegate: thief))
        return region
      }
      try client.synchronize()
      #expect(regions[0].refusal?.contains("cannot be seen") == true)
      #expect(regions[1].refusal?.contains("cannot be seen") == true)
      #expect(regions[2].refusal?.contains("lies in one that does not") == true)
      #expect(regions[3].refusal == nil && regions[4].refusal == nil)
      d.client.map(child)
      d.client.reparent(moved, to: try #require(victim), at: .zero)
      d.client.raise(moved)
      d.client.sync()

      let source = try d.source("--text", "hello")
      #expect(target.readLine { $0.contains("\"event\": \"dropped\"") } != nil)
      let hasEnded = Wait.until(descriptor: client.fileDescriptor) { (try? client.dispatch()) == nil }
      #expect(hasEnded)
      #expect(thief.sessions == 0)
      withExtendedLifetime((source, regions)) {}
    }

    @Test(
      "nobody waits for the X server because somebody registers regions of windows that it must be asked of")
    func nobodyWaitsForTheXServer() throws {
      let d = try Desktop(compositor: nil)
      let window = d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 100, height: 100))
      d.client.sync()
      let asking = try Client(name: "asking", socket: d.socket)
      let quiet = Thief()
      func region(_ window: UInt32) -> Region {
        let region = Region(client: asking, window: window, frame: Carry.Rect(x: 0, y: 0, width: 50, height: 50))
        region.addInteraction(DropInteraction(delegate: quiet))
        return region
      }
      // What the server tells of as the engine starts, such as outputs, the engine may ask about and wait (decision 0022): on
      // a busy machine that comes late.
      for _ in 0..<2 { try asking.synchronize() }
      d.server.process.signal(SIGSTOP)
      let regions = [region(0x7FFF_FFFF), region(window.raw)]
      regions[1].raise()
      regions[1].frame = Carry.Rect(x: 0, y: 0, width: 60, height: 60)
      try asking.flush()
      // It comes after that, and gets its answers before; an engine that waits does not greet it.
      let other = try Client(name: "other", socket: d.socket)
      try other.synchronize()
      try asking.dispatch()
      #expect(regions[0].refusal == nil)
      d.server.process.signal(SIGCONT)
      // By then it is known of both.
      try asking.synchronize()
      #expect(regions[0].refusal?.contains("no such window") == true)
      #expect(regions[1].refusal == nil)
    }
  }
}
