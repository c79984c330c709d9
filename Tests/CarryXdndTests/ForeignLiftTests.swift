import CarryModel
import CarryXdnd
import Testing

/// A lift out of another application, played by hand.
private struct Trial {
  private(set) var lift: ForeignLift
  var now = Instant(microseconds: 1_000_000)
  private var effects: [ForeignLift.Effect] = []

  init(at finger: Point = Point(x: 94, y: 50), towards middle: Point = Point(x: 100, y: 350)) {
    lift = ForeignLift(at: finger, towards: middle, at: now, into: &effects)
  }

  /// What was to be done since the last call, but motions.
  mutating func take() -> [ForeignLift.Effect] {
    defer { effects = [] }
    return effects.filter { if case .point = $0 { false } else { true } }
  }

  mutating func points() -> [Point] {
    defer { effects = [] }
    return effects.compactMap { if case .point(let point) = $0 { point } else { nil } }
  }

  mutating func own() { lift.owned(at: now, into: &effects) }
  mutating func position(_ types: Int = 2) { lift.position(types: types, at: now, into: &effects) }
  /// A picture of this side; nil for none.
  mutating func see(_ side: Int?, print: UInt64 = 1) {
    lift.seen(side.map { .init(width: $0, height: $0, print: print) }, at: now, into: &effects)
  }
  /// The application asks, and shows nothing.
  mutating func release() {
    position()
    see(nil)
    pass(40)
    see(nil)
  }
  mutating func drop() { lift.dropped(at: now, into: &effects) }
  mutating func fetched() { lift.fetched(into: &effects) }
  mutating func abandon() { lift.abandon(into: &effects) }

  mutating func pass(_ milliseconds: Int) {
    for _ in 0..<milliseconds {
      now = now + .milliseconds(1)
      lift.advance(to: now, into: &effects)
    }
  }
}

@Suite struct ForeignLiftTests {
  @Test("Z23: the application's own drag is taken over, and its data is fetched") func Z23_aLift() {
    var t = Trial()
    #expect(t.take() == [.press(Point(x: 100, y: 50))])
    t.pass(40)
    t.own()
    #expect(t.take() == [.takeTouch, .open] && t.lift.hasBegun)
    t.pass(60)
    t.position()
    #expect(t.take() == [.accept, .look])
    t.see(64)
    t.pass(32)
    #expect(t.take() == [.look])
    t.see(64)
    #expect(t.take() == [.takePicture, .release])
    // It may ask again before it has heard of the button.
    t.position()
    #expect(t.take() == [.accept])
    t.drop()
    #expect(t.take() == [.close, .fetch(0)])
    t.fetched()
    #expect(t.take() == [.fetch(1)])
    t.fetched()
    #expect(t.take() == [.finish(taken: true), .end(lifted: true)] && t.lift.isOver && t.lift.nextDeadline == nil)
  }

  @Test("Z23: the pointer goes towards the middle of the window, and trembles then") func Z23_motion() {
    var t = Trial()
    t.pass(150)
    let points = t.points()
    #expect(points.first == Point(x: 100, y: 53) && points[7] == Point(x: 100, y: 74))
    #expect(Set(points[8...].map { $0.y.rounded() }) == [73, 74])
    // Near the middle there is no way towards it.
    var near = Trial(at: Point(x: 94, y: 50), towards: Point(x: 101, y: 50))
    near.pass(8)
    #expect(near.points() == [Point(x: 103, y: 50)])
  }

  @Test("Z23: on a busy machine the pointer moves all the way, and the application has time after that")
  func Z23_late() {
    var t = Trial()
    _ = t.take()
    t.now = t.now + .milliseconds(180)
    t.pass(1)
    #expect(t.points().prefix(8).last == Point(x: 100, y: 74) && !t.lift.isOver)
    t.pass(98)
    #expect(!t.lift.isOver)
    t.pass(20)
    #expect(t.lift.isOver)
    // But not for ever.
    var stuck = Trial()
    stuck.now = stuck.now + .milliseconds(400)
    stuck.pass(1)
    #expect(stuck.lift.isOver)
  }

  @Test("Z23: the press is so far beside the finger that the touch after it is no double click") func Z23_beside() {
    var right = Trial(at: Point(x: 100, y: 50), towards: Point(x: 300, y: 300))
    #expect(right.take() == [.press(Point(x: 106, y: 50))])
    var left = Trial(at: Point(x: 500, y: 50), towards: Point(x: 300, y: 300))
    #expect(left.take() == [.press(Point(x: 494, y: 50))])
  }

  @Test("Z23: where no drag begins within 150 ms, the button is let go of") func Z23_noDrag() {
    var t = Trial()
    t.pass(149)
    _ = t.take()
    t.pass(1)
    #expect(t.take() == [.letGo, .end(lifted: false)])
    // Late, it is not ours.
    t.own()
    t.position()
    t.drop()
    t.fetched()
    t.abandon()
    t.pass(3000)
    #expect(t.take().isEmpty && t.lift.isOver)
  }

  @Test("Z23: a drag that goes no further ends, and nothing stays pressed", arguments: 0..<4)
  func Z23_stuck(step: Int) {
    var t = Trial()
    t.own()
    if step == 3 { t.position(0) } else if step > 0 { t.release() }
    if step == 2 { t.drop() }
    _ = t.take()
    t.pass(step == 3 ? 0 : 1000)
    switch step {
    case 0: #expect(t.take() == [.release, .close, .end(lifted: false)])
    case 1: #expect(t.take() == [.close, .end(lifted: false)])
    // What has come by then is lifted.
    case 2: #expect(t.take() == [.finish(taken: true), .end(lifted: true)])
    // Nothing that anybody could take.
    default: #expect(t.lift.isOver)
    }
    #expect(t.lift.isOver)
  }

  @Test("Z23: a finger that goes up early leaves nothing pressed", arguments: 0..<5) func Z23_abandoned(step: Int) {
    var t = Trial()
    if step > 0 { t.own() }
    if step == 2 { t.position() } else if step > 2 { t.release() }
    if step > 3 { t.drop() }
    _ = t.take()
    t.abandon()
    let expected: [[ForeignLift.Effect]] = [
      [.letGo], [.release, .close], [.release, .close], [.close, .finish(taken: false)], [.finish(taken: false)],
    ]
    #expect(t.take() == expected[step] + [.end(lifted: false)])
  }

  @Test("Z23: a picture is taken once it is as large as it gets, and drawn") func Z23_thePictureGrows() {
    var t = Trial()
    t.own()
    t.position()
    // GTK shows a small one at first, and its window has its size before the picture has.
    for (side, print) in [(nil, 0), (24, 1), (24, 1), (24, 1), (64, 2), (64, 3), (64, 3), (64, 3), (64, 3)] {
      t.see(side, print: UInt64(print))
      t.pass(8)
    }
    #expect(!t.take().contains(.release))
    t.see(64, print: 3)
    #expect(t.take() == [.takePicture, .release])
  }

  @Test("Z23: an icon is shown on a card, and a card or a text that the source has drawn is shown itself")
  func Z23_icons() {
    func sight(_ width: Int, _ height: Int, scale: Double = 1) -> ForeignLift.Sight {
      .init(width: width, height: height, scale: scale, print: 1)
    }
    #expect(sight(96, 96, scale: 2).isIcon && !sight(144, 96, scale: 2).isIcon)
    #expect(sight(24, 24).isIcon && sight(24, 24).isSmall)
    #expect(sight(48, 48).isIcon && !sight(48, 48).isSmall)
    #expect(sight(64, 71).isIcon && !sight(72, 48).isIcon && !sight(200, 20).isIcon)
  }

  @Test(
    "Z23: the application is not kept waiting for a picture that it has not, or only a small one of, or that never rests"
  )
  func Z23_picturesThatDoNotCome() {
    func wait(_ picture: (Int) -> (side: Int?, print: Int)) -> Int? {
      var t = Trial()
      t.own()
      t.position()
      for ms in 0...500 {
        let (side, print) = picture(ms)
        if t.take().contains(.look) { t.see(side, print: UInt64(print)) }
        if t.take().contains(.release) { return ms }
        t.pass(1)
      }
      return nil
    }
    #expect(wait { _ in (nil, 0) } == 40)
    #expect(wait { _ in (24, 1) } == 104)
    #expect(wait { ms in (64, ms) } == 104)
    #expect(wait { _ in (64, 1) } == 32)
    // One that comes late has time to grow.
    #expect(wait { ms in (ms < 35 ? nil : 64, 1) } == 72)
  }

  @Test("Z23: lists of files come first, then text, and what may be large last; and nothing private") func Z23_types() {
    let types = ForeignTypes([
      "DELETE", "TARGETS", "image/png", "application/x-fmlist-ptr", "GTK_TEXT_BUFFER_CONTENTS", "text/html",
      "application/x-qabstractitemmodeldatalist", "chromium/x-renderer-taint", "UTF8_STRING", "text/plain",
      "text/uri-list", "application/octet-stream",
    ])
    #expect(types.forLift.map { $0.sources[0].name } == ["text/uri-list", "UTF8_STRING", "text/html", "image/png"])
    let many = ForeignTypes((0..<30).map { "image/x-\($0)" })
    #expect(many.forLift.count == 12)
  }
}
