import CarryModel
import CarrySessions
import CarryTesting
import Testing

/// Answers that come after the finger went up.
@Suite struct LateAnswerTests {
  /// The last question whether a region takes the session.
  private func question(_ p: Play, _ region: RegionID) throws -> UInt32 {
    try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, region, .canHandle(let serial, _)) = action { serial } else { nil }
      }.last)
  }

  private func answer(_ p: Play, _ yes: Bool, _ region: RegionID) throws {
    let serial = try question(p, region)
    p.act {
      $0.answeredCanHandle(yes, by: ClientID(2), SessionID(1), region: region, serial: serial, at: p.instant, into: &$1)
    }
  }

  @Test("D5, Z8: what a region says that the drag has left does not end the wait for the one it was let go on")
  func D5_Z8_aLateRefusalOfARegionBehind() throws {
    let (p, target) = try pair()
    let behind = try p.window(2, Rect(x: 450, y: 250, width: 300, height: 300), .drop)
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (500, 300))
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, behind)
    #expect(p.engine.sessionCount == 1 && !p.monitorKinds().contains(.cancelled))
    try answer(p, true, target)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.source(1).contains("didEnd(copy)"))
    #expect(p.isAtRest)
  }

  @Test("D5: where the region above refuses after the release, the one below is asked")
  func D5_theOneBelowIsAskedAfterTheRelease() throws {
    let (p, below) = try pair()
    let above = try p.region(2, p.lastWindow, Rect(x: 0, y: 0, width: 100, height: 100), .drop)
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, above)
    try answer(p, true, below)
    p.wait(100)
    #expect(p.destination(below).contains("performDrop") && !p.destination(above).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("E1: when nothing below takes it, a late refusal ends the drag at once") func E1_aLateRefusalOfAll() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, target)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("Z8: a region that was asked long before the release is waited for as long as if the finger were still there")
  func Z8_askedLongBefore() throws {
    let (p, target) = try pair()
    let above = try p.region(2, p.lastWindow, Rect(x: 0, y: 0, width: 100, height: 100), .drop)
    p.canHandle = { _ in nil }
    // The one below is asked first, the one above a moment before the release.
    p.drag(1, from: (100, 300), to: (1100, 500))
    p.wait(1700)
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, above)
    #expect(p.engine.sessionCount == 1)
    p.wait(300)
    #expect(p.source(1).last == "didEnd(cancel)" && p.destination(target).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("E1: a region that goes away while its answer is waited for ends the drag at once")
  func E1_aRegionThatGoesAway() throws {
    let (p, target) = try pair()
    p.canHandle = { _ in nil }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    p.act { $0.removeRegion(target, at: p.instant, into: &$1) }
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.destination(target).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("D5: a region that is disabled while its answer is waited for is not dropped on")
  func D5_aRegionThatIsDisabled() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.proposal = { _, _ in nil }
    p.move(1, 910, 300)
    p.up(1, 910, 300)
    p.wait(100)
    p.change { $0.updateRegion(target, roles: []) }
    p.wait(1000)
    #expect(!p.destination(target).contains("performDrop"))
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }

  @Test("E1: somebody else who goes does not end the wait for what the source allows")
  func E1_aStrangerGoes() throws {
    let (p, target) = try pair()
    _ = try p.window(3, Rect(x: 500, y: 600, width: 100, height: 100), .drop)
    p.configures = false
    p.drag(1, from: (100, 300), to: (900, 300))
    let serial = try #require(
      p.log.compactMap { if case .source(_, _, .willBegin(let serial, _)) = $0 { serial } else { nil } }.last)
    p.up(1, 900, 300)
    p.wait(100)
    p.act { $0.clientGone(ClientID(3), at: p.instant, into: &$1) }
    #expect(p.engine.sessionCount == 1 && !p.monitorKinds().contains(.cancelled))
    p.act { e, a in
      e.configured(
        by: ClientID(1), SessionID(1), serial: serial, options: SourceOptions(), at: p.instant, into: &a)
    }
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("DA1: the end of the display while a drop is performed leaves nothing to do for later")
  func DA1_theDisplayGoesDuringADrop() throws {
    let (p, _) = try pair()
    p.performsSilently = true
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.monitorKinds().contains(.dropped))
    p.act { e, a in _ = e.displayLost(at: p.instant, into: &a) }
    p.wait(10_000)
    #expect(p.isAtRest)
  }
}

extension LateAnswerTests {
  /// Windows that lie about and over one another, each another application's with regions above one another, and all of
  /// them take their time. What is let go of goes to the uppermost region of the window there that takes it, whatever
  /// the finger passed on its way.
  @Test("D5, Z8: however late everybody answers, a drop goes where it was let go", arguments: 0..<20)
  func D5_Z8_aDropGoesWhereItWasLetGo(_ hundred: UInt64) throws {
    for n in 0..<100 as Range<UInt64> {
      let seed = hundred * 100 + n
      var dice = SeededRandom(seed: seed)
      func roll(_ n: Int) -> Int { Int.random(in: 0..<n, using: &dice) }
      func rect(_ x: Int, _ y: Int, _ most: Int) -> Rect {
        Rect(x: Double(roll(x)), y: Double(roll(y)), width: Double(60 + roll(most)), height: Double(60 + roll(most)))
      }
      let p = Play()
      _ = try p.window(1, Rect(x: 20, y: 250, width: 150, height: 300), .drag)
      var windows: [(frame: Rect, regions: [(id: RegionID, rect: Rect)])] = []
      for client: UInt32 in 2..<10 {
        let frame = rect(700, 450, 300).offset(by: Point(x: 200, y: 50))
        let whole = Rect(origin: .zero, size: frame.size)
        var regions = [(id: try p.window(client, frame, .drop), rect: whole)]
        for _ in 0..<roll(4) {
          let part = rect(200, 200, 200)
          regions.append((id: try p.region(client, p.lastWindow, part, .drop), rect: part))
        }
        windows.append((frame, regions))
      }
      let taking = Set(windows.flatMap(\.regions).map(\.id).filter { _ in roll(3) > 0 })
      p.canHandle = { taking.contains($0) }
      let slowest = 1 + roll(280)
      p.delay = { roll(slowest) }
      var end = (Double(200 + roll(900)), Double(50 + roll(600)))
      p.drag(1, from: (100, 300), to: end)
      for _ in 0...roll(8) {
        p.wait(roll(120))
        end = (Double(200 + roll(900)), Double(50 + roll(600)))
        p.move(1, end.0, end.1)
      }
      p.wait(roll(80))
      p.up(1, end.0, end.1)
      p.wait(8000)
      let point = Point(x: end.0, y: end.1)
      let window = windows.last { $0.frame.contains(point) }
      let expected = window?.regions.last {
        taking.contains($0.id) && $0.rect.contains(point - (window?.frame.origin ?? .zero))
      }
      let dropped = windows.flatMap(\.regions).map(\.id).filter { p.destination($0).contains("performDrop") }
      #expect(dropped == (expected.map { [$0.id] } ?? []), "seed \(seed)")
      #expect(p.isAtRest, "seed \(seed)")
    }
  }
}
