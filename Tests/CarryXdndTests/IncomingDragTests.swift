import CarryModel
import CarryXdnd
import Testing

/// A drag of another program over one window of Carry's, played by hand.
private struct Talk {
  var drag = IncomingDrag()
  var now = Instant(microseconds: 1_000_000)
  private var effects: [IncomingDrag.Effect] = []
  /// Whether the time to find out what is dragged was up.
  private(set) var isLearningUp = false

  /// What was to be done since the last call.
  mutating func take() -> [IncomingDrag.Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func move(_ x: Double = 10) { drag.position(Point(x: x, y: 5), at: now, into: &effects) }
  mutating func learn(_ hasItems: Bool = true) { drag.learned(hasItems: hasItems, at: now, into: &effects) }
  mutating func leave() { drag.left(into: &effects) }
  mutating func drop() { drag.dropped(into: &effects) }
  mutating func vanish() { drag.sourceGone(into: &effects) }
  mutating func propose(_ accepts: Bool) { drag.proposed(accepts: accepts, into: &effects) }
  mutating func end(_ taken: Bool) { drag.ended(taken: taken, into: &effects) }
  mutating func pass(_ milliseconds: Int) {
    now = now + .milliseconds(milliseconds)
    if drag.advance(to: now, into: &effects) {
      isLearningUp = true
      learn()
    }
  }
}

private func point(_ x: Double = 10) -> Point { Point(x: x, y: 5) }

@Suite struct IncomingDragTests {
  @Test("Z1: a drag comes in, is answered at each position, and is dropped") func Z1_aDrop() {
    var t = Talk()
    t.move()
    #expect(t.take() == [.learn])
    t.move(11)
    #expect(t.take() == [])
    t.learn()
    #expect(t.take() == [.begin(point(11))])
    t.propose(true)
    #expect(t.take() == [.status(accepts: true)])
    t.move(12)
    #expect(t.take() == [.move(point(12)), .status(accepts: true)])
    // The engine changes its mind while the mouse rests.
    t.propose(false)
    #expect(t.take() == [.status(accepts: false)])
    t.propose(true)
    t.drop()
    #expect(t.take() == [.status(accepts: true), .drop(point(12))] && t.drag.isDropped)
    t.leave()
    t.move()
    t.propose(false)
    #expect(t.take() == [])
    t.end(true)
    #expect(t.take() == [.finished(taken: true), .over] && t.drag.isOver && t.drag.nextDeadline == nil)
  }

  @Test("Z1: the first status waits a moment for the engine, and no longer") func Z1_firstStatus() {
    var t = Talk()
    t.move()
    t.learn()
    _ = t.take()
    t.pass(99)
    #expect(t.take() == [])
    t.pass(1)
    #expect(t.take() == [.status(accepts: false)] && t.drag.nextDeadline == nil)
    t.propose(true)
    #expect(t.take() == [.status(accepts: true)])
  }

  @Test("Z1: what is dragged is found out within a second, or described without") func Z1_learning() {
    var t = Talk()
    t.move()
    t.pass(999)
    #expect(!t.isLearningUp)
    t.pass(1)
    #expect(t.isLearningUp && t.take() == [.learn, .begin(point())])
    // The answer comes too late.
    t.learn(false)
    #expect(t.take() == [])
  }

  @Test("Z1: a drop that nobody said yes to is none", arguments: ["entered", "learning", "unanswered", "refused"])
  func Z1_notAccepted(when: String) {
    var t = Talk()
    if when != "entered" { t.move() }
    if when == "unanswered" || when == "refused" { t.learn() }
    if when == "refused" { t.pass(100) }
    _ = t.take()
    t.drop()
    let effects = t.take()
    #expect(effects.suffix(2) == [.finished(taken: false), .over])
    #expect(effects.contains(.cancel) == (when == "unanswered" || when == "refused"))
  }

  @Test("without anything in it, a drag is refused and begins nothing") func nothingInIt() {
    var t = Talk()
    t.move()
    t.learn(false)
    t.move()
    #expect(t.take() == [.learn, .status(accepts: false), .status(accepts: false)])
    t.leave()
    #expect(t.take() == [.over])
  }

  @Test("Z1: an end by the engine makes every further position a refusal") func Z1_endedByTheEngine() {
    var t = Talk()
    t.move()
    t.learn()
    t.propose(true)
    t.end(false)
    t.move()
    #expect(t.take().suffix(2) == [.status(accepts: false), .status(accepts: false)])
    t.drop()
    #expect(t.take() == [.finished(taken: false), .over])
  }

  @Test("a source that goes ends its drag in every phase") func sourceGone() {
    var t = Talk()
    t.vanish()
    #expect(t.take() == [.over])
    t = Talk()
    t.move()
    t.vanish()
    #expect(t.take() == [.learn, .over])
    t = Talk()
    t.move()
    t.learn()
    t.vanish()
    #expect(t.take() == [.learn, .begin(point()), .cancel, .over])
    t = Talk()
    t.move()
    t.learn()
    t.propose(true)
    t.drop()
    _ = t.take()
    t.vanish()
    #expect(t.take() == [.over])
    t.end(true)
    #expect(t.take() == [])
  }

  @Test("whatever comes, in whatever order, a session begins once, ends once, and one end is told")
  func random() {
    var random = Seeded(state: 17)
    for _ in 0..<3000 {
      var t = Talk()
      var (begins, ends, drops, finishes, overs, learns) = (0, 0, 0, 0, 0, 0)
      for _ in 0..<30 {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: t.move(Double.random(in: 0..<100, using: &random))
        case 2: t.learn(Bool.random(using: &random))
        case 3: if Int.random(in: 0..<4, using: &random) == 0 { t.leave() }
        case 4: if Int.random(in: 0..<3, using: &random) == 0 { t.drop() }
        case 5: if Int.random(in: 0..<8, using: &random) == 0 { t.vanish() }
        case 6: t.propose(Bool.random(using: &random))
        case 7: if Int.random(in: 0..<3, using: &random) == 0 { t.end(Bool.random(using: &random)) }
        default: t.pass(Int.random(in: 0..<200, using: &random))
        }
        for effect in t.take() {
          #expect(overs == 0)
          switch effect {
          case .learn: learns += 1
          case .begin: begins += 1
          case .move: #expect(begins == 1 && ends == 0 && drops == 0)
          case .cancel:
            #expect(begins == 1 && drops == 0)
            ends += 1
          case .drop:
            #expect(begins == 1 && ends == 0)
            drops += 1
          case .status: #expect(drops == 0)
          case .finished: finishes += 1
          case .over: overs += 1
          }
        }
        #expect(learns <= 1 && begins <= 1 && ends <= 1 && drops <= 1 && finishes <= 1)
      }
      t.vanish()
      #expect(t.drag.isOver && t.drag.nextDeadline == nil)
    }
  }
}

/// A generator whose numbers are the same each time.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
