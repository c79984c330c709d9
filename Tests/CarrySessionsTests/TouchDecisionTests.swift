import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// Which touches are Carry's and which the application's.
@Suite struct TouchDecisionTests {
  @Test("Z4: a lift claims the touch") func Z4_aLiftClaimsTheTouch() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.down(1, 100, 300)
    p.wait(499)
    #expect(p.touches.isEmpty)
    p.wait(1)
    #expect(p.touches == ["claim 1"])
  }

  @Test("Z4: a tap a swipe and a press released early are the applications")
  func Z4_aTapASwipeAndAPressReleasedEarlyAreTheApplications() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.tap(1, 100, 300)
    #expect(p.touches == ["yield 1"])
    p.down(2, 100, 300)
    p.move(2, 200, 300)
    #expect(p.touches == ["yield 1", "yield 2"])
    p.up(2, 200, 300)
    p.down(3, 100, 300)
    p.wait(300)
    p.up(3, 100, 300)
    #expect(p.touches == ["yield 1", "yield 2", "yield 3"])
    p.wait(2000)
    #expect(p.isAtRest)
  }

  @Test("A1, A4: a tap is claimed when it adds and yielded when not", arguments: [80, 200])
  func A1_A4_aTapIsClaimedWhenItAddsAndYieldedWhenNot(_ length: Int) throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.down(2, 100, 300)
    p.wait(length)
    p.up(2, 100, 300)
    #expect(p.touches == ["claim 1", "claim 2"])
    p.itemsToAdd = { _ in [] }
    p.down(3, 100, 300)
    p.wait(length)
    p.up(3, 100, 300)
    #expect(p.touches == ["claim 1", "claim 2", "yield 3"])
  }

  @Test("Z35: a press is asked for as it begins; one that may not lift is the application's at once")
  func Z35_presses() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, [.drag, .asks])
    p.mayBegin = { _, point in [true, false, nil][Int(point.x) / 100] }
    p.down(1, 60, 300)
    #expect(p.touches.isEmpty)
    p.wait(500)
    #expect(p.touches == ["claim 1"])
    p.up(1, 60, 300)
    p.wait(2000)
    let before = p.touches
    // The middle of the window is not draggable: nothing is held back, and nothing lifts.
    p.down(2, 200, 300)
    #expect(p.touches == before)
    #expect(p.log.contains { if case .ignore(ContactID(2)) = $0 { true } else { false } })
    p.wait(2000)
    p.up(2, 200, 300)
    // Without an answer the items decide.
    p.down(3, 300, 300)
    p.wait(500)
    #expect(p.touches.last == "claim 3")
    p.up(3, 300, 300)
    p.wait(2000)
    #expect(p.isAtRest)
  }

  @Test("Z35: after the lift has begun, an answer about the press changes nothing; nor does that of another client")
  func Z35_lateAnswers() throws {
    let p = Play()
    let region = try p.window(1, sourceRect, [.drag, .asks])
    p.mayBegin = { _, _ in nil }
    p.down(1, 100, 300)
    let serial = try #require(p.log.compactMap { if case .press(_, _, let s, _) = $0 { s } else { nil } }.last)
    p.act { $0.answeredPress(by: ClientID(9), region, serial: serial, mayBegin: false, into: &$1) }
    #expect(p.touches.isEmpty)
    p.wait(200)
    p.act { $0.answeredPress(by: ClientID(1), region, serial: serial, mayBegin: false, into: &$1) }
    p.wait(300)
    #expect(p.touches == ["claim 1"])
  }

  @Test("Z35: an obstacle keeps presses and drags from what lies beneath, and lets its own roles work")
  func Z35_obstacles() throws {
    let p = Play()
    let beneath = try p.window(1, sourceRect, [.drag, .drop])
    let button = try p.region(1, p.lastWindow, Rect(x: 100, y: 100, width: 100, height: 100), .obstacle)
    #expect(p.engine.dragRegion(at: Point(x: 200, y: 400)) == nil)
    #expect(p.engine.dragRegion(at: Point(x: 60, y: 260))?.id == beneath)
    p.down(1, 200, 400)
    p.wait(1000)
    p.up(1, 200, 400)
    #expect(p.source(1).isEmpty)
    p.drag(2, from: (60, 260), to: (200, 400))
    #expect(p.destination(beneath).last == "didExit")
    p.move(2, 60, 260)
    #expect(p.destination(beneath).suffix(2) == ["didEnter", "didUpdate"])
    p.change { $0.updateRegion(button, roles: [.obstacle, .drop]) }
    p.move(2, 200, 400)
    #expect(p.destination(button).contains("didEnter"))
    p.up(2, 200, 400)
  }

  @Test("Z35: a region whose content has changed is asked again about a drag that rests, by its client only")
  func Z35_askAgain() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    var operation = DropOperation.copy
    p.proposal = { _, _ in Proposal(operation) }
    p.drag(1, from: (100, 300), to: (900, 300))
    let count = { p.destination(target).count { $0 == "didUpdate" } }
    let before = count()
    operation = .forbidden
    p.act { $0.askAgain(by: ClientID(1), target, into: &$1) }
    #expect(count() == before)
    p.act { $0.askAgain(by: ClientID(2), target, into: &$1) }
    #expect(count() == before + 1)
    p.up(1, 900, 300)
    #expect(!p.destination(target).contains("performDrop"))
  }

  @Test("Z8: a source that answers late claims when it does") func Z8_aSourceThatAnswersLateClaimsWhenItDoes() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    #expect(p.touches.isEmpty)
    let (client, session, serial) = try #require(p.openQuestion)
    p.act {
      $0.answered(by: client, session, serial: serial, items: [Play.item(1)], at: p.instant, into: &$1)
    }
    #expect(p.touches == ["claim 1"])
  }

  @Test("Z4, A4: a tap that was given to the application meanwhile adds nothing")
  func Z4_A4_aTapThatWasGivenAwayAddsNothing() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    p.isSourceSilent = true
    p.tap(2, 100, 300)
    let (client, session, serial) = try #require(p.openQuestion)
    p.act { engine, _ in engine.touchGivenAway(ContactID(2)) }
    p.act {
      $0.answered(by: client, session, serial: serial, items: [Play.item(2)], at: p.instant, into: &$1)
    }
    #expect(p.touches == ["claim 1"])
    #expect(!p.monitored.contains { $0.kind == .itemsAdded })
  }

  @Test func theWindowsToGuardAreThoseWithDragRegions() throws {
    let p = Play()
    let drag = try p.window(1, sourceRect, .drag)
    let window = p.lastWindow
    _ = try p.window(2, Rect(x: 500, y: 0, width: 10, height: 10), .drop)
    #expect(p.engine.dragWindows.touches == [window])
    p.change { $0.updateRegion(drag, roles: .drop) }
    #expect(p.engine.dragWindows.touches.isEmpty)
  }

  @Test("Z31: clicks are held where touches are, in cooperative regions, and not where the application drags by mouse")
  func Z31_whereClicksAreHeld() throws {
    let p = Play()
    let drag = try p.window(1, sourceRect, .drag)
    let window = p.lastWindow
    #expect(p.engine.dragWindows.clicks == [window])
    p.change { $0.updateRegion(drag, roles: [.drag, .cooperative]) }
    #expect(p.engine.dragWindows.touches.isEmpty && p.engine.dragWindows.clicks == [window])
    p.change { $0.updateRegion(drag, roles: [.drag, .ownPointer]) }
    #expect(p.engine.dragWindows.touches == [window] && p.engine.dragWindows.clicks.isEmpty)
    // Without a drag region the bit means nothing.
    p.change { $0.updateRegion(drag, roles: [.drop, .ownPointer]) }
    #expect(p.engine.dragWindows == DragWindows())
  }

  @Test("Z31, A7: a click may add where its application has a session that something carries")
  func Z31_A7_mayAdd() throws {
    let p = Play()
    func mayAdd(at x: Double) -> Bool {
      var answer = false
      p.change { answer = $0.mayAdd(at: Point(x: x, y: 300)) }
      return answer
    }
    _ = try p.window(1, sourceRect, .drag)
    #expect(!mayAdd(at: 100))
    p.drag(1, from: (100, 300), to: (600, 300))
    #expect(mayAdd(at: 100))
    #expect(!mayAdd(at: 700))
    p.cancel(1)
    #expect(!mayAdd(at: 100))
  }
}
