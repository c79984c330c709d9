import CarryGestures
import CarryModel
import Testing

/// One engine and a finger script: times in milliseconds, positions in pixels.
struct Script: ~Copyable {
  var engine = GestureEngine(settings: Settings())
  var events: [GestureEvent] = []

  static func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  mutating func down(_ id: UInt32, _ x: Double, _ y: Double, ms: Int, scale: Double = 1) {
    engine.advance(to: Self.at(ms), into: &events)
    engine.began(ContactID(id), at: Point(x: x, y: y), scale: scale, time: Self.at(ms), into: &events)
  }

  mutating func move(_ id: UInt32, _ x: Double, _ y: Double, ms: Int) {
    engine.advance(to: Self.at(ms), into: &events)
    engine.moved(ContactID(id), to: Point(x: x, y: y), time: Self.at(ms), into: &events)
  }

  mutating func up(_ id: UInt32, _ x: Double, _ y: Double, ms: Int) {
    engine.advance(to: Self.at(ms), into: &events)
    engine.ended(ContactID(id), at: Point(x: x, y: y), time: Self.at(ms), into: &events)
  }

  mutating func cancel(_ id: UInt32, ms: Int) {
    engine.advance(to: Self.at(ms), into: &events)
    engine.cancelled(ContactID(id), time: Self.at(ms), into: &events)
  }

  mutating func wait(ms: Int) { engine.advance(to: Self.at(ms), into: &events) }

  func kinds(of id: UInt32) -> [GestureEvent.Kind] { events.filter { $0.contact == ContactID(id) }.map(\.kind) }
}

@Suite struct ContactGestureTests {
  @Test(
    "B1, Z6: what a trackpad lifts at the pointer drags after four pixels, a finger after ten",
    arguments: [false, true])
  func B1_Z6_movementThatStartsTheDrag(isPointer: Bool) {
    var s = Script()
    s.engine.began(
      ContactID(1), at: Point(x: 100, y: 100), scale: 2, tool: isPointer ? .trackpad : .finger, time: Script.at(0),
      into: &s.events)
    s.move(1, 100, 108, ms: 700)
    #expect(s.kinds(of: ContactID(1).raw).last == .lifted)
    s.move(1, 100, 109, ms: 710)
    #expect(s.kinds(of: ContactID(1).raw).contains(.dragBegan) == isPointer)
    s.move(1, 100, 121, ms: 720)
    #expect(s.kinds(of: ContactID(1).raw).contains(.dragBegan))
  }

  @Test("L1, L2: long press then move drags") func L1_L2_longPressThenMoveDrags() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 149)
    #expect(s.kinds(of: 1) == [.pressed])
    s.wait(ms: 150)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan])
    s.wait(ms: 500)
    s.move(1, 105, 100, ms: 510)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted])
    s.move(1, 111, 100, ms: 520)
    s.move(1, 200, 100, ms: 530)
    s.up(1, 200, 100, ms: 540)
    s.wait(ms: 700)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted, .dragBegan, .dragMoved, .dragEnded])
    #expect(s.engine.fingerCount == 0)
    #expect(s.engine.nextDeadline == nil)
  }

  @Test func newConstantsAreForFingersThatComeDownLater() {
    var s = Script()
    var quick = Settings()
    quick.lift.begins = .milliseconds(10)
    quick.lift.completes = .milliseconds(20)
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 5)
    s.engine.apply(quick)
    s.down(2, 300, 300, ms: 100)
    s.wait(ms: 130)
    #expect(s.kinds(of: 1) == [.pressed])
    #expect(s.kinds(of: 2) == [.pressed, .liftBegan, .lifted])
    s.wait(ms: 500)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted])
  }

  @Test("L12: release part way reverses the lift") func L12_releasePartWayReversesTheLift() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.up(1, 100, 100, ms: 300)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .liftReversed])
  }

  @Test("L17: release after full lift without moving reverses") func L17_releaseAfterFullLiftWithoutMovingReverses() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.up(1, 102, 100, ms: 600)
    s.wait(ms: 660)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted, .liftReversed])
  }

  @Test func movementBeforeTheLiftFailsThePress() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.move(1, 115, 100, ms: 50)
    s.wait(ms: 1000)
    s.up(1, 115, 100, ms: 1100)
    #expect(s.kinds(of: 1) == [.pressed, .pressFailed])
  }

  @Test func movementDuringTheLiftReversesIt() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.move(1, 115, 100, ms: 300)
    s.wait(ms: 1000)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .liftReversed])
  }

  @Test("A1: short touch is a tap") func A1_shortTouchIsATap() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.up(1, 104, 100, ms: 120)
    #expect(s.kinds(of: 1) == [.pressed, .tapped])
    s.down(2, 100, 100, ms: 1000)
    s.up(2, 100, 100, ms: 1250)
    #expect(s.kinds(of: 2) == [.pressed, .liftBegan, .tapped, .liftReversed])
    s.down(3, 100, 100, ms: 2000)
    s.up(3, 100, 100, ms: 2251)
    #expect(s.kinds(of: 3) == [.pressed, .liftBegan, .liftReversed])
  }

  @Test func thresholdsScaleWithTheOutput() {
    var s = Script()
    s.down(1, 100, 100, ms: 0, scale: 2)
    s.move(1, 115, 100, ms: 50)
    s.wait(ms: 150)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan])
  }

  @Test("G7: each finger on its own") func G7_eachFingerOnItsOwn() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.down(2, 300, 100, ms: 20)
    s.wait(ms: 600)
    s.move(2, 350, 100, ms: 610)
    s.move(1, 150, 100, ms: 620)
    s.up(2, 350, 100, ms: 630)
    s.move(1, 160, 100, ms: 800)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted, .dragBegan, .dragMoved])
    #expect(s.kinds(of: 2) == [.pressed, .liftBegan, .lifted, .dragBegan, .dragEnded])
  }

  @Test func aCarryingContactThatFlickersGoesOn() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 500)
    s.move(1, 150, 100, ms: 510)
    s.up(1, 150, 100, ms: 600)
    s.down(9, 152, 101, ms: 640)
    s.move(9, 200, 100, ms: 650)
    s.up(9, 200, 100, ms: 700)
    s.wait(ms: 1000)
    #expect(s.kinds(of: 1).suffix(4) == [.dragBegan, .dragMoved, .dragMoved, .dragEnded])
    #expect(s.kinds(of: 9).isEmpty)
  }

  @Test func aContactFarAwayOrLateIsAnotherFinger() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 500)
    s.move(1, 150, 100, ms: 510)
    s.up(1, 150, 100, ms: 600)
    s.down(2, 300, 100, ms: 620)
    s.down(3, 150, 100, ms: 661)
    #expect(s.kinds(of: 1).last == .dragEnded)
    #expect(s.kinds(of: 2) == [.pressed])
    #expect(s.kinds(of: 3) == [.pressed])
  }

  @Test func aPalmCancelsWhateverItWasDoing() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.cancel(1, ms: 10)
    s.down(2, 100, 100, ms: 100)
    s.cancel(2, ms: 300)
    s.down(3, 100, 100, ms: 1000)
    s.wait(ms: 1500)
    s.move(3, 200, 100, ms: 1510)
    s.cancel(3, ms: 1520)
    #expect(s.kinds(of: 1) == [.pressed, .pressFailed])
    #expect(s.kinds(of: 2) == [.pressed, .liftBegan, .liftReversed])
    #expect(s.kinds(of: 3).last == .dragCancelled)
    #expect(s.engine.fingerCount == 0)
  }

  @Test("a device that goes lets go of its fingers first: one that carried has not dropped")
  func aDeviceThatGoesLetsGoOfItsFingersFirst() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 500)
    s.move(1, 200, 100, ms: 600)
    s.up(1, 200, 100, ms: 700)
    s.cancel(1, ms: 710)
    s.wait(ms: 1000)
    #expect(s.kinds(of: 1).last == .dragCancelled && !s.kinds(of: 1).contains(.dragEnded))
    #expect(s.engine.fingerCount == 0)
  }

  @Test("L4: an ignored finger says nothing more") func L4_anIgnoredFingerSaysNothingMore() {
    var s = Script()
    s.down(1, 100, 100, ms: 0)
    s.wait(ms: 200)
    s.engine.ignore(ContactID(1))
    s.wait(ms: 900)
    s.move(1, 300, 300, ms: 910)
    s.up(1, 300, 300, ms: 920)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan])
    #expect(s.engine.fingerCount == 0)
  }
}

@Suite struct SpringDwellTests {
  let settings = Settings().spring
  func at(_ ms: Int) -> Instant { Script.at(ms) }

  @Test("possible activating activated") func possibleActivatingActivated() {
    var d = SpringDwell(at: .zero, slop: 10, time: at(0))
    #expect(d.state == .possible)
    #expect(d.advance(to: at(499), settings) == nil)
    #expect(d.advance(to: at(500), settings) == .activating)
    #expect(d.advance(to: at(799), settings) == nil)
    #expect(d.advance(to: at(800), settings) == .activated)
    #expect(d.deadline(settings) == nil)
  }

  @Test("moving starts the wait again until it flashes") func movingStartsTheWaitAgainUntilItFlashes() {
    var d = SpringDwell(at: .zero, slop: 10, time: at(0))
    d.moved(to: Point(x: 5, y: 0), time: at(300))
    #expect(d.deadline(settings) == at(500))
    d.moved(to: Point(x: 11, y: 0), time: at(400))
    #expect(d.deadline(settings) == at(900))
    #expect(d.advance(to: at(900), settings) == .activating)
    d.moved(to: Point(x: 60, y: 0), time: at(950))
    #expect(d.deadline(settings) == at(1200))
  }
}
