import CarryModel
import CarryStage
import Testing

@Suite struct DragTests {
  @Test("a move changes the position and nothing else") func aMoveChangesThePositionAndNothingElse() {
    var s = Scene()
    s.carry(3)
    let rest = s.list.surfaces[0]
    for k in 1...50 {
      s.stage.move(s.a, to: Point(x: 130 + Double(k) * 7.3, y: 230 - Double(k) * 1.7), at: Scene.ms(1000 + k * 8))
      #expect(s.stage.nextFrame != nil)
      let now = s.frame(1000 + k * 8)[0]
      var same = now
      (same.x, same.y) = (rest.x, rest.y)
      #expect(same == rest)
      #expect(abs(Double(now.x - rest.x) - Double(k) * 7.3) <= 0.5)
      #expect(abs(Double(now.y - rest.y) + Double(k) * 1.7) <= 0.5)
      #expect(s.stage.nextFrame == nil)
    }
  }

  @Test("B1: the stack catches up with the slop without a jump") func B1_theStackCatchesUpWithTheSlopWithoutAJump() {
    var s = Scene()
    s.lift()
    let x = s.frame(400)[0].x
    s.stage.beginDrag(s.a, touch: Point(x: s.touch.x + 40, y: s.touch.y), at: Scene.ms(410))
    #expect(abs(s.frame(410)[0].x - x) <= 1)
    #expect(s.frame(440)[0].x > x + 5)
    #expect(s.frame(600)[0].x - x == 40)
    // It becomes translucent meanwhile.
    #expect(s.frame(640)[0].opacity == 0.85)
    #expect(s.stage.nextFrame == nil)
  }

  @Test("moves before the drag are ignored") func movesBeforeTheDragAreIgnored() {
    var s = Scene()
    s.lift()
    let x = s.frame(400)[0].x
    s.stage.move(s.a, to: Point(x: 900, y: 900), at: Scene.ms(410))
    #expect(s.stage.nextFrame == nil && s.frame(420)[0].x == x)
  }

  @Test("the carried stack is translucent and frames are due on the refresh interval")
  func theCarriedStackIsTranslucentAndFramesAreDueOnTheRefreshInterval() {
    var s = Scene()
    s.stage.pace = FramePace(interval: .milliseconds(8))
    s.carry()
    #expect(s.list.surfaces[0].opacity == 0.85)
    s.stage.move(s.a, to: Point(x: 10, y: 10), at: Scene.ms(1001))
    #expect(s.stage.nextFrame == Scene.ms(1008))
  }

  @Test("what changes when a frame is to be waited for is drawn with the next one") func aFrameIsWaitedFor() {
    var s = Scene()
    s.stage.deferOneFrame(at: .zero)
    #expect(s.stage.nextFrame == nil)
    s.stage.pace = FramePace(interval: .milliseconds(8))
    s.carry()
    s.stage.deferOneFrame(at: Scene.ms(5000))
    #expect(s.stage.nextFrame == nil)
    s.stage.move(s.a, to: Point(x: 10, y: 10), at: Scene.ms(5001))
    #expect(s.stage.nextFrame == Scene.ms(5008))
    // Not for ever, if it is asked for again and again.
    s.stage.deferOneFrame(at: Scene.ms(5007))
    s.stage.deferOneFrame(at: Scene.ms(5008))
    #expect(s.stage.nextFrame == Scene.ms(5008))
    _ = s.frame(5008)
    s.stage.deferOneFrame(at: Scene.ms(6000))
    #expect(s.stage.nextFrame == nil)
    s.stage.deferOneFrame(at: Scene.ms(7000))
    s.stage.move(s.a, to: Point(x: 20, y: 10), at: Scene.ms(7001))
    #expect(s.stage.nextFrame == Scene.ms(7008))
  }

  @Test("V1, V2: large cards shrink unless they are to stay whole")
  func V1_V2_largeCardsShrinkUnlessTheyAreToStayWhole() {
    for keeps in [false, true] {
      var s = Scene()
      let big = Rect(x: 0, y: 0, width: 600, height: 300)
      s.stage.lift(
        s.a, images: [ImageID(1)], source: big, touch: Point(x: 500, y: 100), at: .zero, duration: .milliseconds(350))
      s.frame(400)
      s.stage.beginDrag(s.a, touch: Point(x: 500, y: 100), at: Scene.ms(400), keepsFullSize: keeps)
      s.frame(420)
      let surface = s.frame(900)[0]
      #expect(abs(surface.layers[0].scale * 600 - (keeps ? 636 : 240)) < 0.01)
      if !keeps { #expect(surface.width < 400) }
      // The touched spot of the card is still under the finger.
      let c = screenCenter(surface, surface.layers[0])
      #expect(abs(c.x + (500 - 300) * surface.layers[0].scale - 500) < 1)
      s.stage.scaleDown(s.a, at: Scene.ms(1000))
      #expect(s.finish(from: 1000) > 0)
      #expect(abs(s.list.surfaces[0].layers[0].scale * 600 - 240) < 0.01)
    }
  }

  @Test("K7: a handed over stack stays where it is and follows the other finger")
  func K7_aHandedOverStackStaysWhereItIsAndFollowsTheOtherFinger() {
    var s = Scene()
    s.carry()
    let before = s.list.surfaces[0]
    s.stage.handOff(s.a, to: Point(x: 171.4, y: 260.2), at: Scene.ms(1010))
    #expect(s.frame(1016)[0] == before)
    s.stage.move(s.a, to: Point(x: 271.4, y: 261.2), at: Scene.ms(1020))
    #expect(s.frame(1032)[0].x - before.x == 100 && s.list.surfaces[0].y - before.y == 1)
  }

  @Test("A11: added items fly from their source into the stack and the count grows")
  func A11_addedItemsFlyFromTheirSourceIntoTheStackAndTheCountGrows() throws {
    var s = Scene()
    s.carry()
    let from = Rect(x: 600, y: 500, width: 100, height: 100)
    s.stage.add(s.a, images: [ImageID(7), ImageID(8)], source: from, at: Scene.ms(1000))
    var now = s.frame(1000)
    #expect(now.count == 2 && now[0].badge.badge == .count(3))
    #expect(close(screenCenter(now[1], now[1].layers[0]), from.center, within: 0.01))
    #expect(now[1].layers.map(\.image.raw) == [7, 8])
    // The finger goes on meanwhile: the cards land where it is then.
    s.stage.move(s.a, to: Point(x: 330, y: 240), at: Scene.ms(1100))
    now = s.frame(1379)
    let flown = screenCenter(now[1], now[1].layers[1])
    now = s.frame(1380)
    #expect(now.count == 1)
    #expect(now[0].layers.map(\.image.raw) == [1, 7, 8])
    #expect(close(flown, screenCenter(now[0], now[0].layers[2]), within: 1.5))
    #expect(s.stage.nextFrame == nil)
  }

  @Test("O3: the badge says copy with the number and pops") func O3_theBadgeSaysCopyWithTheNumberAndPops() {
    var s = Scene()
    s.carry(3)
    let content = s.list.surfaces[0].content
    s.stage.setBadge(s.a, .copy(3), at: Scene.ms(1000))
    let popping = s.frame(1016)[0]
    #expect(popping.badge.badge == .copy(3) && popping.badge.scale > 1 && popping.content != content)
    #expect(s.finish(from: 1016) > 0)
    #expect(s.list.surfaces[0].badge.scale == 1)
    s.stage.setBadge(s.a, .copy(3), at: Scene.ms(2000))
    #expect(s.stage.nextFrame == nil)
    s.stage.add(s.a, images: [ImageID(5)], source: s.source, at: Scene.ms(2000))
    #expect(s.frame(2016)[0].badge.badge == .copy(4))
  }

  @Test("O6, O1: a forbidden badge comes and goes") func O6_O1_aForbiddenBadgeComesAndGoes() {
    var s = Scene()
    s.carry()
    s.stage.setBadge(s.a, .forbidden, at: Scene.ms(1000))
    #expect(s.frame(1100)[0].badge.badge == .forbidden)
    s.stage.setBadge(s.a, .none, at: Scene.ms(1300))
    let going = s.frame(1350)[0].badge
    #expect(going.badge == .forbidden && going.opacity < 1)
    #expect(s.finish(from: 1350) > 0)
    #expect(s.list.surfaces[0].badge.badge == .none)
  }
}
