import CarryGestures
import CarryModel
import CarrySessions
import CarryTesting
import Testing

/// Items that join a drag while somebody is asked about it.
@Suite struct LateAddTests {
  private let otherRect = Rect(x: 50, y: 600, width: 100, height: 100)

  private func answer(_ p: Play, _ yes: Bool, _ region: RegionID) throws {
    let serial = try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, region, .canHandle(let serial, _)) = action { serial } else { nil }
      }.last)
    p.act { $0.handles(yes, by: ClientID(2), SessionID(1), region: region, serial: serial, at: p.instant, into: &$1) }
  }

  @Test("A1, D5: a region that says yes late is offered what was added since it was asked")
  func A1_D5_addedWhileAsked() throws {
    let (p, target) = try pair()
    _ = try p.window(1, otherRect, .drag)
    p.canHandle = { _ in nil }
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 80, 640)
    try answer(p, true, target)
    #expect(p.destination(target).prefix(4) == ["offer(1)", "canHandle", "offer(1)", "didEnter"])
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("A1, D5: a region that refuses late is asked again about what was added since it was asked")
  func A1_D5_refusedWhatWasBefore() throws {
    let (p, target) = try pair()
    _ = try p.window(1, otherRect, .drag)
    p.canHandle = { _ in nil }
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 80, 640)
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, target)
    #expect(p.destination(target) == ["offer(1)", "canHandle", "offer(1)", "canHandle"])
    try answer(p, true, target)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("K8, A4: a tap that the application has been given adds nothing, however late it says to which drag it adds")
  func K8_A4_aTapThatWasGivenAway() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let other = try p.window(1, otherRect, .drag)
    p.itemsToAdd = { _ in [Play.item(9)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.itemsToLift = { _ in [Play.item(2)] }
    p.drag(2, from: (100, 300), to: (600, 500))
    p.chooses = { _ in nil }
    p.tap(3, 80, 640)
    let serial = try #require(
      p.log.compactMap { if case .choose(_, _, let serial, _, _) = $0 { serial } else { nil } }.last)
    p.act { e, _ in e.touchGivenAway(ContactID(3)) }
    p.act { $0.chose(SessionID(1), by: ClientID(1), other, serial: serial, at: p.instant, into: &$1) }
    #expect(!p.source(1).contains("itemsForAdding"))
    #expect(!p.monitorKinds().contains(.itemsAdded))
  }

  @Test("Z4, A4: a tap whose answer nobody waits for any more is the application's")
  func Z4_A4_theDragEndedFirst() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.isSourceSilent = true
    p.tap(2, 100, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.isAtRest)
    #expect(p.touches.contains("yield 2"))
  }
}
