import CarryModel
import CarryStage
import Testing

@Suite struct EndTests {
  /// What each surface looked like last, a millisecond before it went, from the bottom up.
  private func last(_ s: inout Scene, from t: Int) -> [Surface] {
    var seen: [UInt32: Surface] = [:]
    var t = t
    while s.stage.nextFrame != nil {
      for surface in s.list.surfaces { seen[surface.id.raw] = surface }
      t += 1
      s.frame(t)
    }
    return seen.sorted { $0.key < $1.key }.map(\.value).filter { $0.opacity < 0.5 }
  }

  @Test("E2: every card flies home to its own source sinks and fades")
  func E2_everyCardFliesHomeToItsOwnSourceSinksAndFades() throws {
    var s = Scene()
    s.carry()
    let other = Rect(x: 700, y: 20, width: 60, height: 60)
    s.stage.add(s.a, images: [ImageID(2)], source: other, at: Scene.ms(1000))
    s.frame(1500)
    s.stage.move(s.a, to: Point(x: 500, y: 500), at: Scene.ms(1600))
    let carried = s.frame(1600)
    s.stage.cancel(s.a, at: Scene.ms(1700))
    let start = s.frame(1700)
    #expect(start.count == 2)
    for k in 0..<2 {
      let was = screenCenter(carried[0], carried[0].layers[k])
      #expect(close(screenCenter(start[k], start[k].layers[0]), was, within: 1))
    }
    let end = last(&s, from: 1700)
    let home = try #require(end.first)
    #expect(close(screenCenter(home, home.layers[0]), s.source.center, within: 0.5))
    #expect(abs(home.layers[0].scale - 1) < 0.01 && home.layers[0].shadow.opacity < 0.01 && home.opacity < 0.05)
    #expect(s.stage.takeFinished() == [s.a])
    #expect(Set(s.stage.takeUnusedImages()) == [ImageID(1), ImageID(2)])
    #expect(s.stage.nextFrame == nil && s.stage.count == 0)
  }

  @Test("E2: it takes longer from farther") func E2_itTakesLongerFromFarther() {
    var ends: [Int] = []
    for x in [150.0, 1100.0] {
      var s = Scene()
      s.carry()
      s.stage.move(s.a, to: Point(x: x, y: 230), at: Scene.ms(1000))
      s.frame(1000)
      s.stage.cancel(s.a, at: Scene.ms(1000))
      ends.append(s.finish(from: 1000) - 1000)
    }
    #expect(ends[0] >= 250 && ends[0] <= 290 && ends[1] > ends[0] + 50)
  }

  @Test("E2: cards still flying in turn round and fly home") func E2_cardsStillFlyingInTurnRoundAndFlyHome() {
    var s = Scene()
    s.carry()
    let other = Rect(x: 700, y: 20, width: 60, height: 60)
    s.stage.add(s.a, images: [ImageID(2)], source: other, at: Scene.ms(1000))
    let flying = s.frame(1150)[1]
    s.stage.cancel(s.a, at: Scene.ms(1150))
    let turned = s.frame(1150)[1]
    #expect(close(screenCenter(flying, flying.layers[0]), screenCenter(turned, turned.layers[0]), within: 0.01))
    let end = last(&s, from: 1150)
    #expect(end.contains { close(screenCenter($0, $0.layers[0]), other.center, within: 0.5) })
  }

  @Test("E3: an item without a home fades where it is") func E3_anItemWithoutAHomeFadesWhereItIs() {
    var s = Scene()
    s.carry()
    let was = screenCenter(s.list.surfaces[0], s.list.surfaces[0].layers[0])
    s.stage.setHome(s.a, item: 0, to: nil, at: Scene.ms(1100))
    s.stage.cancel(s.a, at: Scene.ms(1100))
    let end = last(&s, from: 1100)
    #expect(close(screenCenter(end[0], end[0].layers[0]), was, within: 1) && end[0].opacity < 0.05)
  }

  @Test("B7: an item flies to where its place is when the drag is cancelled, not to where it was")
  func anItemFliesToWhereItsPlaceIs() {
    var s = Scene()
    s.carry()
    let home = Rect(x: 500, y: 300, width: 120, height: 80)
    s.stage.setHome(s.a, item: 0, to: home, at: Scene.ms(1100))
    s.stage.cancel(s.a, at: Scene.ms(1100))
    let end = last(&s, from: 1100)
    #expect(close(screenCenter(end[0], end[0].layers[0]), home.center, within: 1))
  }

  @Test("DA7, E4: items end on the curve that those who animate alongside follow", arguments: [true, false])
  func inStep(drops: Bool) throws {
    var s = Scene()
    s.carry()
    if drops {
      s.stage.drop(s.a, into: Rect(x: 700, y: 500, width: 200, height: 200), at: s.touch, at: Scene.ms(1000))
    } else {
      s.stage.setHome(s.a, item: 0, to: Rect(x: 700, y: 500, width: 120, height: 80), at: Scene.ms(1000))
      s.stage.cancel(s.a, at: Scene.ms(1000))
    }
    let flight = try #require(s.stage.takeFlights().last)
    let ends = drops ? Point(x: 800, y: 600) : Point(x: 760, y: 540)
    let first = s.frame(1000)[0]
    let from = screenCenter(first, first.layers[0])
    for step in [0.1, 0.25, 0.5, 0.75] {
      let t = Instant(microseconds: flight.start.microseconds + Int64(Double(flight.duration.microseconds) * step))
      s.stage.frame(at: t, into: &s.list)
      let now = screenCenter(s.list.surfaces[0], s.list.surfaces[0].layers[0])
      let way = from.distance(to: now) / from.distance(to: ends)
      #expect(abs(way - Easing.end(step)) < 0.01, "\(way) at \(step)")
    }
  }

  @Test("DA4: a drop shrinks into the target and fades") func DA4_aDropShrinksIntoTheTargetAndFades() {
    var s = Scene()
    s.carry(2)
    let target = Rect(x: 400, y: 400, width: 100, height: 100)
    s.stage.drop(s.a, into: target, at: Point(x: 420, y: 420), at: Scene.ms(1000))
    let start = s.frame(1000)[0]
    #expect(start.opacity == 0.85 && abs(start.layers[1].scale - 1.06) < 1e-9)
    let end = last(&s, from: 1000)[0]
    #expect(close(screenCenter(end, end.layers[1]), target.center, within: 6) && end.opacity < 0.05)
    #expect(end.layers[1].scale < 0.7)
    #expect(s.stage.takeFinished() == [s.a])
  }

  @Test("L12: a removed session is gone at once") func L12_aRemovedSessionIsGoneAtOnce() {
    var s = Scene()
    s.lift()
    s.frame(100)
    s.stage.remove(s.a)
    #expect(s.frame(101).isEmpty && s.stage.nextFrame == nil)
    #expect(s.stage.takeUnusedImages() == [ImageID(1)] && s.stage.takeFinished().isEmpty)
    // Whatever comes for it later is ignored.
    s.stage.move(s.a, to: .zero, at: Scene.ms(200))
    s.stage.cancel(s.a, at: Scene.ms(200))
    s.stage.reverseLift(s.a, at: Scene.ms(200))
    s.stage.drop(s.a, into: nil, at: .zero, at: Scene.ms(200))
    s.stage.add(s.a, images: [ImageID(1)], source: s.source, at: Scene.ms(200))
    #expect(s.stage.nextFrame == nil && s.frame(201).isEmpty)
  }

  @Test("A9: as many items as fit, in ten sessions, stay bounded") func A9_allItemsInTenSessionsStayBounded() {
    var s = Scene()
    var most = 0
    for n in 1...10 {
      let id = SessionID(UInt32(n))
      s.stage.lift(
        id, images: [ImageID(1)], source: s.source, touch: s.touch, at: .zero, duration: .milliseconds(350))
      s.stage.beginDrag(id, touch: s.touch, at: Scene.ms(1))
      for k in 0..<Limits.itemsPerSession + 36 {
        s.stage.add(id, images: [ImageID(UInt32(k + 2))], source: s.source, at: Scene.ms(2 + k % 3))
      }
    }
    for t in stride(from: 0, through: 2000, by: 100) { most = max(most, s.frame(t).count) }
    #expect(most <= 10 * Limits.itemsPerSession && s.list.surfaces.count == 10)
    #expect(s.list.surfaces.allSatisfy { $0.layers.count == 4 && $0.badge.badge == .count(Limits.itemsPerSession) })
    for n in 1...10 { s.stage.cancel(SessionID(UInt32(n)), at: Scene.ms(2001)) }
    #expect(s.frame(2001).count <= 160)
    #expect(s.finish(from: 2001) > 0)
    #expect(s.list.surfaces.isEmpty && s.stage.takeFinished().count == 10 && s.stage.count == 0)
    // Those that were too many come back as well.
    #expect(s.stage.takeUnusedImages().count == Limits.itemsPerSession + 37)
  }

  @Test("sizes and places of hostile clients never trap") func sizesAndPlacesOfHostileClientsNeverTrap() {
    let bad = [0.0, -5, 1e300, -1e300, .infinity, .nan]
    var s = Scene()
    var n: UInt32 = 0
    for w in bad {
      for x in bad {
        n += 1
        let id = SessionID(n)
        let rect = Rect(x: x, y: x, width: w, height: w)
        s.stage.lift(id, images: [ImageID(0)], source: rect, touch: Point(x: w, y: x), at: .zero, duration: .zero)
        s.stage.beginDrag(id, touch: Point(x: x, y: w), at: .zero)
        s.stage.add(id, images: [ImageID(0)], source: rect, at: .zero)
        s.frame(Int(n))
        if n % 2 == 0 {
          s.stage.cancel(id, at: .zero)
        } else {
          s.stage.drop(id, into: rect, at: rect.origin, at: .zero)
        }
        for surface in s.frame(Int(n)) {
          #expect(surface.width >= 1 && surface.width <= 8192 && abs(surface.x) <= 30_000)
        }
      }
    }
    #expect(s.finish(from: 100) > 0)
  }

  @Test("the same calls give the same lists") func theSameCallsGiveTheSameLists() {
    func run() -> [DrawList] {
      var s = Scene()
      var lists: [DrawList] = []
      s.carry(3)
      s.stage.add(s.a, images: [ImageID(4)], source: Rect(x: 9, y: 8, width: 70, height: 60), at: Scene.ms(1000))
      for k in 0..<60 {
        s.stage.move(s.a, to: Point(x: Double(k) * 9, y: 70), at: Scene.ms(1000 + k * 16))
        if k == 30 { s.stage.setBadge(s.a, .copy(4), at: Scene.ms(1000 + k * 16)) }
        if k == 40 { s.stage.cancel(s.a, at: Scene.ms(1000 + k * 16)) }
        s.frame(1000 + k * 16)
        lists.append(s.list)
      }
      return lists
    }
    #expect(run() == run())
  }
}
