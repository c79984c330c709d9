import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// D2 to D4: which of several sessions a region takes.
@Suite struct SeveralSessionsTests {
  /// Two drags, neither over the target yet.
  private func twoDrags() throws -> Play {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 100, height: 100), .drag)
    _ = try p.window(2, Rect(x: 0, y: 200, width: 100, height: 100), .drag)
    p.drag(1, from: (50, 50), to: (600, 50))
    p.drag(2, from: (50, 250), to: (600, 250))
    return p
  }

  private func sessions(_ p: Play, _ region: RegionID, _ word: String) -> [UInt32] {
    p.log.compactMap { action in
      if case .destination(_, let id, region, let m) = action, Play.word(m) == word { id.raw } else { nil }
    }
  }

  @Test("D2, D16: a region handles one session; the other is ignored until that one has left and it comes again")
  func D2_D16_oneSessionAtATime() throws {
    let p = try twoDrags()
    let target = try p.window(3, targetRect, .drop)
    p.move(1, 900, 300)
    p.move(2, 910, 310)
    #expect(sessions(p, target, "canHandle") == [1])
    // The first leaves: the second is still ignored, however much it moves.
    p.move(1, 600, 300)
    p.move(2, 920, 320)
    p.move(2, 930, 330)
    #expect(sessions(p, target, "canHandle") == [1])
    // It leaves and comes again.
    p.move(2, 600, 300)
    p.move(2, 930, 330)
    #expect(sessions(p, target, "canHandle") == [1, 2])
    // And now the first is the one that comes too late.
    p.move(1, 900, 300)
    #expect(sessions(p, target, "didEnter") == [1, 2])
    p.up(1, 900, 300)
    p.up(2, 930, 330)
    p.wait(100)
    #expect(sessions(p, target, "performDrop") == [2])
    #expect(p.isAtRest)
  }

  @Test("D3: a region that is raised is above the others of its window, for the drag that is there too")
  func D3_aRegionThatIsRaised() throws {
    let p = try twoDrags()
    let first = try p.window(3, targetRect, .drop)
    // More than a handful: they are found by a grid.
    let others = try (0..<12).map { i in
      try p.region(3, p.lastWindow, Rect(x: 0, y: 0, width: 300, height: 300 - Double(i)), .drop)
    }
    p.move(1, 900, 300)
    #expect(sessions(p, others[11], "didEnter") == [1] && sessions(p, first, "didEnter") == [])
    p.change { $0.raiseRegion(first) }
    #expect(sessions(p, first, "didEnter") == [1] && sessions(p, others[11], "didExit") == [1])
    // And the one below it comes again when that goes.
    p.change { $0.raiseRegion(others[3]) }
    #expect(sessions(p, others[3], "didEnter") == [1])
    p.change { $0.raiseRegion(RegionID(9999)) }
    // What comes under a finger by itself gets nothing at first.
    p.wait(1000)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(sessions(p, others[3], "performDrop") == [1])
  }

  @Test("D13: the region is taken until its drop has concluded") func D13_takenUntilItsDropHasConcluded() throws {
    let p = try twoDrags()
    let target = try p.window(3, targetRect, .drop)
    p.animationsFinish = false
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    p.move(2, 910, 310)
    #expect(sessions(p, target, "canHandle") == [1])
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(sessions(p, target, "didEnd(copy)") == [1])
    p.move(2, 600, 310)
    p.move(2, 910, 310)
    #expect(sessions(p, target, "canHandle") == [1, 2])
  }

  @Test("D3: two interactions at the same place take a session each") func D3_twoInteractionsTakeASessionEach() throws {
    let p = try twoDrags()
    let first = try p.window(3, targetRect, .drop)
    let second = try p.region(3, p.lastWindow, Rect(x: 0, y: 0, width: 300, height: 300), .drop)
    p.move(1, 900, 300)
    p.move(2, 910, 310)
    #expect(sessions(p, second, "didEnter") == [1] && sessions(p, first, "didEnter") == [2])
    p.up(1, 900, 300)
    p.up(2, 910, 310)
    p.wait(100)
    #expect(sessions(p, second, "performDrop") == [1] && sessions(p, first, "performDrop") == [2])
    #expect(p.isAtRest)
  }

  @Test("D4: a region that allows it takes several at the same time") func D4_severalAtTheSameTime() throws {
    let p = try twoDrags()
    let target = try p.window(3, targetRect, [.drop, .simultaneous])
    p.move(1, 900, 300)
    p.move(2, 910, 310)
    #expect(sessions(p, target, "didEnter") == [1, 2])
    p.up(2, 910, 310)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(sessions(p, target, "performDrop").sorted() == [1, 2])
    #expect(p.isAtRest)
  }

  @Test("D2: ten sessions to one target, each gets its turn") func D2_tenSessionsToOneTarget() throws {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 100, height: 700), .drag)
    let target = try p.window(2, targetRect, .drop)
    p.itemsToLift = { _ in (1...64).map { Play.item($0) } }
    for f: UInt32 in 1...10 { p.down(f, 50, Double(f) * 60) }
    p.wait(550)
    for f: UInt32 in 1...10 { p.move(f, 600, Double(f) * 60) }
    #expect(p.engine.sessionCount == 10)
    for f: UInt32 in 1...10 { p.move(f, 900, 300) }
    #expect(sessions(p, target, "didEnter").count == 1)
    for f: UInt32 in 1...10 {
      p.move(f, 600, 300)
      p.move(f, 900, 300)
      p.up(f, 900, 300)
      p.wait(100)
    }
    #expect(sessions(p, target, "performDrop").count == 10)
    #expect(p.monitored.count { $0.kind == .ended } == 10)
    #expect(p.isAtRest)
  }

  @Test("D4: a role that changes under two drags counts for those that come")
  func D4_aRoleThatChanges() throws {
    let p = try twoDrags()
    let target = try p.window(3, targetRect, .drop)
    p.move(1, 900, 300)
    p.move(2, 910, 310)
    p.change { $0.updateRegion(target, roles: [.drop, .simultaneous]) }
    #expect(sessions(p, target, "didEnter") == [1])
    p.move(2, 600, 310)
    p.move(2, 910, 310)
    #expect(sessions(p, target, "didEnter") == [1, 2])
  }

  @Test("X8, K4: drops whose data is long on its way keep nobody from dragging")
  func X8_K4_slowTransfersAreInNobodysWay() throws {
    let (p, target) = try pair()
    p.provides = { _, _, _ in nil }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    for finger: UInt32 in 1...11 {
      p.drag(finger, from: (100, 300), to: (900, 300))
      p.up(finger, 900, 300)
      p.wait(100)
    }
    #expect(p.destination(target).count { $0 == "performDrop" } == 11)
    #expect(p.engine.sessionCount == 11 && p.engine.transferCount == 11)
    p.wait(31_000)
    #expect(p.isAtRest)
  }
}
