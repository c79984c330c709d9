import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// How a drag ends, and what is loaded then.
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
        .liftBegan, .lifted, .began, .entered, .updated, .dropped, .received, .dataDelivered, .ended,
      ])
    #expect(p.loads == 1)
    #expect(p.isAtRest)
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
      if case .load(_, let t, _, _, _, _, _) = action { t } else { nil }
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

  @Test("R8: the first report of progress is passed on at once, and later the newest, a few times a second")
  func R8_progressIsPaced() throws {
    let (p, _) = try pair()
    let transfer = try #require(p.dropsAndLoads())
    for i in 1...10_000 {
      p.act {
        let half = TransferProgress(completed: UInt64(i), total: 10_000)
        $0.ownerProgressed(transfer, by: ClientID(1), half, at: p.instant, into: &$1)
        $0.progressed(transfer, by: ClientID(2), half, at: p.instant, into: &$1)
      }
      if i % 100 == 0 { p.wait(10) }
    }
    p.wait(300)
    let owner = p.log.compactMap { if case .ownerProgressed(ClientID(2), _, let p) = $0 { p.completed } else { nil } }
    let destination = p.log.compactMap {
      if case .destinationProgressed(ClientID(1), _, let p) = $0 { p.completed } else { nil }
    }
    #expect(owner.first == 1 && owner.last == 10_000 && owner.count <= 6, "\(owner)")
    #expect(destination == owner)
  }

  @Test("R2: what a source has said of its work before its answer does not come after it, in other units")
  func R2_noReportAfterTheAnswer() throws {
    let (p, _) = try pair()
    let transfer = try #require(p.dropsAndLoads())
    func report(_ completed: UInt64, of total: UInt64) {
      p.act {
        $0.ownerProgressed(
          transfer, by: ClientID(1), TransferProgress(completed: completed, total: total), at: p.instant, into: &$1)
      }
    }
    report(1, of: 100)
    report(50, of: 100)
    p.act { e, _ in #expect(e.provided(transfer, by: ClientID(1), at: p.instant) == ClientID(2)) }
    p.wait(300)
    report(4096, of: 1 << 20)
    p.wait(300)
    let told = p.log.compactMap { if case .ownerProgressed(_, _, let p) = $0 { p.completed } else { nil } }
    #expect(told == [1, 4096])
  }

  @Test("a source that says that it is at work keeps its load, before its answer and after it")
  func aSourceAtWorkKeepsItsLoad() throws {
    let (p, _) = try pair()
    let transfer = try #require(p.dropsAndLoads())
    func failures() -> Int { p.log.count { if case .loadFailed = $0 { true } else { false } } }
    func report(_ completed: UInt64, by source: UInt32) {
      p.act {
        $0.ownerProgressed(
          transfer, by: ClientID(source), TransferProgress(completed: completed, total: 100), at: p.instant, into: &$1)
      }
    }
    func told() -> [UInt64] {
      p.log.compactMap { if case .ownerProgressed(ClientID(2), transfer, let p) = $0 { p.completed } else { nil } }
    }
    // Two minutes, as a download may take.
    func works(_ source: UInt32) {
      for i in 1...6 {
        p.wait(20_000)
        report(UInt64(i), by: source)
      }
    }
    works(1)
    #expect(told() == [1, 2, 3, 4, 5, 6])
    #expect(failures() == 0)
    p.change { #expect($0.provided(transfer, by: ClientID(1), at: p.instant) == ClientID(2)) }
    works(1)
    #expect(failures() == 0)
    // Nobody else's word counts.
    works(3)
    #expect(told().count == 12)
    #expect(failures() == 1)
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

  @Test("X2: loads succeed only inside perform drop and only for the target")
  func X2_loadsSucceedOnlyInsidePerformDropAndOnlyForTheTarget() throws {
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

  @Test("Z8: a target that never answers is not waited for longer than its deadline")
  func Z8_aTargetThatNeverAnswersIsNotWaitedForLongerThanItsDeadline() throws {
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
      e.answeredCanHandle(false, by: ClientID(2), SessionID(1), region: target, serial: 99_999, at: p.instant, into: &a)
      e.answered(by: ClientID(1), SessionID(1), serial: 5, items: [], at: p.instant, into: &a)
      e.finishedPerforming(by: ClientID(2), SessionID(1), serial: 1, at: p.instant, into: &a)
    }
    #expect(p.badges == before)
    #expect(p.engine.sessionCount == 1)
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
}
