import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// Whose a session is: who sees it, who may end it, and what others may not.
@Suite struct DropRulesTests {
  @Test("only a finger starts moves or ends a session") func onlyAFingerStartsMovesOrEndsASession() throws {
    let (p, target) = try pair()
    p.act { e, a in
      e.answered(by: ClientID(1), SessionID(1), serial: 1, items: [Play.item(1)], at: p.instant, into: &a)
      _ = e.requestLoad(
        by: ClientID(2), SessionID(1), region: target, item: 0, type: "text/plain", at: p.instant, into: &a)
      e.finishedPerforming(by: ClientID(2), SessionID(1), serial: 1, at: p.instant, into: &a)
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

  @Test("the source may look otherwise at the end: its region gone, the drag still ends for it")
  func theWorldMayChange() throws {
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

  @Test("only the source provides and only the target finishes")
  func onlyTheSourceProvidesAndOnlyTheTargetFinishes() throws {
    let (p, _) = try pair()
    let transfer = try #require(p.dropsAndLoads())
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
    "a window that comes under the finger just before it goes up gets no drop",
    arguments: [(20, false), (79, false), (200, true)])
  func aWindowThatComesUnderTheFingerGetsNoDrop(before: Int, gets: Bool) throws {
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

  @Test("it gets none while the engine waits for a finger that only flickers")
  func itGetsNoneWhileTheEngineWaitsForAFingerThatFlickers() throws {
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

  @Test("a target that the finger goes to takes the drop at once")
  func aTargetThatTheFingerGoesToTakesTheDrop()
    throws
  {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
  }
}
