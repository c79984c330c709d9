import CarryModel
import CarryXdnd
import Testing

/// A drag over one window, played by hand.
private struct Talk {
  var drag = OutgoingDrag()
  var now = Instant(microseconds: 1_000_000)
  private var effects: [OutgoingDrag.Effect] = []

  /// What was to be done since the last call.
  mutating func take() -> [OutgoingDrag.Effect] {
    defer { effects = [] }
    return effects
  }

  mutating func move(_ x: Double = 10) { drag.moved(to: Point(x: x, y: 5), at: now, into: &effects) }
  mutating func fetch() { drag.fetches() }
  mutating func leave() { drag.left(into: &effects) }
  mutating func drop(_ x: Double = 10) { drag.dropped(at: Point(x: x, y: 5), at: now, into: &effects) }
  mutating func dropOnItself(_ x: Double = 10) {
    drag.dropped(at: Point(x: x, y: 5), loadsFirst: true, at: now, into: &effects)
  }
  mutating func loaded() { drag.loaded(at: now, into: &effects) }
  mutating func status(_ accepts: Bool) { drag.status(accepts: accepts, at: now, into: &effects) }
  mutating func finish(_ accepted: Bool) { drag.finished(accepted: accepted, into: &effects) }
  mutating func vanish() { drag.targetGone(at: now, into: &effects) }
  mutating func hold(_ held: Bool) { drag.hold(held, at: now, into: &effects) }
  mutating func pass(_ milliseconds: Int) {
    now = now + .milliseconds(milliseconds)
    drag.advance(to: now, into: &effects)
  }
}

private func position(_ x: Double = 10) -> OutgoingDrag.Effect { .position(Point(x: x, y: 5)) }

@Suite struct OutgoingDragTests {
  @Test("Z1: a drag enters, follows the finger with one position under way at a time, and is dropped")
  func Z1_aDrop() {
    var t = Talk()
    t.move()
    #expect(t.take() == [.enter, position()])
    t.status(true)
    #expect(t.take() == [.answer(.copy)])
    t.move(11)
    t.move(12)
    #expect(t.take() == [position(11)])
    t.status(true)
    #expect(t.take() == [position(12), .answer(.copy)])
    t.status(true)
    t.drop(12)
    // Nothing was served before.
    #expect(t.take() == [.serve(true), .drop])
    t.finish(true)
    #expect(t.take() == [.serve(false), .end(taken: true)])
    #expect(t.drag.isOver && t.drag.nextDeadline == nil)
  }

  @Test("Z1: a drop on the source's own program waits for its data, for two seconds at most") func Z1_ownProgram() {
    for isLate in [false, true] {
      var t = Talk()
      t.move()
      t.status(true)
      _ = t.take()
      t.dropOnItself()
      #expect(t.take() == [.load])
      t.pass(1999)
      #expect(t.take() == [] && !t.drag.isDropped)
      if isLate { t.pass(1) } else { t.loaded() }
      #expect(t.take() == [.serve(true), .drop])
      // It comes late, and changes nothing.
      t.loaded()
      #expect(t.take() == [])
    }
    var gone = Talk()
    gone.move()
    gone.dropOnItself()
    gone.vanish()
    #expect(gone.take().suffix(2) == [.serve(false), .end(taken: false)] && gone.drag.isOver)
    var held = Talk()
    held.move()
    held.dropOnItself()
    held.hold(true)
    held.loaded()
    #expect(held.take() == [.enter, position(), .load, .leave])
    held.hold(false)
    #expect(held.take() == [.serve(true), .enter, position()])
  }

  @Test("Z1: a drop of which everything requested is delivered is over soon, also without XdndFinished")
  func Z1_neverFinished() {
    var t = Talk()
    t.move()
    t.status(true)
    t.drop()
    t.drag.markActive(at: t.now, isWaiting: true)
    t.pass(5000)
    t.drag.markActive(at: t.now, isServed: true)
    t.pass(1900)
    // It asks for more.
    t.drag.markActive(at: t.now, isWaiting: true)
    t.pass(20_000)
    #expect(t.drag.isDropped)
    t.drag.markActive(at: t.now, isServed: true)
    t.pass(2000)
    #expect(t.drag.isOver)
    // A drop that was held meanwhile waits for that.
    var next = Talk()
    next.hold(true)
    next.move()
    next.drop()
    next.pass(4000)
    next.hold(false)
    #expect(next.take() == [.serve(true), .enter, position()])
  }

  @Test("Z1, Z3: a target is told of the drop once it has what it has asked for since it was entered again")
  func Z1_Z3_awaited() {
    var t = Talk()
    t.move()
    t.fetch()
    t.status(true)
    t.drop()
    _ = t.take()
    // It asks with the first position, says yes to each, and decides by what it has.
    t.drag.markActive(at: t.now, isWaiting: true)
    t.status(true)
    t.pass(30)
    t.status(true)
    #expect(!t.drag.isDropped)
    _ = t.take()
    t.drag.markActive(at: t.now, isWaiting: false)
    t.pass(30)
    #expect(t.take() == [position()])
    t.status(true)
    #expect(t.take() == [.drop] && t.drag.isDropped)
  }

  @Test("Z1, Z3: a target that has fetched while the drag hovered is entered again at the drop")
  func Z1_Z3_fetchedBefore() {
    var t = Talk()
    t.move()
    t.fetch()
    t.status(true)
    t.drop()
    #expect(t.take() == [.enter, position(), .answer(.copy), .leave, .serve(true), .enter, position()])
    t.status(true)
    #expect(t.take() == [position()])
    t.status(true)
    #expect(t.take() == [.drop])
  }

  @Test("Z1: a target whose yes is for another place, or is still under way, is asked again at the drop")
  func Z1_anotherPlace() {
    var elsewhere = Talk()
    elsewhere.move()
    elsewhere.status(true)
    elsewhere.drop(30)
    #expect(
      elsewhere.take() == [.enter, position(), .answer(.copy), .leave, .serve(true), .enter, position(30)])
    var waiting = Talk()
    waiting.move()
    waiting.status(true)
    waiting.move()
    waiting.drop()
    #expect(
      waiting.take() == [.enter, position(), .answer(.copy), position(), .leave, .serve(true), .enter, position()])
  }

  @Test("Z1: Chromium's first answer is no, and its second is asked for at once") func Z1_oneAnswerLate() {
    var t = Talk()
    t.move()
    t.fetch()
    t.status(false)
    #expect(t.take() == [.enter, position(), position()])
    t.status(true)
    #expect(t.take() == [.answer(.copy)])
    t.drop()
    t.status(false)
    _ = t.take()
    // While it fetches, it goes on saying no.
    for _ in 0..<13 {
      t.pass(30)
      #expect(t.take() == [position()])
      t.status(false)
    }
    t.pass(30)
    t.status(true)
    #expect(t.take() == [position(), .drop])
  }

  @Test("Z1: a program that says no after it has said yes is asked once more at once, and a drop does not fail by it")
  func Z1_anotherPane() {
    var t = Talk()
    t.move(10)
    t.status(true)
    t.move(500)
    _ = t.take()
    // Thunar has not yet fetched the list of files for the pane there.
    t.status(false)
    #expect(t.take() == [position(500)])
    t.status(true)
    #expect(t.take() == [.answer(.copy)])
    // The second no counts, and is not doubted again.
    t.move(900)
    t.status(false)
    t.status(false)
    #expect(t.take() == [position(900), position(900)])
    t.pass(30)
    #expect(t.take() == [.answer(.nothing)])
  }

  @Test("Z1: LibreOffice says no to each position and yes right after, and is never told as one that refuses")
  func Z1_noAndYes() {
    var t = Talk()
    t.move()
    for milliseconds in [0, 3, 100, 100, 100] {
      t.pass(milliseconds)
      for accepts in [false, true, true] {
        t.status(accepts)
        t.pass(1)
      }
      #expect(!t.take().contains(.answer(.nothing)))
    }
    t.status(false)
    t.pass(29)
    t.status(true)
    t.pass(30)
    #expect(!t.take().contains(.answer(.nothing)))
  }

  @Test("Z1: an answer that changes while the finger rests is told again") func Z1_anotherAnswer() {
    var t = Talk()
    t.move()
    t.status(true)
    _ = t.take()
    t.pass(99)
    #expect(t.take() == [])
    t.pass(1)
    #expect(t.take() == [position()])
    t.status(false)
    t.status(false)
    #expect(t.take() == [position()])
    t.pass(30)
    #expect(t.take() == [.answer(.nothing)])
    // LibreOffice says it three times. What nobody has asked for is told now and then, however often it comes.
    t.status(false)
    t.status(true)
    for _ in 0..<1000 {
      t.status(false)
      t.status(true)
    }
    #expect(t.take() == [])
    t.pass(50)
    #expect(t.take() == [.answer(.copy)])
  }

  @Test("Z2: a program that never says that it has finished may soon be told of another drag") func Z2_neverFinished() {
    var t = Talk()
    t.drop()
    t.status(true)
    t.status(true)
    #expect(t.drag.isDropped && t.drag.needsItsProgram(at: t.now))
    t.pass(4000)
    t.drag.markActive(at: t.now)
    t.pass(4000)
    #expect(t.drag.needsItsProgram(at: t.now))
    t.pass(1000)
    #expect(t.drag.isDropped && !t.drag.needsItsProgram(at: t.now))
  }

  @Test("Z2, R5: while data flows slowly the drop goes on, and the program may soon be told of another drag")
  func Z2_R5_slowData() {
    var t = Talk()
    t.drop()
    t.status(true)
    t.status(true)
    t.pass(4000)
    t.drag.markProgress(at: t.now)
    t.pass(1000)
    #expect(t.drag.isDropped && !t.drag.needsItsProgram(at: t.now))
    for _ in 1...3 {
      t.pass(28_000)
      t.drag.markProgress(at: t.now)
    }
    #expect(t.drag.isDropped)
    t.pass(30_000)
    #expect(t.drag.isOver)
  }

  @Test("Z2, R5: a target that says yes only with the data waits for as long as it flows, and two minutes at most")
  func Z2_R5_slowDataBeforeTheYes() {
    var t = Talk()
    t.drop()
    t.status(false)
    t.drag.markActive(at: t.now, isWaiting: true)
    for _ in 1...3 {
      t.pass(28_000)
      t.drag.markProgress(at: t.now)
    }
    #expect(!t.drag.isOver)
    t.pass(29_000)
    #expect(!t.drag.isOver)
    t.drag.markProgress(at: t.now)
    t.pass(8_000)
    #expect(t.drag.isOver)
  }

  @Test("Z1: a silent target is no target, and gets no second message") func Z1_silence() {
    var t = Talk()
    t.move()
    _ = t.take()
    t.pass(999)
    t.move(11)
    #expect(t.take() == [])
    t.pass(1001)
    #expect(t.take() == [.answer(.nothing)])
    #expect(t.drag.nextDeadline == nil)
    // It wakes up.
    t.pass(50)
    t.status(true)
    #expect(t.take() == [position(11), .answer(.copy)])
  }

  @Test("Z1: a target that goes frees the drag at once", arguments: [false, true])
  func Z1_gone(isDropped: Bool) {
    var t = Talk()
    t.move()
    t.status(true)
    if isDropped { t.drop() } else { t.move(11) }
    _ = t.take()
    t.vanish()
    #expect(t.take() == (isDropped ? [.serve(false), .end(taken: false)] : [.answer(.nothing)]))
  }

  @Test("Z1: a target that waits for slow data before it says yes is waited for, up to a bound") func Z1_slowData() {
    var t = Talk()
    t.drop()
    t.pass(1000)
    t.drag.markActive(at: t.now, isWaiting: true)
    t.pass(20_000)
    // It has come: now the target may take its time again.
    t.drag.markActive(at: t.now)
    t.pass(1900)
    t.status(true)
    t.status(true)
    #expect(t.drag.isDropped)

    var endless = Talk()
    endless.drop()
    for _ in 0..<8 {
      endless.drag.markActive(at: endless.now, isWaiting: true)
      endless.pass(15_000)
    }
    #expect(endless.drag.isOver && endless.take().last == .end(taken: false))
  }

  @Test("Z1: a target that never says yes to the drop, or never ends it, is left") func Z1_undecided() {
    var t = Talk()
    t.drop()
    _ = t.take()
    t.pass(2000)
    #expect(t.take() == [.leave, .serve(false), .end(taken: false)])

    t = Talk()
    t.drop()
    t.status(true)
    t.status(true)
    _ = t.take()
    t.pass(29_999)
    t.drag.markActive(at: t.now)
    t.pass(29_999)
    #expect(t.take() == [])
    t.pass(1)
    #expect(t.take() == [.serve(false), .end(taken: false)])
  }

  @Test("Z2: a second drag over the same program waits, and goes on where it is then") func Z2_held() {
    var t = Talk()
    t.hold(true)
    t.move()
    t.move(20)
    #expect(t.take() == [])
    t.hold(false)
    #expect(t.take() == [.enter, position(20)])
    t.status(true)
    #expect(t.take() == [.answer(.copy)])
    // Another program drags by mouse meanwhile: a pause.
    t.hold(true)
    #expect(t.take() == [.leave])
    t.hold(false)
    #expect(t.take() == [.enter, position(20)])
  }

  @Test("Z2: a drop waits for its turn, but not for ever", arguments: [false, true])
  func Z2_heldDrop(comesInTime: Bool) {
    var t = Talk()
    t.hold(true)
    t.move()
    t.drop()
    #expect(t.take() == [])
    if comesInTime {
      t.hold(false)
      #expect(t.take() == [.serve(true), .enter, position()])
    } else {
      t.pass(5000)
      #expect(t.take() == [.serve(false), .end(taken: false)])
    }
  }

  @Test("messages in any order never serve before a drop, and end each drop once") func random() {
    var generator = Seeded(state: 7)
    for _ in 0..<2000 {
      var t = Talk()
      var (isServing, hasDropped, ends, isEntered) = (false, false, 0, false)
      for _ in 0..<60 {
        switch Int.random(in: 0..<11, using: &generator) {
        case 0, 1: t.move(Double(Int.random(in: 0..<50, using: &generator)))
        case 2: t.leave()
        case 3: t.status(.random(using: &generator))
        case 4: t.status(true)
        case 5: t.hold(.random(using: &generator))
        case 6: t.pass(Int.random(in: 0..<3000, using: &generator))
        case 7: t.finish(.random(using: &generator))
        case 8: t.loaded()
        case 9:
          t.dropOnItself()
          hasDropped = true
        default:
          t.drop()
          hasDropped = true
        }
        for effect in t.take() {
          switch effect {
          case .serve(let serves):
            #expect(hasDropped)
            isServing = serves
          case .end: ends += 1
          case .enter:
            #expect(!isEntered)
            isEntered = true
          case .leave:
            #expect(isEntered)
            isEntered = false
          case .position, .drop: #expect(isEntered)
          case .load: #expect(hasDropped)
          case .answer: break
          }
        }
        #expect(ends <= 1 && (ends == 0 || !isServing))
      }
      t.vanish()
      if hasDropped { #expect(t.drag.isOver) }
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
