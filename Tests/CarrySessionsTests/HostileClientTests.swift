import CarryModel
import CarrySessions
import Testing

/// What a client may do to drags of others, and at what cost.
@Suite struct HostileClientTests {
  private func thief(in p: Play, refusing count: Int) throws -> (refused: [RegionID], last: RegionID) {
    let last = try p.window(3, targetRect, .drop)
    let refused = try (0..<count).map { _ in
      try p.region(3, p.lastWindow, Rect(x: 0, y: 0, width: targetRect.width, height: targetRect.height), .drop)
    }
    return (refused, last)
  }

  @Test(
    "a window that slides under the finger gets no drop by refusing it once",
    arguments: [(5, 1, false), (30, 1, false), (30, 3, false), (200, 1, true)])
  func refusingOnceGainsNothing(before: Int, refusals: Int, gets: Bool) throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    let (refused, last) = try thief(in: p, refusing: refusals)
    p.canHandle = { !refused.contains($0) }
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    p.wait(before)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(last).contains("canHandle"))
    #expect(p.destination(last).contains("performDrop") == gets)
    #expect(!p.destination(target).contains("performDrop"))
  }

  @Test("an answer that nobody has asked for, or another has given, is known before it costs anything")
  func unaskedAnswers() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    var isWaitedFor = false
    p.act { engine, _ in
      for serial: UInt32 in 0..<50 {
        isWaitedFor = isWaitedFor || engine.waitsForItems(of: ClientID(1), SessionID(1), serial: serial)
      }
    }
    #expect(!isWaitedFor)
  }

  @Test("a silent region above, or one that asks for a move of a pixel, gains nothing either")
  func neitherSilenceNorAPixel() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    // Every pixel is a region of its own: a finger never rests for the window's whole time in one.
    let trap = try p.window(3, targetRect, [])
    let pixels = try (0..<4).map { i in
      try p.region(
        3, p.lastWindow, Rect(x: 899 + Double(i) - targetRect.x, y: 0, width: 1, height: targetRect.height), .drop)
    }
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    p.wait(10)
    p.move(1, 901, 300)
    p.wait(10)
    p.up(1, 901, 300)
    p.wait(100)
    #expect(pixels.allSatisfy { !p.destination($0).contains("performDrop") })
    #expect(pixels.contains { p.destination($0).contains("didEnter") })
    #expect(p.source(1).contains("didEnd(cancel)"))
    _ = trap
  }

  @Test("a list that scrolls under a finger that rests takes the drop") func aListMayScroll() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let first = try p.window(2, targetRect, .drop)
    let second = try p.region(
      2, p.lastWindow, Rect(x: 0, y: targetRect.height, width: targetRect.width, height: targetRect.height), .drop)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    p.change {
      $0.updateRegion(first, rect: Rect(x: 0, y: -targetRect.height, width: 200, height: targetRect.height))
      $0.updateRegion(
        second, rect: Rect(x: 0, y: 0, width: targetRect.width, height: targetRect.height))
    }
    p.wait(10)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(second).contains("performDrop"))
  }

  @Test("however many changes a turn brings, what lies under the finger is looked for once")
  func onceATurn() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    let before = p.destination(target).count
    var actions: [SessionAction] = []
    for i in 0..<4096 {
      p.engine.updateRegion(target, rect: Rect(x: 0, y: 0, width: 400, height: Double(i % 2 == 0 ? 0 : 400)))
      p.engine.raiseRegion(target)
    }
    #expect(p.destination(target).count == before)
    p.engine.updateRegion(target, rect: Rect(x: 0, y: 0, width: 0, height: 0))
    p.engine.settleRegions(at: p.instant, into: &actions)
    #expect(actions.count { if case .destination(_, _, target, .didExit) = $0 { true } else { false } } == 1)
    actions = []
    p.engine.settleRegions(at: p.instant, into: &actions)
    #expect(actions.isEmpty)
  }

  @Test("a finger that goes up in the same turn is not over what was there before")
  func aReleaseSeesTheChange() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(500)
    p.engine.updateRegion(target, rect: .zero)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(!p.destination(target).contains("performDrop"))
  }

  @Test("answers that come before they are asked for are worked off turn by turn")
  func refusalsInAdvance() throws {
    let (p, _) = try pair()
    p.canHandle = { _ in nil }
    let (refused, last) = try thief(in: p, refusing: 200)
    p.drag(1, from: (100, 300), to: (900, 300))
    let session = try #require(p.monitored.last?.session)
    var asked = 0
    var actions: [SessionAction] = []
    // Whoever guesses serials answers hundreds of questions in one message.
    for region in refused.reversed() {
      for serial in 1...UInt32(40) {
        p.engine.answeredCanHandle(
          false, by: ClientID(3), session, region: region, serial: serial, at: p.instant, into: &actions)
      }
    }
    asked = actions.count { if case .destination(_, _, _, .canHandle) = $0 { true } else { false } }
    #expect(asked <= 16)
    p.canHandle = { !refused.contains($0) }
    p.act { $0.settleRegions(at: p.instant, into: &$1) }
    p.wait(3000)
    #expect(p.engine.sessionCount == 1)
    _ = last
  }

  @Test("a session's types are listed once each, in the order of its items") func types() throws {
    let p = Play()
    p.itemsToLift = { _ in
      [
        Play.item(1, types: ["a/a", "b/b"]), Play.item(2, types: ["b/b", "c/c"]), Play.item(3, types: ["a/a", "d/d"]),
      ]
    }
    _ = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    #expect(p.monitored.last?.types == ["a/a", "b/b", "c/c", "d/d"])
  }

  @Test("a destination that never finishes its drops loses the oldest, and keeps nobody from dragging")
  func dropsThatNeverEnd() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let greedy = try p.window(2, targetRect, .drop)
    let honest = try p.window(3, Rect(x: 400, y: 600, width: 200, height: 100), .drop)
    p.provides = { _, _, _ in nil }
    p.perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    func drop(at x: Double, _ y: Double) {
      p.drag(1, from: (100, 300), to: (x, y))
      p.up(1, x, y)
      p.wait(100)
    }
    /// Loads of which nothing comes end after half a minute.
    func goOn() {
      for client in [ClientID(2), ClientID(3)] {
        for transfer in 1...UInt32(80) {
          p.act {
            $0.progressed(
              TransferID(transfer), by: client, TransferProgress(completed: 1), at: p.instant, into: &$1)
          }
        }
      }
    }
    drop(at: 500, 650)
    for i in 0..<(Limits.transferringSessions + 6) {
      drop(at: 900, 300)
      if i % 8 == 0 { goOn() }
    }
    #expect(p.destination(greedy).count { $0 == "performDrop" } == Limits.transferringSessions + 6)
    #expect(p.destination(honest).contains("performDrop"))
    #expect(p.failures == Array(repeating: .tooManyLoads, count: 7))
    #expect(p.engine.transferCount == Limits.transferringSessions)
    // The oldest of all was the honest one's, and it is still there.
    let to = p.engine.provided(TransferID(1), by: ClientID(1), at: p.instant)
    #expect(to == ClientID(3))
  }

  @Test("a client that does not read hears of no drag until it does") func heardLater() throws {
    let (p, target) = try pair()
    p.act { e, _ in e.isBehind(ClientID(2)) }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.destination(target).isEmpty)
    p.wait(1000)
    p.act { $0.hasRead(ClientID(2), at: p.instant, into: &$1) }
    #expect(p.destination(target).prefix(3) == ["offer(1)", "canHandle", "didEnter"])
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("a drop on a client that is behind waits for it, and not for ever", arguments: [500, 3000])
  func dropWaits(reads: Int) throws {
    let (p, target) = try pair()
    p.act { e, _ in e.isBehind(ClientID(2)) }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(reads)
    p.act { $0.hasRead(ClientID(2), at: p.instant, into: &$1) }
    p.wait(3000)
    #expect(p.destination(target).contains("performDrop") == (reads < 2000))
    #expect(p.isAtRest)
  }

  @Test("what is added meanwhile is told with the rest") func addedMeanwhile() throws {
    let (p, target) = try pair()
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.act { e, _ in e.isBehind(ClientID(2)) }
    p.tap(2, 100, 300)
    p.wait(100)
    #expect(p.destination(target).count { $0 == "offer(1)" } == 1)
    p.act { $0.hasRead(ClientID(2), at: p.instant, into: &$1) }
    #expect(p.destination(target).count { $0 == "offer(1)" } == 2)
  }

  @Test("of items whose description is longer than a session's may be, those that fit are taken")
  func descriptionsHaveAnEnd() throws {
    let p = Play()
    let long = (0..<32).map { OfferedType(name: "text/" + String(repeating: "x", count: 110) + "\($0)", ancestors: []) }
    p.itemsToLift = { _ in (1...64).map { ItemDescription(id: ItemID($0), name: "", types: long) } }
    _ = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    let count = try #require(p.monitored.last?.items)
    #expect(count > 20 && count < 40, "\(count)")
  }

  @Test("a window that comes after the finger went up gets nothing, though the source says late who may see it")
  func lateOptions() throws {
    for changes in [false, true] {
      let (p, target) = try pair()
      p.configures = false
      p.drag(1, from: (100, 300), to: (900, 300))
      p.wait(500)
      p.up(1, 900, 300)
      p.wait(200)
      var trap: RegionID?
      if changes {
        trap = try p.window(3, targetRect, .drop)
        p.act { $0.windowsChanged(at: p.instant, into: &$1) }
      }
      let serials = p.log.compactMap { if case .source(_, _, .willBegin(let serial, _)) = $0 { serial } else { nil } }
      p.act { e, a in
        e.configured(
          by: ClientID(1), SessionID(1), serial: serials[0], options: SourceOptions(), at: p.instant, into: &a)
      }
      p.wait(100)
      #expect(trap.map { p.destination($0).isEmpty } != false)
      #expect(p.destination(target).contains("performDrop") == !changes)
      #expect(p.isAtRest)
    }
  }

  @Test("of a client that hides many regions behind others, keys look for some; of others, for all")
  func hiddenRegions() throws {
    for (count, isFound) in [(200, true), (300, false)] {
      let (p, target) = try pair()
      let frame = Rect(x: 0, y: 700, width: 50, height: 50)
      for _ in 0..<count { _ = try p.window(3, frame, .drop) }
      let top = try p.window(3, frame, .drop)
      let found = p.engine.places(.drop, first: nil).map(\.region)
      #expect(found.contains(target))
      #expect(found.contains(top) == isFound, "\(count)")
    }
  }

  @Test("it gets nothing either when the target refuses late") func lateRefusal() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(300)
    let trap = try p.window(3, targetRect, .drop)
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    p.canHandle = { _ in true }
    let asked = p.log.compactMap { action -> UInt32? in
      if case .destination(_, _, target, .canHandle(let serial, _)) = action { serial } else { nil }
    }
    p.act {
      $0.answeredCanHandle(
        false, by: ClientID(2), SessionID(1), region: target, serial: asked[0], at: p.instant, into: &$1)
    }
    p.wait(100)
    #expect(p.destination(trap).isEmpty)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("Z8: a drag that was let go waits two seconds, however many regions refuse it one after the other")
  func Z8_refusalsDoNotAddUp() throws {
    let (p, _) = try pair()
    let (refused, _) = try thief(in: p, refusing: 20)
    p.canHandle = { !refused.contains($0) }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.delay = { 400 }
    p.move(1, 900, 300)
    p.wait(10)
    p.up(1, 900, 300)
    p.wait(Int(Limits.answerSeconds * 1000) + 200)
    #expect(p.source(1).contains("willEnd(cancel)"))
  }
}
