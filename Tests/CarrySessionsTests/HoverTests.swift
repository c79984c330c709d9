import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// A drag on its way: what its source and the regions under it hear.
@Suite struct HoverTests {
  @Test("B1, B3: will begin comes with the move not with the lift")
  func B1_B3_willBeginComesWithTheMoveNotWithTheLift() throws {
    let (p, _) = try pair()
    p.lift(1, 100, 300)
    p.move(1, 108, 300)
    #expect(!p.source(1).contains("willBegin"))
    p.move(1, 111, 300)
    #expect(p.source(1).contains("willBegin"))
    #expect(p.stage.contains { if case .beginDrag = $0.1 { true } else { false } })
  }

  @Test("B5: the source hears each move one at a time") func B5_theSourceHearsEachMoveOneAtATime() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (400, 300))
    p.move(1, 410, 310)
    let points = p.log.compactMap { action -> Point? in
      if case .source(_, _, .didMove(_, let point)) = action { point } else { nil }
    }
    #expect(points == [Point(x: 350, y: 50), Point(x: 360, y: 60)])
  }

  @Test("B5: a source that stalls gets one motion and then the newest")
  func B5_aSourceThatStallsGetsOneMotionAndThenTheNewest() throws {
    let (p, _) = try pair()
    p.takesMotion = false
    p.drag(1, from: (100, 300), to: (400, 300))
    for x in 0..<500 { p.move(1, 400 + Double(x), 300) }
    let moves = p.log.compactMap { action -> (SessionID, UInt32)? in
      if case .source(_, let id, .didMove(let serial, _)) = action { (id, serial) } else { nil }
    }
    #expect(moves.count == 1)
    p.act { $0.motionTaken(by: ClientID(1), moves[0].0, serial: moves[0].1, into: &$1) }
    guard case .source(_, _, .didMove(_, let newest)) = try #require(p.log.last) else {
      Issue.record("no newest")
      return
    }
    #expect(newest == Point(x: 849, y: 50))
  }

  @Test("D5: a region that cannot handle is as good as absent") func D5_aRegionThatCannotHandleIsAsGoodAsAbsent() throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let below = try p.window(2, targetRect, .drop)
    let above = try p.region(2, p.lastWindow, Rect(x: 0, y: 0, width: 100, height: 100), .drop)
    p.canHandle = { $0 == below }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.move(1, 901, 300)
    #expect(p.destination(above) == ["offer(1)", "canHandle"])
    #expect(p.destination(below).prefix(3) == ["offer(1)", "canHandle", "didEnter"])
    p.up(1, 901, 300)
    p.wait(100)
    #expect(p.destination(below).contains("performDrop"))
    #expect(!p.destination(above).contains("performDrop"))
    #expect(p.destination(above).last == "didEnd(copy)")
    #expect(p.isAtRest)
  }

  @Test("D6, G2, G4: while hovering there are types and no data") func D6_G2_G4_whileHoveringThereAreTypesAndNoData()
    throws
  {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    let id = SessionID(1)
    p.act { e, a in
      _ = e.requestLoad(
        by: ClientID(2), id, region: target, item: 0, type: "text/plain", at: p.instant, into: &a)
    }
    #expect(p.failures == [.outsidePerformDrop])
    #expect(p.loads == 0)
  }

  @Test("D7, D8, D10, D11: enter update exit any number of times") func D7_D8_D10_D11_enterUpdateExitAnyNumberOfTimes()
    throws
  {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.move(1, 910, 300)
    p.move(1, 600, 300)
    p.move(1, 900, 300)
    p.move(1, 600, 300)
    #expect(
      p.destination(target).collapsed == [
        "offer(1)", "canHandle", "didEnter", "didUpdate", "didExit", "didEnter", "didUpdate", "didExit",
      ])
    #expect(p.engine.sessionCount == 1)
  }

  @Test("D9: one update under way and the newest position after it")
  func D9_oneUpdateUnderWayAndTheNewestPositionAfterIt() throws {
    let (p, target) = try pair()
    var silent = true
    p.proposal = { _, _ in silent ? nil : .copy }
    p.drag(1, from: (100, 300), to: (900, 300))
    for x in 0..<200 { p.move(1, 900 + Double(x), 300) }
    let updates = p.log.compactMap { action -> UInt32? in
      if case .destination(_, _, target, .didUpdate(let serial, _)) = action { serial } else { nil }
    }
    #expect(updates.count == 1)
    silent = false
    p.act {
      $0.proposed(
        .copy, by: ClientID(2), SessionID(1), region: target, serial: updates[0], at: p.instant, into: &$1)
    }
    guard
      case .destination(_, _, _, .didUpdate(_, let newest)) = try #require(
        p.log.last { if case .destination(_, _, _, .didUpdate) = $0 { true } else { false } })
    else { return }
    #expect(newest == Point(x: 249, y: 50))
  }

  @Test("D12, D15: every region that saw the session hears of its end")
  func D12_D15_everyRegionThatSawTheSessionHearsOfItsEnd() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let passed = try p.window(3, Rect(x: 400, y: 250, width: 200, height: 300), .drop)
    let target = try p.window(2, targetRect, .drop)
    p.drag(1, from: (100, 300), to: (450, 300))
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(passed).last == "didEnd(copy)")
    #expect(p.destination(passed).count { $0.hasPrefix("didEnd") } == 1)
    #expect(p.destination(target).suffix(2) == ["concludeDrop", "didEnd(copy)"])
  }
}
