import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// T31: a peer dies in each phase; the other hears of it, and nothing remains.
@Suite struct ClientLossTests {
  enum Phase: CaseIterable { case asking, lifting, lifted, dragging, over, releasing, dropping, flyingHome }

  private func bring(_ p: Play, to phase: Phase) {
    switch phase {
    case .asking:
      p.isSourceSilent = true
      p.lift(1, 100, 300)
    case .lifting:
      p.down(1, 100, 300)
      p.wait(300)
    case .lifted:
      p.lift(1, 100, 300)
    case .dragging:
      p.drag(1, from: (100, 300), to: (600, 300))
    case .over:
      p.drag(1, from: (100, 300), to: (900, 300))
    case .releasing:
      p.proposal = { _, _ in nil }
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      p.wait(100)
    case .dropping:
      p.animationsFinish = false
      p.provides = { _, _, _ in nil }
      p.perform = { p, id, region, client in
        p.act { e, a in
          _ = e.requestLoad(
            by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
        }
      }
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      p.wait(100)
    case .flyingHome:
      p.animationsFinish = false
      p.drag(1, from: (100, 300), to: (600, 700))
      p.up(1, 600, 700)
      p.wait(100)
    }
  }

  @Test("the source dies", arguments: Phase.allCases) func theSourceDies(_ phase: Phase) throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    bring(p, to: phase)
    p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    if phase == .over || phase == .releasing {
      #expect(p.destination(target).last == "didEnd(cancel)")
    }
    if phase == .dropping { #expect(p.failures == [.sourceGone]) }
    if phase == .lifting || phase == .lifted { #expect(p.monitorKinds().last == .liftReversed) }
    p.up(1, 0, 0)
    p.wait(3000)
    #expect(p.isAtRest)
    if phase != .asking { #expect(p.stage.last?.1 == .remove) }
  }

  @Test("the target dies", arguments: Phase.allCases) func theTargetDies(_ phase: Phase) throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, targetRect, .drop)
    bring(p, to: phase)
    p.act { $0.clientGone(ClientID(2), at: p.instant, into: &$1) }
    p.up(1, 900, 300)
    p.wait(3000)
    #expect(p.isAtRest)
    switch phase {
    case .over, .releasing, .dragging: #expect(p.source(1).last == "didEnd(cancel)")
    case .dropping: #expect(p.source(1).last == "didTransfer")
    default: break
    }
  }

  @Test("regions go with their window") func regionsGoWithTheirWindow() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, targetRect, .drop)
    let window = p.lastWindow
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tree.remove(window)
    p.act { _ = $0.windowDestroyed(window, at: p.instant, into: &$1) }
    #expect(p.engine.regionCount == 1)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test func limitsOfRegionsAndItemsHold() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let w = p.lastWindow
    for i in 1..<Limits.regionsPerClient {
      _ = try p.region(1, w, Rect(x: Double(i % 300), y: Double(i / 300), width: 5, height: 5), .drop)
    }
    #expect(throws: SessionEngine.RegionProblem.tooMany) { try p.region(1, w, .zero, .drop) }
    #expect(throws: SessionEngine.RegionProblem.unknownWindow) {
      try p.region(2, WindowID(4_000_000), .zero, .drop)
    }
    p.itemsToLift = { _ in (1...200).map { Play.item($0) } }
    p.lift(1, 100, 300)
    #expect(p.badges == [.count(Limits.itemsPerSession)])
  }
}
