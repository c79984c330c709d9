import CarryGestures
import CarryModel
import CarrySessions
import Testing

private let sourceRect = Rect(x: 50, y: 250, width: 300, height: 300)
private let targetRect = Rect(x: 850, y: 250, width: 300, height: 300)

/// A source at the left, a target at the right.
private func pair() throws -> (Play, RegionID) {
  let p = Play()
  _ = try p.window(1, sourceRect, .drag)
  let target = try p.window(2, targetRect, .drop)
  return (p, target)
}

@Suite struct DropTests {
  @Test("C1, C7, D8: whole copy from lift to transfer") func C1_C7_D8_wholeCopyFromLiftToTransfer() throws {
    let (p, target) = try pair()
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(
          by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.move(1, 950, 350)
    p.up(1, 950, 350)
    p.wait(100)
    #expect(
      p.destination(target).collapsed == [
        "offer(1)", "canHandle", "didEnter", "didUpdate", "performDrop", "concludeDrop", "didEnd(copy)",
      ])
    #expect(
      p.source(1).collapsed == [
        "itemsForBeginning", "liftBegan", "lifted", "liftEnded(end)", "willBegin", "didMove", "willEnd(copy)",
        "didEnd(copy)", "didTransfer(1)",
      ])
    #expect(
      p.monitorKinds().collapsed == [
        .liftBegan, .lifted, .began, .entered, .updated, .dropped, .dataDelivered, .ended,
      ])
    #expect(p.loads == 1)
    #expect(p.isAtRest)
  }

  @Test("B1, B2, B3: will begin comes with the move not with the lift")
  func B1_B2_B3_willBeginComesWithTheMoveNotWithTheLift() throws {
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

  @Test("D14, E1, O1: release on cancel ends without a drop") func D14_E1_O1_releaseOnCancelEndsWithoutADrop() throws {
    let (p, target) = try pair()
    p.proposal = { _, _ in .cancel }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(!p.destination(target).contains("performDrop"))
    #expect(p.destination(target).last == "didEnd(cancel)")
    #expect(p.badges.isEmpty)
    #expect(p.source(1).suffix(2) == ["willEnd(cancel)", "didEnd(cancel)"])
    #expect(p.stage.contains { $0.1 == .cancel([]) })
    #expect(p.monitorKinds().suffix(2) == [.cancelled, .ended])
    #expect(p.isAtRest)
  }

  @Test("O6: forbidden shows a sign and ends as forbidden") func O6_forbiddenShowsASignAndEndsAsForbidden() throws {
    let (p, target) = try pair()
    p.proposal = { _, _ in .forbidden }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.badges.last == .forbidden)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).suffix(2) == ["willEnd(forbidden)", "didEnd(forbidden)"])
    #expect(p.destination(target).last == "didEnd(forbidden)")
    #expect(p.isAtRest)
  }

  @Test("O2, O3: copy shows the plus with the count and loses it outside")
  func O2_O3_copyShowsThePlusWithTheCountAndLosesItOutside() throws {
    let (p, _) = try pair()
    p.itemsToLift = { _ in [Play.item(1), Play.item(2), Play.item(3)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.badges == [.count(3), .copy(3)])
    p.move(1, 600, 300)
    #expect(p.badges.last == .count(3))
  }

  @Test("O4: a move to another application is a cancel") func O4_aMoveToAnotherApplicationIsACancel() throws {
    let (p, target) = try pair()
    p.proposal = { _, _ in .move }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(!p.destination(target).contains("performDrop"))
    #expect(p.source(1).last == "didEnd(cancel)")
  }

  @Test("E1, E2: release outside flies home and ends after the animation")
  func E1_E2_releaseOutsideFliesHomeAndEndsAfterTheAnimation() throws {
    let (p, _) = try pair()
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (600, 700))
    p.up(1, 600, 700)
    p.wait(100)
    #expect(p.stage.last?.1 == .cancel([]))
    // B8 at touch-up, B9 after the animation.
    #expect(p.source(1).last == "willEnd(cancel)")
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("B8, B9: a copy ends at once without a cancel animation") func B8_B9_aCopyEndsAtOnceWithoutACancelAnimation()
    throws
  {
    let (p, _) = try pair()
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).contains("willEnd(copy)") && p.source(1).contains("didEnd(copy)"))
    #expect(!p.stage.contains { $0.1 == .cancel([]) })
  }

  @Test("B10: the source hears of the transfer when all loads have settled")
  func B10_theSourceHearsOfTheTransferWhenAllLoadsHaveSettled() throws {
    let (p, _) = try pair()
    p.provides = { _, _, _ in nil }
    p.perform = { p, id, region, client in
      for _ in 0..<2 {
        p.act { e, a in
          _ = e.requestLoad(
            by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(!p.source(1).contains { $0.hasPrefix("didTransfer") })
    let transfers = p.log.compactMap { action -> TransferID? in
      if case .load(_, let t, _, _) = action { t } else { nil }
    }
    #expect(transfers.count == 2)
    for t in transfers {
      let answer = p.engine.provided(t, by: ClientID(1), at: p.instant)
      let to = try #require(answer)
      p.act { $0.finished(t, by: to, successfully: true, at: p.instant, into: &$1) }
    }
    #expect(p.source(1).last == "didTransfer(2)")
    #expect(p.monitorKinds().suffix(2) == [.dataDelivered, .ended])
    #expect(p.isAtRest)
  }

  @Test("X1, X9: perform drop comes at touch up with the point") func X1_X9_performDropComesAtTouchUpWithThePoint()
    throws
  {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 930, 320)
    p.wait(100)
    let point = p.log.compactMap { action -> Point? in
      if case .destination(_, _, target, .performDrop(_, let point, .copy)) = action { point } else { nil }
    }
    #expect(point == [Point(x: 80, y: 70)])
  }

  @Test("X2, T19: loads succeed only inside perform drop and only for the target")
  func X2_T19_loadsSucceedOnlyInsidePerformDropAndOnlyForTheTarget() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let passed = try p.window(3, Rect(x: 400, y: 250, width: 200, height: 300), .drop)
    let target = try p.window(2, targetRect, .drop)
    p.animationsFinish = false
    p.perform = { p, id, region, client in
      p.act { e, a in
        // Another client, another region, an item there is not, a type there is not: all refused.
        _ = e.requestLoad(
          by: ClientID(3), id, region: passed, item: 0, type: "text/plain", at: p.instant, into: &a)
        _ = e.requestLoad(
          by: ClientID(3), id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
        _ = e.requestLoad(by: client, id, region: region, item: 9, type: "text/plain", at: p.instant, into: &a)
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "image/png", at: p.instant, into: &a)
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (450, 300))
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.failures == [.outsidePerformDrop, .outsidePerformDrop, .noSuchType, .noSuchType])
    #expect(p.loads == 1)
    // The scope is closed: a replay of the request comes to nothing.
    p.act { e, a in
      _ = e.requestLoad(
        by: ClientID(2), SessionID(1), region: target, item: 0, type: "text/plain", at: p.instant, into: &a)
    }
    #expect(p.failures.last == .outsidePerformDrop)
    #expect(p.loads == 1)
  }

  @Test("X3: a source may fail and the drop still ends") func X3_aSourceMayFailAndTheDropStillEnds() throws {
    let (p, _) = try pair()
    p.provides = { _, _, _ in false }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(
          by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.failures == [.sourceFailed])
    #expect(!p.monitorKinds().contains(.dataDelivered))
    #expect(p.monitorKinds().last == .ended)
    #expect(p.isAtRest)
  }

  @Test("T17, Z8: a target that never answers is not waited for longer than its deadline")
  func T17_Z8_aTargetThatNeverAnswersIsNotWaitedForLongerThanItsDeadline() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(1900)
    #expect(p.engine.sessionCount == 1)
    p.wait(300)
    #expect(p.engine.sessionCount == 0)
    #expect(p.destination(target).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("Z8: a target that never finishes performing loses its scope")
  func Z8_aTargetThatNeverFinishesPerformingLosesItsScope() throws {
    let (p, _) = try pair()
    p.performsSilently = true
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(3000)
    #expect(p.isAtRest)
    #expect(p.source(1).last == "didTransfer")
  }

  @Test func aReleaseWaitsForTheAnswerThatIsUnderWay() throws {
    let (p, target) = try pair()
    p.proposal = { _, _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.engine.sessionCount == 1)
    let serial = try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, target, .didUpdate(let serial, _)) = action { serial } else { nil }
      }.last)
    p.act {
      $0.proposed(.copy, by: ClientID(2), SessionID(1), region: target, serial: serial, at: p.instant, into: &$1)
    }
    #expect(p.destination(target).contains("performDrop"))
  }

  @Test func staleAndForeignAnswersAreIgnored() throws {
    let (p, target) = try pair()
    p.proposal = { _, _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    let before = p.badges
    p.act { e, a in
      e.proposed(.copy, by: ClientID(2), SessionID(1), region: target, serial: 99_999, at: p.instant, into: &a)
      e.proposed(.copy, by: ClientID(9), SessionID(1), region: target, serial: 1, at: p.instant, into: &a)
      e.proposed(.copy, by: ClientID(2), SessionID(77), region: target, serial: 1, at: p.instant, into: &a)
      e.handles(false, by: ClientID(2), SessionID(1), region: target, serial: 99_999, at: p.instant, into: &a)
      e.answered(by: ClientID(1), SessionID(1), serial: 5, items: [], at: p.instant, into: &a)
      e.performed(by: ClientID(2), SessionID(1), serial: 1, at: p.instant, into: &a)
    }
    #expect(p.badges == before)
    #expect(p.engine.sessionCount == 1)
  }

  @Test("T20: only a finger starts moves or ends a session") func T20_onlyAFingerStartsMovesOrEndsASession() throws {
    let (p, target) = try pair()
    p.act { e, a in
      e.answered(by: ClientID(1), SessionID(1), serial: 1, items: [Play.item(1)], at: p.instant, into: &a)
      _ = e.requestLoad(
        by: ClientID(2), SessionID(1), region: target, item: 0, type: "text/plain", at: p.instant, into: &a)
      e.performed(by: ClientID(2), SessionID(1), serial: 1, at: p.instant, into: &a)
    }
    #expect(p.engine.sessionCount == 0)
    #expect(p.failures == [.outsidePerformDrop])
    #expect(p.stage.isEmpty)
  }

  @Test("G7, D2: several sessions at once and one to a target") func G7_D2_severalSessionsAtOnceAndOneToATarget() throws
  {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 100, height: 100), .drag)
    _ = try p.window(2, Rect(x: 0, y: 200, width: 100, height: 100), .drag)
    let target = try p.window(3, targetRect, .drop)
    p.down(1, 50, 50)
    p.down(2, 50, 250)
    p.wait(550)
    p.move(1, 70, 50)
    p.move(2, 70, 250)
    #expect(p.engine.sessionCount == 2)
    p.move(1, 900, 300)
    p.move(2, 910, 310)
    #expect(p.destination(target).count { $0 == "didEnter" } == 1)
    p.up(1, 900, 300)
    p.wait(100)
    // It was there before the region was free: it has to come again.
    p.move(2, 911, 310)
    #expect(p.destination(target).count { $0 == "didEnter" } == 1)
    p.move(2, 700, 310)
    p.move(2, 911, 310)
    p.up(2, 911, 310)
    p.wait(100)
    #expect(p.destination(target).count { $0 == "performDrop" } == 2)
    #expect(p.isAtRest)
  }

  @Test("X8, DA9: data and animation go their own ways, whichever is over first", arguments: [true, false])
  func X8_DA9_twoTimelines(dataFirst: Bool) throws {
    let (p, target) = try pair()
    p.animationsFinish = false
    p.provides = { _, _, _ in dataFirst ? true : nil }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).contains("didTransfer(1)") == dataFirst)
    #expect(!p.destination(target).contains("concludeDrop"))
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(p.destination(target).suffix(2) == ["concludeDrop", "didEnd(copy)"])
    #expect((p.engine.sessionCount == 0) == dataFirst)
    guard !dataFirst else { return }
    // Long after the user has forgotten about it.
    p.wait(20_000)
    let to = p.engine.provided(TransferID(1), by: ClientID(1), at: p.instant)
    p.act { $0.finished(TransferID(1), by: to ?? ClientID(0), successfully: true, at: p.instant, into: &$1) }
    #expect(p.source(1).last == "didTransfer(1)")
    #expect(p.isAtRest)
  }

  @Test("G14: a drag begun by mistake is let go, and begun again at once") func G14_letGoAndBegunAgain() throws {
    let (p, target) = try pair()
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (600, 300))
    p.up(1, 600, 300)
    p.wait(100)
    // The first one still flies home.
    p.drag(2, from: (100, 300), to: (900, 300))
    #expect(p.destination(target).contains("didEnter"))
    #expect(p.engine.sessionCount == 2)
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(p.engine.sessionCount == 1)
  }

  @Test("B7: the source may look otherwise at the end: its region gone, the drag still ends for it")
  func B7_theWorldMayChange() throws {
    let p = Play()
    let region = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    p.act { $0.removeRegion(region, at: p.instant, into: &$1) }
    p.move(1, 610, 300)
    p.up(1, 610, 300)
    p.wait(100)
    #expect(p.source(1).suffix(2) == ["willEnd(cancel)", "didEnd(cancel)"])
    #expect(p.isAtRest)
  }

  @Test("G10: other fingers are left alone while one drags") func G10_otherFingersAreLeftAloneWhileOneDrags() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (600, 300))
    p.down(2, 600, 700)
    #expect(p.log.contains(.ignore(ContactID(2))))
    p.up(2, 600, 700)
    p.lift(3, 100, 300)
    p.move(3, 120, 300)
    #expect(p.engine.sessionCount == 2)
  }

  @Test("Z7: a palm or a lost device cancels") func Z7_aPalmOrALostDeviceCancels() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.cancel(1)
    p.wait(100)
    #expect(p.destination(target).last == "didEnd(cancel)")
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("LO5: a restricted session does not exist for others") func LO5_aRestrictedSessionDoesNotExistForOthers() throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let foreign = try p.window(2, targetRect, [.drop, .spring])
    let own = try p.window(1, Rect(x: 400, y: 250, width: 200, height: 300), .drop)
    p.options = SourceOptions(allowsMove: true, isRestricted: true)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(2000)
    #expect(p.destination(foreign).isEmpty)
    #expect(!p.log.contains { if case .spring = $0 { true } else { false } })
    // Not even its types: a monitor of another application is not to show them.
    #expect(!p.monitored.isEmpty && p.monitored.allSatisfy(\.isPrivate))
    p.move(1, 450, 300)
    #expect(p.destination(own).contains("didEnter"))
    // LO6: and the regions that do see it can tell.
    #expect(
      p.log.contains {
        if case .destination(_, _, own, .offer(_, _, true, let o)) = $0 {
          o.isRestricted && o.allowsMove
        } else {
          false
        }
      })
  }

  @Test("T19: only the source provides and only the target finishes")
  func T19_onlyTheSourceProvidesAndOnlyTheTargetFinishes() throws {
    let (p, _) = try pair()
    p.provides = { _, _, _ in nil }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    let transfer = TransferID(1)
    let thief = p.engine.provided(transfer, by: ClientID(9), at: p.instant)
    #expect(thief == nil)
    p.act { e, a in
      e.failed(transfer, by: ClientID(9), .sourceFailed, at: p.instant, into: &a)
      e.finished(transfer, by: ClientID(9), successfully: true, at: p.instant, into: &a)
    }
    #expect(p.engine.transferCount == 1)
    let destination = p.engine.provided(transfer, by: ClientID(1), at: p.instant)
    #expect(destination == ClientID(2))
    // Once: a second descriptor goes nowhere.
    let again = p.engine.provided(transfer, by: ClientID(1), at: p.instant)
    #expect(again == nil)
  }

  @Test(
    "T21: a window that comes under the finger just before it goes up gets no drop",
    arguments: [(20, false), (79, false), (200, true)])
  func T21_aWindowThatComesUnderTheFingerGetsNoDrop(before: Int, gets: Bool) throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    // It covers the target that the user aimed at.
    let trap = try p.window(3, targetRect, .drop)
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    p.wait(before)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(trap).contains("performDrop") == gets)
    #expect(!p.destination(target).contains("performDrop"))
    #expect(p.source(1).contains(gets ? "didEnd(copy)" : "didEnd(cancel)"))
  }

  @Test("T21: it gets none while the engine waits for a finger that only flickers")
  func T21_itGetsNoneWhileTheEngineWaitsForAFingerThatFlickers() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    p.up(1, 900, 300)
    p.wait(10)
    let trap = try p.window(3, targetRect, .drop)
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    p.wait(200)
    #expect(!p.destination(trap).contains("performDrop"))
  }

  @Test("T21: a target that the finger goes to takes the drop at once")
  func T21_aTargetThatTheFingerGoesToTakesTheDrop()
    throws
  {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
  }
}
