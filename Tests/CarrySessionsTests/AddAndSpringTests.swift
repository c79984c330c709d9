import CarryGestures
import CarryModel
import CarrySessions
import Testing

@Suite struct AddTests {
  @Test("A1, A2, A3, A5, A6, A11, G9: a tap on another region adds to the stack")
  func A1_A2_A3_A5_A11_G9_aTapOnAnotherRegionAddsToTheStack() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let other = try p.window(1, Rect(x: 50, y: 600, width: 100, height: 100), .drag)
    p.itemsToAdd = { $0 == other ? [Play.item(2)] : [] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.tap(2, 80, 640)
    let asked = p.log.compactMap { action -> Point? in
      if case .source(ClientID(1), SessionID(1), .itemsForAdding(other, _, let local)) = action { local } else { nil }
    }
    #expect(asked == [Point(x: 30, y: 40)])
    #expect(p.stage.contains { if case .add([.usual], _, _) = $0.1 { true } else { false } })
    #expect(p.badges.last == .count(2))
    #expect(p.monitored.last { $0.kind == .itemsAdded }?.items == 2)
  }

  @Test("A4: an empty answer adds nothing") func A4_anEmptyAnswerAddsNothing() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    p.tap(2, 100, 300)
    #expect(p.source(1).contains("itemsForAdding"))
    #expect(p.badges.isEmpty)
    #expect(!p.monitorKinds().contains(.itemsAdded))
  }

  @Test("A7: no adding from another application") func A7_noAddingFromAnotherApplication() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, Rect(x: 50, y: 600, width: 100, height: 100), .drag)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.tap(2, 80, 640)
    #expect(!p.source(2).contains("itemsForAdding"))
    #expect(p.badges.isEmpty)
  }

  @Test("A12: one tap may add several") func A12_oneTapMayAddSeveral() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.itemsToAdd = { _ in [Play.item(2), Play.item(3), Play.item(4)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.tap(2, 100, 300)
    #expect(p.badges.last == .count(4))
    p.itemsToAdd = { _ in [Play.item(2), Play.item(5)] }
    p.tap(3, 100, 300)
    #expect(p.badges.last == .count(5))  // The same item object is not in a session twice.
  }

  @Test func aTapLongerThanTheLiftDelayAddsToo() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.down(2, 100, 300)
    p.wait(200)
    p.up(2, 100, 300)
    p.wait(1200)
    #expect(p.badges.last == .count(2))
    #expect(p.engine.sessionCount == 1)
  }

  @Test("K8: with two sessions of the application a tap is an ordinary tap")
  func K8_withTwoSessionsOfTheApplicationATapIsAnOrdinaryTap() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.drag(2, from: (100, 300), to: (600, 600))
    p.tap(3, 100, 300)
    #expect(!p.source(1).contains("itemsForAdding"))
  }

  @Test func theTargetSeesAddedItems() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 100, 300)
    #expect(p.destination(target).suffix(2) == ["offer(1)", "didUpdate"])
    #expect(p.badges.last == .copy(2))
  }

  @Test func aRegionThatRefusedMayTakeTheSessionOnceItChanged() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    p.itemsToAdd = { _ in [Play.item(2)] }
    var accepts = false
    p.canHandle = { _ in accepts }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(p.destination(target) == ["offer(1)", "canHandle"])
    accepts = true
    p.tap(2, 100, 300)
    #expect(p.destination(target).suffix(4) == ["offer(1)", "canHandle", "didEnter", "didUpdate"])
  }
}

@Suite struct SpringTests {
  private func states(_ p: Play, _ region: RegionID) -> [SpringState] {
    p.log.compactMap { if case .spring(_, region, _, let state, _) = $0 { state } else { nil } }
  }

  @Test("S2: hovering activates and s3 the session goes on") func S2_hoveringActivatesAndS3_theSessionGoesOn()
    throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let button = try p.window(2, targetRect, [.spring, .drop])
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(states(p, button) == [.possible])
    p.wait(500)
    #expect(states(p, button) == [.possible, .activating])
    p.wait(300)
    #expect(states(p, button) == [.possible, .activating, .activated])
    #expect(p.monitorKinds().contains(.springActivated))
    #expect(p.engine.sessionCount == 1)
    p.move(1, 901, 300)
    p.up(1, 901, 300)
    p.wait(100)
    #expect(p.destination(button).contains("performDrop"))
    #expect(states(p, button).last == .inactive)
  }

  @Test("S2: leaving stops it and it opens once a visit") func S2_leavingStopsItAndItOpensOnceAVisit() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let button = try p.window(2, targetRect, .spring)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(400)
    p.move(1, 600, 300)
    p.wait(1000)
    #expect(states(p, button) == [.possible, .inactive])
    p.move(1, 900, 300)
    p.wait(5000)
    #expect(states(p, button) == [.possible, .inactive, .possible, .activating, .activated])
  }

  @Test("regions that open one another under a finger that rests come to an end, one at a time")
  func regionsThatOpenOneAnother() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, targetRect, .spring)
    p.drag(1, from: (100, 300), to: (900, 300))
    func opened() -> Int { p.monitorKinds().count { $0 == .springActivated } }
    for n in 1...1000 {
      let before = opened()
      p.wait(800)
      #expect(opened() - before <= 1)
      _ = try p.window(2, targetRect, .spring)
      p.act { $0.windowsChanged(at: p.instant, into: &$1) }
      if n == 1 { #expect(opened() == 1) }
    }
    #expect(opened() == Limits.springDepth)
    // The finger moves on, a hand's tremor not being enough, and means the next one.
    p.move(1, 905, 300)
    p.wait(2000)
    #expect(opened() == Limits.springDepth)
    p.move(1, 950, 300)
    p.wait(800)
    #expect(opened() == Limits.springDepth + 1)
  }

  @Test("S2: a region that refuses stays shut, and is asked again where the drag moves on") func S2_aRegionThatRefuses()
    throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let button = try p.window(2, targetRect, .spring)
    p.drag(1, from: (100, 300), to: (900, 300))
    // Another client, another region, another session have no say.
    p.act { e, a in
      e.refusedSpring(by: ClientID(9), SessionID(1), region: button, into: &a)
      e.refusedSpring(by: ClientID(2), SessionID(1), region: RegionID(77), into: &a)
      e.refusedSpring(by: ClientID(2), SessionID(7), region: button, into: &a)
    }
    #expect(states(p, button) == [.possible])
    p.act { $0.refusedSpring(by: ClientID(2), SessionID(1), region: button, into: &$1) }
    #expect(states(p, button) == [.possible, .inactive])
    p.move(1, 905, 300)
    p.wait(5000)
    #expect(states(p, button) == [.possible, .inactive])
    p.move(1, 930, 300)
    p.wait(800)
    #expect(states(p, button).suffix(3) == [.possible, .activating, .activated])
  }

  @Test("S3: a target that opens under a finger at rest is found") func S3_aTargetThatOpensUnderAFingerAtRestIsFound()
    throws
  {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, targetRect, .spring)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(800)
    let opened = try p.window(2, targetRect, .drop)
    p.act { $0.windowsChanged(at: p.instant, into: &$1) }
    #expect(p.destination(opened).contains("didEnter"))
  }
}
