import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// Z11: a target is told that the drag dwells at its edge.
@Suite struct EdgeTests {
  private let listRect = Rect(x: 800, y: 200, width: 300, height: 400)

  private func list(_ client: UInt32 = 2) throws -> (Play, RegionID) {
    let p = Play()
    _ = try p.window(1, Rect(x: 50, y: 250, width: 300, height: 300), .drag)
    let list = try p.window(client, listRect, [.drag, .drop])
    p.change { $0.updateRegion(list, edgeZone: 40) }
    return (p, list)
  }

  private func speeds(_ p: Play, _ region: RegionID) -> [Point] {
    p.log.compactMap { if case .destination(_, _, region, .edge(let speed)) = $0 { speed } else { nil } }
  }

  @Test("Z11: after a dwell, linear in the depth, and over when the drag leaves the zone") func Z11_linear() throws {
    let (p, list) = try list()
    p.drag(1, from: (100, 300), to: (950, 400))
    p.wait(1000)
    p.move(1, 950, 580)
    p.wait(199)
    #expect(speeds(p, list).isEmpty)
    p.wait(1)
    // The finger rests, and the target hears of it all the same.
    #expect(speeds(p, list) == [Point(x: 0, y: 0.5)])
    #expect(p.destination(list).suffix(2) == ["edge", "didUpdate"])
    p.move(1, 950, 590)
    p.move(1, 950, 500)
    #expect(speeds(p, list) == [Point(x: 0, y: 0.5), Point(x: 0, y: 0.75), .zero])
    p.move(1, 810, 210)
    p.wait(200)
    #expect(speeds(p, list).last == Point(x: -0.75, y: -0.75))
    let count = speeds(p, list).count
    p.move(1, 600, 300)
    p.wait(1000)
    #expect(speeds(p, list).count == count)
    p.up(1, 600, 300)
    p.wait(100)
    #expect(p.isAtRest)
  }

  @Test("Z11: a drag that only passes through tells nothing") func Z11_passing() throws {
    let (p, list) = try list()
    p.drag(1, from: (100, 300), to: (805, 400))
    p.wait(100)
    p.move(1, 950, 400)
    p.wait(1000)
    #expect(speeds(p, list).isEmpty)
  }

  @Test("Z11: not in the zone where the drag began, before it has left that") func Z11_whereItBegan() throws {
    let (p, list) = try list(1)
    p.drag(1, from: (950, 590), to: (950, 595))
    p.wait(2000)
    #expect(p.destination(list).contains("didUpdate"))
    #expect(speeds(p, list).isEmpty)
    p.move(1, 950, 400)
    p.move(1, 950, 580)
    p.wait(200)
    #expect(speeds(p, list) == [Point(x: 0, y: 0.5)])
  }

  @Test("Z11, Z8: one that does not answer is told once it has, with the newest") func Z11_Z8_flowControl() throws {
    let (p, list) = try list()
    p.proposal = { _, _ in nil }
    p.drag(1, from: (100, 300), to: (950, 580))
    for y in 0..<200 {
      p.wait(10)
      p.move(1, 950, 570 + Double(y % 30))
    }
    #expect(speeds(p, list).isEmpty)
    p.move(1, 950, 590)
    let serial = p.log.compactMap { action -> UInt32? in
      if case .destination(_, _, list, .didUpdate(let serial, _)) = action { serial } else { nil }
    }
    #expect(serial.count == 1)
    p.act {
      $0.proposed(
        .copy, by: ClientID(2), SessionID(1), region: list, serial: serial[0], at: p.instant, into: &$1)
    }
    #expect(speeds(p, list) == [Point(x: 0, y: 0.75)])
  }

  @Test("Z11: rows above a list are told of its edge, and scroll on while they change under a resting finger")
  func Z11_rows() throws {
    let (p, list) = try list()
    let window = p.lastWindow
    let rows = try (0..<4).map {
      try p.region(2, window, Rect(x: 0, y: Double($0) * 100, width: 300, height: 100), .drop)
    }
    p.drag(1, from: (100, 300), to: (950, 580))
    p.wait(200)
    #expect(speeds(p, rows[3]) == [Point(x: 0, y: 0.5)])
    #expect(speeds(p, list).isEmpty)
    // The list scrolls: another row comes under the finger, and the dwell does not begin again.
    p.change { $0.updateRegion(rows[3], rect: Rect(x: 0, y: 250, width: 300, height: 100)) }
    p.change { $0.updateRegion(rows[0], rect: Rect(x: 0, y: 350, width: 300, height: 100)) }
    p.wait(0)
    #expect(speeds(p, rows[0]) == [Point(x: 0, y: 0.5)])
    // Out of the zone, over the row that was there first: it is told nothing more.
    p.move(1, 950, 500)
    #expect(p.destination(rows[0]).last == "didExit" && p.destination(rows[3]).last == "didUpdate")
    #expect(speeds(p, rows[3]) == [Point(x: 0, y: 0.5)])
    #expect(passes(p))
  }

  @Test("Z11: a row that is lifted in its list's zone scrolls nothing, over other rows neither, before it has left")
  func Z11_aRowThatIsLifted() throws {
    let (p, _) = try list(1)
    let window = p.lastWindow
    let rows = try (0..<8).map {
      try p.region(1, window, Rect(x: 0, y: Double($0) * 50, width: 300, height: 50), [.drag, .drop])
    }
    p.drag(1, from: (950, 590), to: (950, 575))
    p.wait(500)
    p.move(1, 850, 570)
    p.wait(500)
    #expect(rows.allSatisfy { speeds(p, $0).isEmpty })
    p.move(1, 950, 400)
    p.move(1, 950, 580)
    p.wait(200)
    #expect(speeds(p, rows[7]) == [Point(x: 0, y: 0.5)])
  }

  @Test("Z11, D5: a list that refuses a drag in its zone leaves no dwell to what lies below")
  func Z11_D5_refused() throws {
    let (p, list) = try list()
    let below = try p.region(2, p.lastWindow, Rect(x: 0, y: 0, width: 300, height: 400), .drop)
    p.change { $0.raiseRegion(list) }
    p.canHandle = { $0 == list ? false : true }
    p.drag(1, from: (100, 300), to: (950, 590))
    #expect(p.destination(below).contains("didEnter"))
    #expect(passes(p))
  }

  @Test("Z11: a list that gives up its zone during the dwell") func Z11_noZoneAnyMore() throws {
    let (p, list) = try list()
    p.drag(1, from: (100, 300), to: (950, 400))
    p.move(1, 950, 590)
    p.wait(100)
    p.change { $0.updateRegion(list, edgeZone: 0) }
    #expect(passes(p))
  }

  /// Whether every deadline of the next second is gone over once, and not again and again.
  private func passes(_ p: Play) -> Bool {
    let later = p.instant + .milliseconds(1000)
    for _ in 0..<10 { p.act { $0.advance(to: later, into: &$1) } }
    return p.engine.nextDeadline.map { $0 > later } ?? true
  }
}
