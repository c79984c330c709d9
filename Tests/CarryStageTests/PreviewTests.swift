import CarryModel
import CarryStage
import Testing

/// What applications say of how their items look, rise and end.
@Suite struct PreviewTests {
  private let left = Rect(x: 100, y: 200, width: 60, height: 60)
  private let right = Rect(x: 400, y: 300, width: 90, height: 50)

  private func twoPlaces(_ s: inout Scene) {
    s.stage.lift(
      s.a,
      cards: [
        CardSource(item: 0, image: ImageID(1), size: left.size, home: left),
        CardSource(item: 1, image: ImageID(2), size: right.size, home: right, isShaped: true),
      ], count: 2, touch: Point(x: 430, y: 320), at: .zero, duration: .milliseconds(350))
  }

  @Test("L9, P4, E6: each item rises at its own place, and they gather when the drag begins")
  func L9_P4_eachItemRisesAtItsOwnPlace() {
    var s = Scene()
    twoPlaces(&s)
    let risen = s.frame(400)
    #expect(risen.count == 2)
    #expect(close(screenCenter(risen[0], risen[0].layers[0]), left.center))
    #expect(close(screenCenter(risen[1], risen[1].layers[0]), right.center, within: 3))
    // One with an outline of its own has no corners cut.
    #expect(risen[0].layers[0].cornerRadius > 0 && !risen[0].layers[0].isShaped)
    #expect(risen[1].layers[0].cornerRadius == 0 && risen[1].layers[0].isShaped)
    s.stage.beginDrag(s.a, touch: Point(x: 430, y: 320), at: Scene.ms(410))
    #expect(s.finish(from: 410) > 0)
    #expect(s.list.surfaces.count == 1)
    // What rose elsewhere lies below.
    #expect(s.list.surfaces[0].layers.map(\.image) == [ImageID(1), ImageID(2)])
  }

  @Test("L12, L17: items that rose apart sink back where each was") func L12_itemsThatRoseApartSinkBack() {
    var s = Scene()
    twoPlaces(&s)
    s.frame(300)
    s.stage.reverseLift(s.a, at: Scene.ms(300))
    let surfaces = s.frame(310)
    #expect(close(screenCenter(surfaces[0], surfaces[0].layers[0]), left.center))
    #expect(s.finish(from: 310) > 0)
    #expect(s.stage.takeFinished() == [s.a])
    #expect(Set(s.stage.takeUnusedImages()) == [ImageID(1), ImageID(2)])
  }

  @Test("L9: a stack whose top card rose away from the finger comes to it") func L9_aStackComesToTheFinger() {
    var s = Scene()
    twoPlaces(&s)
    s.frame(400)
    s.stage.beginDrag(s.a, touch: Point(x: 800, y: 600), at: Scene.ms(410))
    s.stage.move(s.a, to: Point(x: 800, y: 600), at: Scene.ms(420))
    #expect(s.finish(from: 420) > 0)
    let top = s.list.surfaces[0].layers[1]
    let c = screenCenter(s.list.surfaces[0], top)
    #expect(abs(c.x - 800) <= top.size.width * top.scale / 2 && abs(c.y - 600) <= top.size.height * top.scale / 2)
  }

  @Test("L10: an item that is not seen has no card, and counts") func L10_anItemThatIsNotSeen() {
    var s = Scene()
    s.stage.lift(
      s.a, cards: [CardSource(item: 1, image: ImageID(1), size: s.source.size, home: s.source)], count: 3,
      touch: s.touch, at: .zero, duration: .milliseconds(350))
    let surface = s.frame(700)[0]
    #expect(surface.layers.count == 1 && surface.badge.badge == .count(3))
    // One without any card is carried all the same, and ends.
    s.stage.lift(SessionID(2), cards: [], count: 1, touch: s.touch, at: .zero, duration: .zero)
    s.frame(720)
    s.stage.beginDrag(SessionID(2), touch: s.touch, at: Scene.ms(730))
    s.stage.move(SessionID(2), to: Point(x: 1, y: 1), at: Scene.ms(740))
    s.frame(750)
    s.stage.cancel(SessionID(2), at: Scene.ms(760))
    s.frame(3000)
    #expect(s.stage.takeFinished() == [SessionID(2)])
  }

  @Test("P19: a picture becomes another one, in size and look") func P19_aPictureBecomesAnotherOne() {
    var s = Scene()
    s.carry()
    s.stage.setPicture(
      s.a, CardSource(item: 0, image: ImageID(9), size: Size(width: 60, height: 200), home: nil), at: Scene.ms(1000))
    var seen: Set<[UInt32]> = []
    for ms in stride(from: 1000, through: 1120, by: 8) {
      let layers = s.frame(ms)[0].layers
      seen.insert(layers.map(\.image.raw))
      // Nothing that lies behind comes through on the way.
      #expect(layers.contains { $0.opacity == 1 })
    }
    #expect(seen == [[1, 9]])
    let half = s.frame(1125)[0].layers
    // Both are as wide as the card is by then.
    #expect(abs(half[0].size.width * half[0].scale - half[1].size.width * half[1].scale) < 1e-6)
    #expect(s.finish(from: 1125) > 0)
    #expect(s.list.surfaces[0].layers.map(\.image) == [ImageID(9)])
    #expect(s.stage.takeUnusedImages() == [ImageID(1)])
    // It flies home to where the first one was lifted.
    s.stage.cancel(s.a, at: Scene.ms(2000))
    s.frame(2240)
    let end = s.list.surfaces[0]
    #expect(screenCenter(end, end.layers[0]).distance(to: s.source.center) < 12)
  }

  @Test("P15: an item that is not seen any more fades where it is, and counts") func P15_anItemIsHidden() {
    var s = Scene()
    s.carry(3)
    s.stage.hide(s.a, item: 2, at: Scene.ms(1000))
    let fading = s.frame(1008)
    #expect(fading.count == 2 && fading[0].layers.map(\.image.raw) == [1, 2] && fading[1].layers[0].image.raw == 3)
    #expect(fading[0].badge.badge == .count(3))
    #expect(s.stage.hiddenItems(s.a) == [2] && s.stage.pictureSizes(s.a).map(\.item) == [0, 1])
    // Another picture brings it back at once, as the topmost one that it was.
    let back = CardSource(item: 2, image: ImageID(9), size: Size(width: 60, height: 60), home: nil)
    s.stage.setPicture(s.a, back, at: Scene.ms(1010))
    #expect(s.frame(1016)[0].layers.map(\.image.raw) == [1, 2, 9])
    s.stage.hide(s.a, item: 2, at: Scene.ms(1020))
    #expect(s.finish(from: 1020) > 0)
    #expect(s.frame(2000).count == 1)
    #expect(Set(s.stage.takeUnusedImages()) == [ImageID(3), ImageID(9)])
    for item in 0..<3 { s.stage.hide(s.a, item: item, at: Scene.ms(2000)) }
    s.frame(2100)
    // Nothing is seen of it, and it ends all the same.
    s.stage.cancel(s.a, at: Scene.ms(3000))
    s.frame(5000)
    #expect(s.stage.takeFinished() == [s.a])
  }

  @Test("P15: of many items that are hidden at once a few are seen to fade") func P15_manyAreHidden() {
    var s = Scene()
    s.carry(60)
    for round in 0..<10 {
      for item in 0..<60 { s.stage.hide(s.a, item: item, at: Scene.ms(1000 + round)) }
      for item in 0..<60 {
        s.stage.setPicture(
          s.a, CardSource(item: item, image: ImageID(9), size: Size(width: 8, height: 8), home: nil),
          at: Scene.ms(1000 + round))
      }
    }
    #expect((2...9).contains(s.frame(1010).count))
  }

  @Test("P15, DA6: an item that is hidden when it is dropped lands with the picture that the target gives it")
  func P15_DA6_aHiddenItemLands() {
    var s = Scene()
    s.carry(2)
    s.stage.hide(s.a, item: 0, at: Scene.ms(1000))
    s.frame(2000)
    let place = Point(x: 900, y: 700)
    let picture = CardSource(item: 0, image: ImageID(9), size: Size(width: 60, height: 60), home: nil)
    s.stage.drop(
      s.a, into: Rect(x: 300, y: 300, width: 200, height: 200), at: s.touch,
      landings: [0, 0, 7, -1].map {
        Landing(item: $0, way: .place(center: place, scale: 1, turn: 0), picture: picture)
      },
      at: Scene.ms(2000))
    // One of them, though it is named twice, and items are that there are not.
    #expect(s.stage.takeFlights().map(\.items).sorted { $0[0] < $1[0] } == [[0], [1]])
    var last: (surface: Surface, layer: Layer)?
    for t in stride(from: 2008, through: 4000, by: 16) {
      for surface in s.frame(t) {
        if let layer = surface.layers.first(where: { $0.image == ImageID(9) }) { last = (surface, layer) }
      }
    }
    #expect(
      last.map { screenCenter($0.surface, $0.layer).distance(to: place) < 12 && $0.surface.opacity > 0.8 } == true)
    #expect(s.stage.takeFinished() == [s.a])
  }

  @Test("P16: which items can be seen is known") func P16_whichItemsCanBeSeen() {
    var s = Scene()
    s.carry(10)
    #expect(s.stage.visibleItems(s.a) == [6, 7, 8, 9])
    s.stage.add(s.a, images: [ImageID(40)], source: s.source, at: Scene.ms(1000))
    #expect(s.stage.visibleItems(s.a) == [7, 8, 9, 10])
    #expect(s.stage.visibleItems(SessionID(7)).isEmpty)
  }

  @Test("K2, DA2, DA3, DA5, DA6, DA8, P6: each item lands as it is told, and the others go down into the target")
  func M9_K2_DA_eachItemLandsAsItIsTold() {
    var s = Scene()
    s.carry(4)
    let trash = Point(x: 900, y: 700)
    s.stage.drop(
      s.a, into: Rect(x: 300, y: 300, width: 200, height: 200), at: s.touch,
      landings: [
        Landing(item: 1, way: .fade),
        Landing(item: 2, way: .place(center: trash, scale: 0.1, turn: .pi / 2)),
        Landing(
          item: 3, way: .place(center: Point(x: 50, y: 60), scale: 1, turn: 0),
          picture: CardSource(item: 3, image: ImageID(9), size: Size(width: 30, height: 30), home: nil)),
      ], at: Scene.ms(1000))
    let flights = s.stage.takeFlights()
    #expect(flights.map(\.items) == [[0], [1], [2], [3]] && flights.allSatisfy { $0.kind == .drop })
    // The farther one takes longer.
    #expect(flights[2].duration > flights[3].duration && flights[2].start == Scene.ms(1000))
    let end = flights[2].duration.microseconds / 1000 + 1000 - 1
    s.frame(1010)
    let near = s.frame(Int(end))
    let landed = near.first { $0.layers[0].image == ImageID(3) }
    #expect(landed.map { screenCenter($0, $0.layers[0]).distance(to: trash) < 4 } == true)
    #expect(abs((landed?.layers[0].scale ?? 0) - 0.1) < 0.05)
    #expect(abs((landed?.layers[0].rotation ?? 0) - .pi / 2) < 0.05)
    // It stays to be seen until the real thing is there.
    #expect((landed?.opacity ?? 0) > 0.95)
    #expect(s.finish(from: Int(end)) > 0 && s.stage.takeFinished() == [s.a])
    #expect(s.stage.count == 0 && Set(s.stage.takeUnusedImages()).count == 5)
  }

  @Test("E3, E5: a cancelled item flies where it is told, or fades where it is") func E3_E5_aCancelledItem() {
    var s = Scene()
    s.carry(3)
    let place = Point(x: 700, y: 500)
    let held = screenCenter(s.list.surfaces[0], s.list.surfaces[0].layers[0])
    s.stage.cancel(
      s.a, landings: [Landing(item: 0, way: .fade), Landing(item: 1, way: .place(center: place, scale: 1, turn: 0))],
      at: Scene.ms(1000))
    #expect(s.stage.takeFlights().map(\.items) == [[0], [1], [2]])
    let now = s.frame(1240)
    func center(_ n: UInt32) -> Point? {
      now.first { $0.layers[0].image == ImageID(n) }.map { screenCenter($0, $0.layers[0]) }
    }
    #expect(center(1).map { $0.distance(to: held) < 20 } == true)
    #expect(center(2).map { $0.distance(to: place) < 120 } == true)
    #expect(center(3).map { $0.distance(to: s.source.center) < 20 } == true)
  }

  @Test("L12: a reversal says how long it takes, for what goes along") func L12_aReversalSaysHowLongItTakes() {
    var s = Scene()
    s.lift(2)
    s.frame(200)
    s.stage.reverseLift(s.a, at: Scene.ms(200))
    let flight = s.stage.takeFlights().first
    #expect(flight?.kind == .reverse && flight?.items == [0, 1] && flight?.start == Scene.ms(200))
    #expect(flight.map { $0.duration > .zero && $0.duration < Interval.milliseconds(220) } == true)
    #expect(s.stage.takeFlights().isEmpty)
  }

  @Test("Z18: with reduced motion everything is there at once") func Z18_withReducedMotion() {
    var settings = Settings()
    settings.animation.isReduced = true
    var s = Scene(settings)
    s.lift(2)
    #expect(s.frame(1)[0].layers.map { $0.shadow.opacity > 0.3 } == [false, true])
    s.stage.beginDrag(s.a, touch: s.touch, at: Scene.ms(10))
    s.stage.add(s.a, images: [ImageID(5)], source: Rect(x: 900, y: 0, width: 50, height: 50), at: Scene.ms(11))
    #expect(s.frame(12).count == 1 && s.list.surfaces[0].layers.count == 3)
    #expect(s.list.surfaces[0].badge.scale == 1)
    s.stage.cancel(s.a, at: Scene.ms(20))
    s.frame(21)
    #expect(s.stage.takeFinished() == [s.a])
    // And it can be switched off again.
    s.stage.setSettings(Settings())
    s.lift(1, at: 100)
    #expect(s.frame(101)[0].layers[0].shadow.opacity < 0.05)
  }

  @Test("Z12: a few words stand above the stack, and below it at the screen's edge") func Z12_aFewWords() {
    var s = Scene()
    s.carry()
    s.stage.setReason(s.a, "Read-only", at: Scene.ms(1000))
    let label = s.frame(1400).first { $0.badge.badge == .label("Read-only") }
    let card = s.list.surfaces[0]
    let top = screenCenter(card, card.layers[0]).y - card.layers[0].size.height / 2
    #expect(label.map { Double($0.y) + $0.badge.center.y < top && $0.badge.opacity == 1 } == true)
    #expect(s.finish(from: 1400) > 0)
    s.stage.move(s.a, to: Point(x: 300, y: 20), at: Scene.ms(2000))
    let moved = s.frame(2010)
    #expect(moved.last.map { $0.y > moved[0].y && $0.badge.badge == .label("Read-only") } == true)
    // Only the place has changed.
    #expect(moved.last?.content == label?.content)
    s.stage.setReason(s.a, nil, at: Scene.ms(2020))
    #expect(s.frame(2030).count == 1)
  }

  @Test("Z13: where items could go is framed until the stack leaves") func Z13_whereItemsCouldGo() {
    var s = Scene()
    s.carry()
    let place = Rect(x: 600, y: 100, width: 200, height: 90)
    s.stage.setHighlights(
      s.a, [CardSource(item: -1, image: ImageID(50), size: place.size, home: place, isShaped: true)], at: Scene.ms(1000)
    )
    #expect(s.finish(from: 1000) > 0)
    #expect(s.list.surfaces.count == 2 && s.list.surfaces[0].opacity == 1)
    #expect(close(screenCenter(s.list.surfaces[0], s.list.surfaces[0].layers[0]), place.center))
    s.stage.move(s.a, to: Point(x: 5, y: 5), at: Scene.ms(2000))
    let content = s.list.surfaces[0].content
    #expect(s.frame(2010)[0].content == content)
    s.stage.cancel(s.a, at: Scene.ms(2020))
    #expect(s.stage.takeUnusedImages() == [ImageID(50)])
    #expect(!s.frame(2030).contains { $0.layers.first?.image == ImageID(50) })
  }

  @Test("V4, V5, V7: several are carried small, whatever is wished, and what is small stays so")
  func V4_V5_V7_severalAreCarriedSmall() {
    var s = Scene()
    let big = Rect(x: 0, y: 0, width: 600, height: 300)
    func side(_ s: borrowing Scene) -> Double { s.list.surfaces[0].layers[0].scale * 600 }
    s.stage.lift(
      s.a, images: [ImageID(1)], source: big, touch: big.center, at: .zero, duration: .milliseconds(350))
    s.frame(400)
    s.stage.beginDrag(s.a, touch: big.center, at: Scene.ms(410), keepsFullSize: true)
    #expect(s.finish(from: 410) > 0 && side(s) > 600)
    s.stage.add(s.a, images: [ImageID(2)], source: big, at: Scene.ms(1000))
    #expect(s.finish(from: 1000) > 0 && abs(side(s) - 240) < 1)
    let b = SessionID(2)
    s.stage.remove(s.a)
    s.stage.lift(
      b, images: [ImageID(1), ImageID(2)], source: big, touch: big.center, at: Scene.ms(2000),
      duration: .milliseconds(350))
    s.frame(2400)
    s.stage.beginDrag(b, touch: big.center, at: Scene.ms(2410), keepsFullSize: true)
    #expect(s.finish(from: 2410) > 0 && abs(side(s) - 240) < 1)
  }

  @Test("L14: a picture that changes is drawn again") func L14_aPictureThatChangesIsDrawnAgain() {
    var s = Scene()
    s.carry()
    let content = s.list.surfaces[0].content
    #expect(s.stage.nextFrame == nil)
    s.stage.imageChanged(ImageID(77))
    #expect(s.stage.nextFrame == nil)
    s.stage.imageChanged(ImageID(1))
    #expect(s.stage.nextFrame != nil)
    #expect(s.frame(1100)[0].content > content)
    #expect(s.stage.nextFrame == nil)
  }

  @Test("Z13: frames of possible targets are beneath every stack, whosever they are")
  func framesAreBeneathEveryStack() {
    var s = Scene()
    s.carry()
    let b = SessionID(2)
    s.stage.lift(
      b, images: [ImageID(9)], source: s.source, touch: s.touch, at: Scene.ms(1000), duration: .milliseconds(300))
    let place = Rect(x: 0, y: 0, width: 400, height: 300)
    for session in [s.a, b] {
      s.stage.setHighlights(
        session, [CardSource(item: -1, image: ImageID(77), size: place.size, home: place, isShaped: true)],
        at: Scene.ms(1000))
    }
    let surfaces = s.frame(1200)
    let frames = surfaces.indices.filter { surfaces[$0].layers.contains { $0.image == ImageID(77) } }
    #expect(frames == [0, 1] && surfaces.count == 4)
  }
}
