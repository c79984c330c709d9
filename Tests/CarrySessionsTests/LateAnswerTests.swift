import CarryModel
import CarrySessions
import Testing

/// Answers that come after the finger went up.
@Suite struct LateAnswerTests {
  /// The last question whether a region takes the session.
  private func question(_ p: Play, _ region: RegionID) throws -> UInt32 {
    try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, region, .canHandle(let serial, _)) = action { serial } else { nil }
      }.last)
  }

  private func answer(_ p: Play, _ yes: Bool, _ region: RegionID) throws {
    let serial = try question(p, region)
    p.act { $0.handles(yes, by: ClientID(2), SessionID(1), region: region, serial: serial, at: p.instant, into: &$1) }
  }

  @Test("D5, Z8: what a region says that the drag has left does not end the wait for the one it was let go on")
  func D5_Z8_aLateRefusalOfARegionBehind() throws {
    let (p, target) = try pair()
    let behind = try p.window(2, Rect(x: 450, y: 250, width: 300, height: 300), .drop)
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (500, 300))
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, behind)
    #expect(p.engine.sessionCount == 1 && !p.monitorKinds().contains(.cancelled))
    try answer(p, true, target)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.source(1).contains("didEnd(copy)"))
    #expect(p.isAtRest)
  }

  @Test("D5: where the region above refuses after the release, the one below is asked")
  func D5_theOneBelowIsAskedAfterTheRelease() throws {
    let (p, below) = try pair()
    let above = try p.region(2, p.lastWindow, Rect(x: 0, y: 0, width: 100, height: 100), .drop)
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, above)
    try answer(p, true, below)
    p.wait(100)
    #expect(p.destination(below).contains("performDrop") && !p.destination(above).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("E1: when nothing below takes it, a late refusal ends the drag at once") func E1_aLateRefusalOfAll() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, target)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("E1: a region that goes away while its answer is waited for ends the drag at once")
  func E1_aRegionThatGoesAway() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    p.act { $0.removeRegion(target, at: p.instant, into: &$1) }
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }
}
