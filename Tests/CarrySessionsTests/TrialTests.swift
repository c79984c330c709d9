import CarryModel
import CarrySessions
import Testing

/// Z23: long presses in windows of applications that know nothing of Carry.
@Suite struct TrialTests {
  private static let bridge = ClientID(9)

  /// On the left a window of another application with a drag region of the bridge, client 9; on the right a target.
  private func play(holds: Bool = true) throws -> (Play, RegionID, target: RegionID) {
    let (p, region, target, _) = try playInWindow(holds: holds)
    return (p, region, target)
  }

  private func playInWindow(
    holds: Bool = true
  ) throws -> (Play, RegionID, target: RegionID, WindowID) {
    let p = Play()
    p.holdsTouches = holds
    let own = try p.window(3, Rect(x: 0, y: 0, width: 400, height: 800), [])
    let window = p.lastWindow
    p.act { e, a in e.removeRegion(own, at: p.instant, into: &a) }
    let region = try p.engine.addRegion(
      client: Self.bridge, window: window, rect: Rect(x: 0, y: 0, width: 400, height: 800), roles: .drag,
      isStandIn: true)
    return (p, region, try p.window(2, Rect(x: 800, y: 0, width: 400, height: 800), .drop), window)
  }

  private func asked(_ p: Play) -> Int { p.source(9).count { $0 == "itemsForBeginning" } }

  private func releases(_ p: Play) -> Int { p.log.count { if case .releaseButton = $0 { true } else { false } } }

  @Test("Z23: the application is asked after the whole rest, and then it is an ordinary drag") func Z23_aDrag() throws {
    let (p, _, target) = try play()
    p.down(1, 100, 300)
    p.wait(499)
    #expect(asked(p) == 0)
    p.wait(1)
    #expect(asked(p) == 1 && p.touches == ["claim 1"])
    p.move(1, 111, 300)
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(400)
    #expect(p.destination(target).contains("performDrop"))
  }

  @Test("Z23: where there is nothing to lift, the application gets its touch, and is not asked again")
  func Z23_nothingThere() throws {
    let (p, _, _) = try play()
    p.itemsToLift = { _ in [] }
    p.lift(1, 100, 300)
    #expect(p.log.contains(.ignore(ContactID(1))) && p.touches.isEmpty)
    p.wait(3000)
    #expect(asked(p) == 1)
  }

  @Test("Z23: nothing is tried for a finger that moves, taps or goes up early") func Z23_otherTouches() throws {
    let (p, _, _) = try play()
    p.tap(1, 100, 300)
    p.down(2, 100, 300)
    p.wait(300)
    p.up(2, 100, 300)
    p.down(3, 100, 300)
    p.wait(300)
    p.move(3, 100, 350)
    #expect(asked(p) == 0 && p.touches == ["yield 1", "yield 2", "yield 3"])
  }

  @Test("Z23: nothing is tried for a touch that the application has as well") func Z23_notHeld() throws {
    let (p, _, _) = try play(holds: false)
    p.lift(1, 100, 300)
    #expect(asked(p) == 0 && p.log.contains(.ignore(ContactID(1))))
  }

  @Test("Z23: nothing is tried where the application has a region of its own") func Z23_ownRegions() throws {
    let (p, _, _, window) = try playInWindow()
    _ = try p.region(3, window, Rect(x: 0, y: 0, width: 400, height: 400), .drop)
    p.lift(1, 100, 300)
    #expect(asked(p) == 0)
    p.lift(2, 100, 600)
    #expect(asked(p) == 1)
  }

  @Test("Z23: one lift at a time; the next one once the button is up") func Z23_oneAtATime() throws {
    let (p, _, _) = try play()
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    p.lift(2, 300, 300)
    #expect(asked(p) == 1 && p.log.contains(.ignore(ContactID(2))))
    let question = try #require(p.openQuestion)
    p.act { $0.answered(by: Self.bridge, question.1, serial: question.serial, items: [], at: p.instant, into: &$1) }
    p.lift(3, 300, 300)
    #expect(asked(p) == 1)
    p.act { e, _ in e.trialIsOver(by: ClientID(8), serial: question.serial) }
    p.lift(4, 300, 300)
    #expect(asked(p) == 1)
    p.act { e, _ in e.trialIsOver(by: Self.bridge, serial: question.serial) }
    p.lift(5, 300, 300)
    #expect(asked(p) == 2)
  }

  @Test("Z23: the touch is taken once the application drags, before its data is there")
  func Z23_takesTheTouch() throws {
    let (p, _, _) = try play()
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    #expect(p.touches.isEmpty)
    let question = try #require(p.openQuestion)
    p.act { $0.touchIsTaken(by: ClientID(8), serial: question.serial, into: &$1) }
    #expect(p.touches.isEmpty)
    p.act { $0.touchIsTaken(by: Self.bridge, serial: question.serial, into: &$1) }
    #expect(p.touches == ["claim 1"])
    p.act {
      $0.answered(
        by: Self.bridge, question.1, serial: question.serial, items: [Play.item(1)], at: p.instant, into: &$1)
    }
    p.move(1, 150, 300)
    #expect(p.source(9).contains("willBegin"))
  }

  @Test("Z23: a bridge that ends or is stuck during a trial leaves no button down", arguments: [true, false])
  func Z23_theButtonComesUp(ends: Bool) throws {
    let (p, _, _) = try play()
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    #expect(releases(p) == 0)
    if ends { p.act { $0.clientGone(Self.bridge, at: p.instant, into: &$1) } } else { p.wait(3000) }
    #expect(releases(p) == 1 && p.log.contains(.ignore(ContactID(1))))
    // Outside of the window, where it is no click.
    #expect(p.log.contains(.releaseButton(at: Point(x: 401, y: 300))))
    p.wait(5000)
    #expect(releases(p) == 1)
  }

  @Test("Z23: also where the finger went up before; and not after the trial", arguments: [true, false])
  func Z23_theButtonComesUpLater(isOver: Bool) throws {
    let (p, _, _) = try play()
    p.isSourceSilent = true
    p.lift(1, 100, 300)
    p.up(1, 100, 300)
    p.wait(100)
    let question = try #require(p.openQuestion)
    if isOver { p.act { e, _ in e.trialIsOver(by: Self.bridge, serial: question.serial) } }
    p.act { $0.clientGone(Self.bridge, at: p.instant, into: &$1) }
    #expect(releases(p) == (isOver ? 0 : 1) && p.touches == ["yield 1"])
  }

  /// A drag lifted out of a window of program 0, and a tap in a window of program 0 or 1.
  private func tapped(isSame: Bool) throws -> (Play, target: RegionID) {
    let (p, region, target) = try play()
    let other = try p.window(4, Rect(x: 400, y: 0, width: 400, height: 800), [])
    let window = p.lastWindow
    p.act { e, a in e.removeRegion(other, at: p.instant, into: &a) }
    let second = try p.engine.addRegion(
      client: Self.bridge, window: window, rect: Rect(x: 0, y: 0, width: 400, height: 800), roles: .drag,
      isStandIn: true)
    let programs = (0..<2).map { ProgramIdentity(process: .peer(UInt32($0)), program: "org.example.\($0)") }
    p.engine.setIdentity(programs[0], of: region)
    p.engine.setIdentity(programs[isSame ? 0 : 1], of: second)
    p.itemsToAdd = { _ in [Play.item(7, types: ["text/plain"])] }
    p.itemsToLift = { _ in [Play.item(6, types: ["text/plain"])] }
    p.lift(1, 100, 300)
    for case .source(_, _, .itemsForBeginning(_, let serial, _)) in p.log {
      p.act { e, _ in e.trialIsOver(by: Self.bridge, serial: serial) }
    }
    p.move(1, 150, 300)
    p.tap(2, 600, 300)
    return (p, target)
  }

  @Test("Z23: a tap adds what lies in a window of any program that knows nothing of Carry", arguments: [true, false])
  func Z23_taps(isSame: Bool) throws {
    let (p, target) = try tapped(isSame: isSame)
    #expect(p.source(9).contains("itemsForAdding"))
    #expect(p.touches == ["claim 1", "claim 2"])
    p.move(1, 900, 300)
    #expect(p.destination(target).contains("offer(2)"))
  }

  @Test("Z23, G6: what a tap has added is judged by the program that it comes from", arguments: [0, 1])
  func Z23_G6_tapsOfOthers(forbidden: Int) throws {
    let (p, target) = try tapped(isSame: false)
    p.engine.apply(
      Policy([.init(.forbid, from: [.program("org.example.\(forbidden)")], place: "/etc/carry/policy.d/10-a.conf:1")]))
    p.move(1, 900, 300)
    var seen: [[String]] = []
    for case .destination(_, _, target, .offer(let items, _, _, _)) in p.log {
      seen = items.map { $0.types.map(\.name) }
    }
    #expect(seen == (forbidden == 0 ? [[], ["text/plain"]] : [["text/plain"], []]))
  }

  @Test("Z23: neither keys nor clicks reach such a region, and its touches are held for longer") func Z23_onlyTouches()
    throws
  {
    let (p, _, _, window) = try playInWindow()
    #expect(p.engine.dragWindows.trials == [window])
    #expect(p.engine.dragWindows.touches.isEmpty && p.engine.dragWindows.clicks.isEmpty)
    let places = p.engine.places(.drag, first: nil)
    #expect(places.isEmpty)
    let found = p.engine.dragRegion(at: Point(x: 100, y: 300))
    #expect(found == nil)
  }

  @Test("Z23: touches are held in the frame, which comes before the window manager's grabs") func Z23_frames() throws {
    let p = Play()
    let (frame, window) = (WindowID(70), WindowID(71))
    let rect = Rect(x: 0, y: 0, width: 400, height: 400)
    p.tree.insert(.init(id: frame, frame: rect, isMapped: true), parent: Play.root)
    p.tree.insert(.init(id: window, frame: rect, isMapped: true), parent: frame)
    _ = try p.engine.addRegion(client: Self.bridge, window: window, rect: rect, roles: .drag, isStandIn: true)
    #expect(p.engine.dragWindows.trials == [frame])
  }

  @Test("Z4: touches and clicks are held in a window and in its frame, since managers' grabs may be newer")
  func Z4_framesOfApplications() throws {
    let p = Play()
    let (frame, window) = (WindowID(70), WindowID(71))
    let rect = Rect(x: 0, y: 0, width: 400, height: 400)
    p.tree.insert(.init(id: frame, frame: rect, isMapped: true), parent: Play.root)
    p.tree.insert(.init(id: window, frame: rect, isMapped: true), parent: frame)
    _ = try p.engine.addRegion(client: ClientID(9), window: window, rect: rect, roles: .drag)
    #expect(p.engine.dragWindows == DragWindows(touches: [window, frame], clicks: [window, frame]))
  }
}
