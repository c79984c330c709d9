import CarryModel
import CarrySessions
import Testing

/// What developers see of regions.
@Suite struct RegionListTests {
  @Test("Z29: a region tells how much of it a finger reaches, and which window covers the rest") func Z29_covered()
    throws
  {
    let (p, target) = try pair()
    func listed() -> RegionListing? { p.engine.listRegions(max: 10).list.first { $0.region == target } }
    #expect(listed()?.reachable == 1 && listed()?.cover == nil && listed()?.rect == targetRect)
    // Another program's window over the left third.
    let cover = WindowID(900)
    p.tree.insert(
      .init(id: cover, frame: Rect(x: 850, y: 250, width: 100, height: 300), isMapped: true), parent: Play.root)
    #expect(listed().map { abs($0.reachable - 2 / 3) < 0.01 && $0.cover == cover } == true)
    // A source above takes no drops, and an obstacle takes everything.
    p.tree.remove(cover)
    let above = try p.region(3, WindowID(12), Rect(x: 0, y: 0, width: 300, height: 300), .drag)
    #expect(listed()?.reachable == 1)
    p.engine.updateRegion(above, roles: [.drag, .obstacle])
    #expect(listed()?.reachable == 0 && listed()?.cover == WindowID(12))
  }

  @Test("Z29: no more regions are listed than asked for; one whose window is not on the screen has no place")
  func Z29_most() throws {
    let (p, _) = try pair()
    #expect(p.engine.listRegions(max: 1).list.count == 1 && p.engine.listRegions(max: 1).count == 2)
    p.tree.setMapped(WindowID(11), false)
    let hidden = try #require(p.engine.listRegions(max: 10).list.first)
    #expect(hidden.rect == nil && hidden.reachable == 0)
  }

  @Test("Z34: monitors are told which type a target has received, and in which region") func Z34_received() throws {
    let (p, target) = try pair()
    p.itemsToLift = { _ in [Play.item(1, types: ["text/plain", "text/html"])] }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/html", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    let received = try #require(p.monitored.first { $0.kind == .received })
    #expect(received.types == ["text/html"] && received.targetRegion == target && received.target == ClientID(2))
    #expect(p.monitored.first { $0.kind == .lifted }?.sourceRegion != nil)
  }
}
