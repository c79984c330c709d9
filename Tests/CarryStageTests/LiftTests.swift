import CarryModel
import CarryStage
import Testing

@Suite struct LiftTests {
  @Test("L1: the lift starts exactly on the source and rises") func L1_theLiftStartsExactlyOnTheSourceAndRises() throws
  {
    var s = Scene()
    s.lift()
    let flat = try #require(s.frame(0).first)
    let first = try #require(flat.layers.first)
    #expect(close(screenCenter(flat, first), s.source.center))
    #expect(first.scale == 1 && first.rotation == 0 && first.shadow.opacity == 0 && flat.opacity == 1)
    #expect(first.size == s.source.size)
    var last = 1.0
    for t in stride(from: 16, through: 336, by: 16) {
      let now = try #require(s.frame(t).first)
      #expect((now.x, now.y, now.width, now.height) == (flat.x, flat.y, flat.width, flat.height))
      #expect(now.layers[0].scale > last)
      last = now.layers[0].scale
    }
    let risen = try #require(s.frame(350).first)
    // Not translucent yet: what it rises off is there as well, a little smaller.
    #expect(risen.layers[0].scale == 1.06 && risen.opacity == 1)
    #expect(risen.layers[0].shadow.opacity > 0.2)
    #expect(s.stage.nextFrame == nil)
  }

  @Test("L1: the touched point stays under the finger") func L1_theTouchedPointStaysUnderTheFinger() throws {
    var s = Scene()
    s.lift()
    for t in [0, 100, 200, 350] {
      let now = try #require(s.frame(t).first)
      let c = screenCenter(now, now.layers[0])
      // The touched spot of the card, 30 px right and below of its corner, scaled about the centre.
      let spot = Point(
        x: c.x + (s.touch.x - s.source.center.x) * now.layers[0].scale,
        y: c.y + (s.touch.y - s.source.center.y) * now.layers[0].scale)
      #expect(close(spot, s.touch))
    }
  }

  @Test("L6, K1: the last item is topmost and lies straight") func L6_K1_theLastItemIsTopmostAndLiesStraight() throws {
    var s = Scene()
    s.lift(3)
    let risen = try #require(s.frame(400).first)
    #expect(risen.layers.map(\.image.raw) == [1, 2, 3])
    #expect(risen.layers[2].rotation == 0)
    #expect(risen.layers[0].rotation != 0 && risen.layers[1].rotation != 0)
    #expect(risen.layers[0].center != risen.layers[1].center)
  }

  @Test("L6: only the topmost cards are drawn") func L6_onlyTheTopmostCardsAreDrawn() {
    var s = Scene()
    s.lift(64)
    #expect(s.frame(400)[0].layers.map(\.image.raw) == [61, 62, 63, 64])
  }

  @Test("L7: several items are counted from the lift on") func L7_severalItemsAreCountedFromTheLiftOn() {
    var s = Scene()
    s.lift(3)
    #expect(s.frame(0)[0].badge.badge == .count(3))
    #expect(s.frame(300)[0].badge.scale == 1)
    var single = Scene()
    single.lift(1)
    #expect(single.frame(300)[0].badge.badge == .none)
  }

  @Test("L12: a reversed lift runs from where it is back to the source", arguments: [1, 40, 120, 175, 260, 349])
  func L12_aReversedLiftRunsFromWhereItIsBackToTheSource(_ t: Int) throws {
    var s = Scene()
    s.lift(2)
    let before = try #require(s.frame(t).first)
    s.stage.reverseLift(s.a, at: Scene.ms(t))
    let after = try #require(s.frame(t).first)
    #expect(after.layers[1].scale == before.layers[1].scale)
    #expect(close(screenCenter(after, after.layers[1]), screenCenter(before, before.layers[1])))
    var scale = after.layers[1].scale
    var now = t
    var lowest = 2.0
    while s.stage.nextFrame != nil {
      now += 4
      guard let surface = s.frame(now).first else { break }
      #expect(surface.layers[1].scale <= scale)
      scale = surface.layers[1].scale
      lowest = close(screenCenter(surface, surface.layers[1]), s.source.center, within: 1.5) ? scale : lowest
    }
    #expect(lowest < 1.006)
    #expect(s.list.surfaces.isEmpty)
    #expect(s.stage.takeFinished() == [s.a])
    #expect(s.stage.takeUnusedImages() == [ImageID(1), ImageID(2)])
    #expect(s.stage.takeFinished().isEmpty)
  }

  @Test("L17: a release after the full lift sinks back") func L17_aReleaseAfterTheFullLiftSinksBack() {
    var s = Scene()
    s.lift()
    s.frame(400)
    #expect(s.stage.nextFrame == nil)
    s.stage.reverseLift(s.a, at: Scene.ms(2000))
    #expect(s.stage.nextFrame != nil)
    #expect(s.finish(from: 2000) <= 2000 + 260)
    #expect(s.stage.takeFinished() == [s.a])
  }
}
