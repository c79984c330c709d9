import CarryModel
import CarrySessions
import Testing

/// Regions that stand for applications of another protocol.
@Suite struct StandInTests {
  /// A source on the left; on the right a window of client 3 with a region of the bridge, client 9.
  private func play() throws -> (Play, WindowID, standIn: RegionID) {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 800), .drag)
    let own = try p.window(3, Rect(x: 800, y: 0, width: 400, height: 800), [])
    let window = p.lastWindow
    p.act { e, a in e.removeRegion(own, at: p.instant, into: &a) }
    let standIn = try p.engine.addRegion(
      client: ClientID(9), window: window, rect: Rect(x: 0, y: 0, width: 400, height: 800), roles: .drop,
      isStandIn: true)
    return (p, window, standIn)
  }

  @Test(
    "Z1: where an application takes drops itself, nobody stands for it, also where it refuses",
    arguments: [true, false])
  func Z1_theirOwnRegionsComeFirst(takes: Bool) throws {
    let (p, window, standIn) = try play()
    let own = try p.region(3, window, Rect(x: 0, y: 0, width: 400, height: 400), .drop)
    p.canHandle = { $0 != own || takes }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.destination(standIn).isEmpty && p.destination(own).contains("canHandle"))
    p.move(1, 900, 600)
    #expect(p.destination(standIn).contains("didEnter"))
  }

  @Test("Z1: a stand-in may answer again while the finger rests, and other regions may not", arguments: [true, false])
  func Z1_answersAgain(isStandIn: Bool) throws {
    let (p, window, standIn) = try play()
    var region = standIn
    if !isStandIn { region = try p.region(3, window, Rect(x: 0, y: 0, width: 400, height: 800), .drop) }
    p.proposal = { _, _ in .cancel }
    p.drag(1, from: (100, 300), to: (900, 300))
    var last: (ClientID, SessionID, UInt32)?
    for case .destination(let client, let session, region, .didUpdate(let serial, _)) in p.log {
      last = (client, session, serial)
    }
    let (client, session, serial) = try #require(last)
    p.act { $0.proposed(.copy, by: client, session, region: region, serial: serial, at: p.instant, into: &$1) }
    p.wait(200)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(region).contains("performDrop") == isStandIn)
  }

  @Test("Z1: the items of a drop on a stand-in go down at once, where they are") func Z1_landing() throws {
    let (p, _, _) = try play()
    p.performsSilently = true
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(200)
    p.up(1, 900, 300)
    p.wait(400)
    #expect(p.stage.contains { if case .drop(nil, _, _) = $0.1 { true } else { false } })
  }

  /// Who is behind the window that comes under the finger, beside the program that was there.
  enum Newcomer: CaseIterable { case itself, another, unknown }

  @Test(
    "Z1: another program's window that comes under the finger gets no drop at once, where the bridge stands for both",
    arguments: Newcomer.allCases)
  func Z1_slidesUnder(newcomer: Newcomer) throws {
    let (p, _, standIn) = try play()
    let process: ProcessKey = newcomer == .unknown ? .unknown : .peer(3)
    p.engine.setIdentity(ProgramIdentity(process: process), of: standIn)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    let own = try p.window(4, Rect(x: 800, y: 0, width: 400, height: 800), [])
    let above = try p.engine.addRegion(
      client: ClientID(9), window: p.lastWindow, rect: Rect(x: 0, y: 0, width: 400, height: 800), roles: .drop,
      isStandIn: true)
    p.engine.setIdentity(ProgramIdentity(process: newcomer == .another ? .peer(4) : process), of: above)
    p.act { e, a in
      e.removeRegion(own, at: p.instant, into: &a)
      e.windowsChanged(at: p.instant, into: &a)
    }
    p.wait(20)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(above).contains("performDrop") == (newcomer == .itself))
    #expect(!p.destination(standIn).contains("performDrop"))
  }

  @Test("Z1, K6: a stand-in has the identity of the application, not of the bridge") func Z1_K6_identity() throws {
    let (p, _, standIn) = try play()
    p.itemsToLift = { _ in
      [
        ItemDescription(
          id: ItemID(1), types: [OfferedType(name: "a/b"), OfferedType(name: "a/team", visibility: .team)])
      ]
    }
    p.engine.setIdentity(ProgramIdentity(process: .peer(1), program: "s", team: "t"), of: ClientID(1))
    p.engine.setIdentity(ProgramIdentity(process: .peer(3), program: "r", team: "t"), of: standIn)
    p.drag(1, from: (100, 300), to: (900, 300))
    let offered = p.log.flatMap { action -> [String] in
      if case .destination(_, _, standIn, .offer(let items, _, _, _)) = action {
        return items.flatMap { $0.types.map(\.name) }
      }
      return []
    }
    #expect(offered == ["a/b", "a/team"])
  }
}
