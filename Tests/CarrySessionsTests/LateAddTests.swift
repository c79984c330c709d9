import CarryGestures
import CarryModel
import CarrySessions
import CarryTesting
import Testing

/// Items that join a drag while somebody is asked about it.
@Suite struct LateAddTests {
  private let otherRect = Rect(x: 50, y: 600, width: 100, height: 100)

  private func answer(_ p: Play, _ yes: Bool, _ region: RegionID) throws {
    let serial = try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, region, .canHandle(let serial, _)) = action { serial } else { nil }
      }.last)
    p.act {
      $0.answeredCanHandle(yes, by: ClientID(2), SessionID(1), region: region, serial: serial, at: p.instant, into: &$1)
    }
  }

  @Test("A1, D5: a region that says yes late is offered what was added since it was asked")
  func A1_D5_addedWhileAsked() throws {
    let (p, target) = try pair()
    _ = try p.window(1, otherRect, .drag)
    p.canHandle = { _ in nil }
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 80, 640)
    try answer(p, true, target)
    #expect(p.destination(target).prefix(4) == ["offer(1)", "canHandle", "offer(1)", "didEnter"])
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("A1, D5: a region that refuses late is asked again about what was added since it was asked")
  func A1_D5_refusedWhatWasBefore() throws {
    let (p, target) = try pair()
    _ = try p.window(1, otherRect, .drag)
    p.canHandle = { _ in nil }
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 80, 640)
    p.up(1, 900, 300)
    p.wait(100)
    try answer(p, false, target)
    #expect(p.destination(target) == ["offer(1)", "canHandle", "offer(1)", "canHandle"])
    try answer(p, true, target)
    p.wait(100)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.isAtRest)
  }

  @Test("K8, A4: a tap that the application has been given adds nothing, however late it says to which drag it adds")
  func K8_A4_aTapThatWasGivenAway() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let other = try p.window(1, otherRect, .drag)
    p.itemsToAdd = { _ in [Play.item(9)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.itemsToLift = { _ in [Play.item(2)] }
    p.drag(2, from: (100, 300), to: (600, 500))
    p.chooses = { _ in nil }
    p.tap(3, 80, 640)
    let serial = try #require(
      p.log.compactMap { if case .choose(_, _, let serial, _, _) = $0 { serial } else { nil } }.last)
    p.act { e, _ in e.touchGivenAway(ContactID(3)) }
    p.act { $0.chose(SessionID(1), by: ClientID(1), other, serial: serial, at: p.instant, into: &$1) }
    #expect(!p.source(1).contains("itemsForAdding"))
    #expect(!p.monitorKinds().contains(.itemsAdded))
  }

  @Test("Z4, A4: a tap whose answer nobody waits for any more is the application's")
  func Z4_A4_theDragEndedFirst() throws {
    let (p, _) = try pair()
    p.drag(1, from: (100, 300), to: (900, 300))
    p.isSourceSilent = true
    p.tap(2, 100, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.isAtRest)
    #expect(p.touches.contains("yield 2"))
  }

  @Test("A1, Z8: what was tapped before the release is added, if the answer comes before the drop")
  func A1_Z8_answeredAfterTheRelease() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (800, 300))
    p.proposal = { _, _ in nil }
    p.isSourceSilent = true
    p.move(1, 900, 300)
    p.tap(2, 100, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.engine.sessionCount == 1 && !p.destination(target).contains("performDrop"))
    p.proposal = { _, _ in .copy }
    let (client, id, serial) = try #require(p.openQuestion)
    p.act { $0.answered(by: client, id, serial: serial, items: [Play.item(2)], at: p.instant, into: &$1) }
    let update = try #require(
      p.log.compactMap { action -> UInt32? in
        if case .destination(_, _, target, .didUpdate(let serial, _)) = action { serial } else { nil }
      }.last)
    p.act { $0.proposed(.copy, by: ClientID(2), id, region: target, serial: update, at: p.instant, into: &$1) }
    p.wait(100)
    #expect(p.destination(target).count { $0 == "offer(1)" } == 2)
    #expect(p.destination(target).contains("performDrop"))
    #expect(p.touches.contains("claim 2"))
    #expect(p.isAtRest)
  }
}

extension LateAddTests {
  /// One drag that goes from finger to finger over regions of many applications, while taps add to it, some of which go
  /// to regions that add nothing, and everybody takes their time.
  @Test("A1, K7, D5, Z8: whoever carries it, and whatever was added meanwhile, all of it goes where it was let go")
  func A1_K7_D5_Z8_allOfItGoesWhereItWasLetGo() throws {
    var drops = 0
    var additions = 0
    for seed in 1..<400 as Range<UInt64> {
      var dice = SeededRandom(seed: seed)
      func roll(_ n: Int) -> Int { Int.random(in: 0..<n, using: &dice) }
      func spot() -> Point { Point(x: Double(200 + roll(1000)), y: Double(10 + roll(560))) }
      let p = Play()
      _ = try p.window(1, sourceRect, .drag)
      let adding = try p.window(1, Rect(x: 0, y: 600, width: 1280, height: 200), .drag)
      var regions: [(id: RegionID, rect: Rect)] = []
      for client: UInt32 in 2..<12 {
        let rect = Rect(
          x: Double(200 + roll(800)), y: Double(roll(400)), width: Double(80 + roll(300)),
          height: Double(80 + roll(120)))
        regions.append((try p.window(client, rect, .drop), rect))
        let (id, zone) = (regions[regions.count - 1].id, Double(roll(3) * 20))
        p.change { $0.updateRegion(id, edgeZone: zone) }
      }
      let taking = Set(regions.map(\.id).filter { _ in roll(3) > 0 })
      var last: UInt32 = 1
      p.canHandle = { taking.contains($0) }
      p.itemsToAdd = { region in
        guard region == adding, roll(3) > 0 else { return [] }
        last += 1
        return [Play.item(last)]
      }
      let slowest = 1 + roll(280)
      p.delay = { roll(slowest) }
      var carrier: UInt32 = 1
      var next: UInt32 = 2
      var point = spot()
      p.drag(1, from: (100, 300), to: (point.x, point.y))
      for _ in 0...roll(10) {
        switch roll(4) {
        case 0:
          p.stackUnder = { _ in nil }
          p.tap(next, Double(roll(1280)), 700)
          next += 1
        case 1:
          p.stackUnder = { _ in SessionID(1) }
          let other = spot()
          p.down(next, other.x, other.y)
          p.wait(roll(600))
          if roll(2) == 0 {
            p.up(carrier, point.x, point.y)
            (carrier, point) = (next, other)
          } else {
            p.up(next, other.x, other.y)
          }
          next += 1
        default:
          point = spot()
          p.move(carrier, point.x, point.y)
        }
        p.wait(roll(150))
      }
      // Whoever has just let go is waited for a moment.
      p.wait(100)
      p.up(carrier, point.x, point.y)
      p.wait(8000)
      // Another application's window that takes nothing hides what lies below it.
      let top = regions.last { $0.rect.contains(point) }
      let dropped = regions.map(\.id).filter { p.destination($0).contains("performDrop") }
      #expect(dropped == [top].compactMap { $0?.id }.filter { taking.contains($0) }, "seed \(seed)")
      let items = p.monitored.last { $0.kind == .ended }?.items
      drops += dropped.count
      additions += Int(last) - 1
      for id in dropped {
        let offers = p.destination(id).filter { $0.hasPrefix("offer(") }
        #expect(offers.compactMap { Int($0.dropFirst(6).dropLast()) }.reduce(0, +) == items, "seed \(seed)")
      }
      #expect(p.isAtRest, "seed \(seed)")
    }
    #expect(drops > 60 && additions > 60, "\(drops) \(additions)")
  }
}
