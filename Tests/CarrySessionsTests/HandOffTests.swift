import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// A stack that finger 1 carries at 600, 300, and which fingers that come down within 40 px of there are on.
private func carried() throws -> (Play, RegionID) {
  let p = Play()
  _ = try p.window(1, sourceRect, .drag)
  let target = try p.window(2, targetRect, .drop)
  p.drag(1, from: (100, 300), to: (600, 300))
  p.stackUnder = { $0.distance(to: Point(x: 600, y: 300)) < 40 ? SessionID(1) : nil }
  return (p, target)
}

/// K7: from finger to finger, and hand to hand.
@Suite struct HandOffTests {
  @Test("K7, G8: the second finger on the stack goes on with it when the first lifts")
  func K7_G8_theSecondFingerGoesOnWithIt() throws {
    let (p, target) = try carried()
    p.down(2, 620, 310)
    p.wait(1000)
    p.up(1, 600, 300)
    p.wait(100)
    #expect(p.stage.contains { $0.1 == .handOff(Point(x: 620, y: 310)) })
    #expect(p.monitorKinds().last == .handedOff)
    #expect(!p.source(1).contains { $0.hasPrefix("willEnd") })
    p.move(2, 900, 300)
    #expect(p.stage.last { if case .move = $0.1 { true } else { false } }?.1 == .move(Point(x: 900, y: 300)))
    p.up(2, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.monitorKinds().suffix(2) == [.dropped, .ended])
    #expect(p.isAtRest)
  }

  @Test("K7: while both are down the first finger leads, and either may lift")
  func K7_theFirstFingerLeads() throws {
    let (p, _) = try carried()
    p.down(2, 620, 310)
    p.wait(400)
    p.move(2, 700, 700)
    #expect(p.stage.last?.1 != .move(Point(x: 700, y: 700)))
    p.move(1, 610, 300)
    #expect(p.stage.last?.1 == .move(Point(x: 610, y: 300)))
    p.up(2, 700, 700)
    p.wait(100)
    #expect(p.engine.sessionCount == 1 && !p.monitorKinds().contains(.handedOff))
    p.up(1, 610, 300)
    p.wait(100)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("K7, G8: over and over, from hand to hand") func K7_G8_overAndOver() throws {
    let (p, _) = try carried()
    p.stackUnder = { _ in SessionID(1) }
    for finger: UInt32 in 2...20 {
      p.down(finger, 600 + Double(finger), 300)
      p.wait(300)
      p.up(finger - 1, 600, 300)
      p.wait(100)
    }
    #expect(p.monitorKinds().count { $0 == .handedOff } == 19)
    #expect(p.engine.sessionCount == 1)
    p.cancel(20)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("K7: a finger that takes over and lets go at once has let go") func K7_takesOverAndLetsGoAtOnce() throws {
    let (p, _) = try carried()
    p.up(1, 600, 300)
    p.down(2, 620, 310)
    p.wait(80)
    #expect(p.monitorKinds().last == .handedOff)
    p.up(2, 620, 310)
    p.wait(100)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("K7: a palm among the carrying fingers leaves the stack to the others") func K7_aPalmLeavesTheStack() throws {
    let (p, _) = try carried()
    p.down(2, 620, 310)
    p.down(3, 590, 310)
    p.wait(300)
    p.cancel(1)
    #expect(p.monitorKinds().last == .handedOff)
    p.cancel(3)
    #expect(p.engine.sessionCount == 1)
    p.cancel(2)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("K7, A4, Z4: a short tap on the stack is meant for what lies below") func K7_A4_Z4_aShortTapIsMeantForBelow()
    throws
  {
    let (p, _) = try carried()
    p.stackUnder = { _ in SessionID(1) }
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.tap(2, 100, 300)
    #expect(p.badges.last == .count(2))
    #expect(p.touches == ["claim 1", "claim 2"])
    // Where nothing can be dragged it is the application's.
    p.tap(3, 600, 300)
    #expect(p.touches.last == "yield 3")
    // And one that stays is the stack's as soon as it cannot be a tap.
    p.down(4, 100, 300)
    p.wait(249)
    #expect(p.touches.last == "yield 3")
    p.wait(1)
    #expect(p.touches.last == "claim 4")
    p.up(4, 100, 300)
    p.wait(1000)
    #expect(p.badges.last == .count(2) && p.engine.sessionCount == 1)
  }

  @Test("K7: when the drag ends the fingers on it are nobody's", arguments: [true, false])
  func K7_whenTheDragEndsTheFingersAreNobodys(sourceDies: Bool) throws {
    let (p, _) = try carried()
    p.down(2, 620, 310)
    p.wait(300)
    if sourceDies {
      p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    } else {
      p.act { $0.stop(at: p.instant, into: &$1) }
    }
    #expect(p.log.contains(.ignore(ContactID(2))))
    p.up(2, 620, 310)
    p.up(1, 600, 300)
    p.wait(100)
    #expect(p.isAtRest)
  }

  @Test("K7: there is an end to the fingers on a stack") func K7_thereIsAnEndToTheFingers() throws {
    let (p, _) = try carried()
    for finger in 2..<UInt32(30) { p.down(finger, 600, 300) }
    #expect(p.log.count { if case .join = $0 { true } else { false } } == Limits.joinedFingers)
    for finger in 1..<UInt32(30) { p.up(finger, 600, 300) }
    p.wait(1000)
    #expect(p.isAtRest)
  }
}

/// A14: one hand holds while the other gathers; K8: which of them a tap adds to.
@Suite struct TwoHandsTests {
  private func twoSessions() throws -> (Play, RegionID) {
    let p = Play()
    let source = try p.window(1, sourceRect, .drag)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.drag(2, from: (100, 300), to: (600, 600))
    return (p, source)
  }

  @Test("A14, K8, G9: the other hand gathers into its own session while the first holds")
  func A14_K8_G9_theOtherHandGathers() throws {
    let (p, _) = try twoSessions()
    var asked: [[SessionID]] = []
    p.chooses = { sessions in
      asked.append(sessions)
      return .some(sessions.last)
    }
    for finger: UInt32 in 3...6 {
      p.itemsToAdd = { _ in [Play.item(10 + finger)] }
      p.tap(finger, 100, 300)
    }
    #expect(asked == Array(repeating: [SessionID(1), SessionID(2)], count: 4))
    let counts = p.monitored.filter { $0.kind == .itemsAdded }.map { [$0.session.raw, UInt32($0.items)] }
    #expect(counts == [[2, 2], [2, 3], [2, 4], [2, 5]])
    // Each goes its own way.
    p.up(1, 600, 300)
    p.wait(100)
    #expect(p.engine.sessionCount == 1)
    p.up(2, 600, 600)
    p.wait(100)
    #expect(p.isAtRest)
  }

  @Test("K8: without a choice the tap is an ordinary one, and no answer costs two seconds at most")
  func K8_withoutAChoiceTheTapIsOrdinary() throws {
    let (p, source) = try twoSessions()
    p.tap(3, 100, 300)
    #expect(p.touches.last == "yield 3")
    p.chooses = { _ in nil }
    p.tap(4, 100, 300)
    #expect(p.touches.last == "yield 3")
    p.wait(2000)
    #expect(p.touches.last == "yield 4")
    #expect(!p.source(1).contains("itemsForAdding"))
    // Foreign, stale and made-up answers.
    p.tap(5, 100, 300)
    p.act { e, a in
      for serial: UInt32 in 0..<200 {
        e.chose(SessionID(1), by: ClientID(9), source, serial: serial, at: p.instant, into: &a)
        e.chose(SessionID(1), by: ClientID(1), RegionID(77), serial: serial, at: p.instant, into: &a)
      }
    }
    #expect(!p.source(1).contains("itemsForAdding"))
    p.act { e, a in
      for serial: UInt32 in 0..<200 {
        e.chose(SessionID(55), by: ClientID(1), source, serial: serial, at: p.instant, into: &a)
      }
    }
    #expect(p.touches.last == "yield 5")
    p.tap(6, 100, 300)
    p.act { $0.removeRegion(source, at: p.instant, into: &$1) }
    #expect(p.touches.last == "yield 6")
  }
}
