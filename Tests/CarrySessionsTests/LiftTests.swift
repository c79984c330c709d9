import CarryGestures
import CarryModel
import CarrySessions
import Testing

@Suite struct LiftTests {
  @Test("L1, L2: press lifts and move drags") func L1_L2_pressLiftsAndMoveDrags() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.down(1, 100, 300)
    #expect(p.stage.isEmpty)
    p.wait(150)
    guard case .lift([.usual], _, _, Point(x: 100, y: 300), let start, let duration) = try #require(p.stage.first?.1)
    else {
      Issue.record("no lift: \(p.stage)")
      return
    }
    // The progress runs from the 150th to the 500th millisecond of the touch.
    #expect(start.microseconds == 150_000 && duration == .milliseconds(350))
    #expect(p.monitorKinds() == [.liftBegan])
    // The gate holds the touch for longer, and knows it before the source is asked.
    #expect(p.lifting.map(\.contact.raw) == [1] && p.lifting.first?.asked == false)
    p.wait(400)
    #expect(p.monitorKinds() == [.liftBegan, .lifted])
    p.move(1, 120, 300)
    #expect(p.monitorKinds() == [.liftBegan, .lifted, .began])
  }

  @Test("L3, L18: items are asked for just before the lift with the location")
  func L3_L18_itemsAreAskedForJustBeforeTheLiftWithTheLocation() throws {
    let p = Play()
    let r = try p.window(1, sourceRect, .drag)
    p.down(1, 120, 290)
    p.wait(149)
    #expect(p.source(1).isEmpty)
    p.wait(1)
    guard case .source(ClientID(1), _, .itemsForBeginning(r, _, let local)) = try #require(p.log.first) else {
      Issue.record("not asked")
      return
    }
    #expect(local == Point(x: 70, y: 40))
  }

  @Test("L4: no items fails the gesture") func L4_noItemsFailsTheGesture() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.itemsToLift = { _ in [] }
    p.lift(1, 100, 300)
    #expect(p.log.contains(.ignore(ContactID(1))))
    p.move(1, 400, 300)
    p.up(1, 400, 300)
    p.wait(200)
    #expect(p.stage.isEmpty)
    #expect(p.source(1) == ["itemsForBeginning"])
    #expect(p.isAtRest)
  }

  @Test("L4: a touch without a region is ignored at once") func L4_aTouchWithoutARegionIsIgnoredAtOnce() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.down(1, 700, 700)
    #expect(p.log == [.ignore(ContactID(1))])
    p.up(1, 700, 700)
    #expect(p.isAtRest)
  }

  @Test("L5, L6, L7: several items lift in order with a badge") func L5_L6_L7_severalItemsLiftInOrderWithABadge() throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    p.itemsToLift = { _ in [Play.item(7), Play.item(8), Play.item(9)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    guard case .lift([.usual, .usual, .usual], _, _, _, _, _) = p.stage[0].1 else {
      Issue.record("not three: \(p.stage[0])")
      return
    }
    #expect(p.badges.first == .count(3))
    let offered = p.log.compactMap { action -> [ItemID]? in
      if case .destination(_, _, target, .offer(let items, _, _, _)) = action { items.map(\.id) } else { nil }
    }
    #expect(offered == [[ItemID(7), ItemID(8), ItemID(9)]])
  }

  @Test("L7: one item has no badge") func L7_oneItemHasNoBadge() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.lift(1, 100, 300)
    #expect(p.badges.isEmpty)
  }

  @Test("L12, L13: release part way reverses and ends at start") func L12_L13_releasePartWayReversesAndEndsAtStart()
    throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.animationsFinish = false
    p.down(1, 100, 300)
    p.wait(300)
    p.up(1, 100, 300)
    #expect(p.stage.contains { $0.1 == .reverseLift })
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan"])  // The completion comes with the end of the animation.
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan", "liftEnded(start)"])
    #expect(p.monitorKinds() == [.liftBegan, .liftReversed])
    #expect(p.isAtRest)
  }

  @Test("L13: a full lift ends at end when the drag starts") func L13_aFullLiftEndsAtEndWhenTheDragStarts() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.lift(1, 100, 300)
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan", "lifted"])
    p.move(1, 115, 300)
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan", "lifted", "liftEnded(end)", "willBegin"])
  }

  @Test("L17: release after full lift settles back") func L17_releaseAfterFullLiftSettlesBack() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.lift(1, 100, 300)
    p.up(1, 100, 300)
    p.wait(100)
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan", "lifted", "liftEnded(start)"])
    #expect(p.monitorKinds() == [.liftBegan, .lifted, .liftReversed])
    #expect(p.isAtRest)
  }

  @Test func aLiftThatIsNeverReportedFinishedEndsByItself() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.animationsFinish = false
    p.down(1, 100, 300)
    p.wait(300)
    p.up(1, 100, 300)
    p.wait(2000)
    #expect(p.isAtRest)
    #expect(p.stage.last?.1 == .remove)
  }

  @Test func aSourceThatAnswersAfterTheFingerMovedStartsTheDragThen() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    p.move(1, 200, 300)
    #expect(p.stage.isEmpty)
    let (client, session, serial) = try #require(p.openQuestion)
    p.act {
      $0.answered(
        by: client, session, serial: serial, items: [Play.item(1)], at: p.instant, into: &$1)
    }
    #expect(p.monitorKinds() == [.liftBegan, .lifted, .began])
    #expect(p.source(1) == ["itemsForBeginning", "liftBegan", "lifted", "liftEnded(end)", "willBegin"])
  }

  @Test("Z8: a source that never answers lifts nothing") func Z8_aSourceThatNeverAnswersLiftsNothing() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    p.move(1, 200, 300)
    p.wait(2000)
    #expect(p.engine.sessionCount == 0)
    p.up(1, 200, 300)
    #expect(p.isAtRest)
    #expect(p.stage.isEmpty)
  }
}
