import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Clients that do what they should not, while a finger wants to drag.
extension GateTests {
  @Test("Z4: a client with ten thousand regions is refused most and stops touch for nobody")
  func Z4_aClientWithTenThousandRegions() throws {
    let s = try Scene()
    let greedy = try Client(name: "greedy", socket: s.engine.socket)
    var regions: [Carry.Region] = []
    for i in 0..<10_000 {
      let region = Carry.Region(
        client: greedy, window: s.other.window, frame: Carry.Rect(x: i % 400, y: i / 40, width: 9, height: 9))
      region.addInteraction(DragInteraction(delegate: s.source))
      regions.append(region)
      if i % 500 == 0 { try greedy.synchronize() }
    }
    try greedy.synchronize()
    #expect(regions[0].refusal == nil)
    #expect(regions.count { $0.refusal != nil } == 10_000 - Limits.regionsPerClient)
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.up(1, 260, 150)
    // The applications' touches still flow, in the greedy one's window beside its regions as well.
    s.server.down(2, 800, 480)
    s.server.up(2, 800, 480)
    #expect(s.other.got([XI_TouchBegin, XI_TouchEnd]))
  }

  @Test("Z4: a region on a window of somebody else is refused and guards nothing")
  func Z4_aRegionOnAForeignWindowIsRefused() throws {
    let s = try Scene()
    // The root window belongs to nobody.
    let root = XDefaultRootWindow(s.app.display)
    let region = Carry.Region(
      client: s.client, window: UInt32(root), frame: Carry.Rect(x: 0, y: 0, width: 1280, height: 800))
    region.addInteraction(DragInteraction(delegate: s.source))
    try s.client.synchronize()
    #expect(region.refusal != nil)
    s.server.down(1, 800, 200)
    s.server.up(1, 800, 200)
    #expect(s.other.got([XI_TouchBegin, XI_TouchEnd]))
    #expect(s.source.calls.isEmpty)
  }
}
