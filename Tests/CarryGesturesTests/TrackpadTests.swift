import CarryContacts
import CarryGestures
import CarryModel
import Testing

@Suite struct TrackpadTests {
  /// A click on a clickpad at 500,400, held until it has lifted at 600 ms, and carried to 700,400.
  private func carried(_ change: (inout Settings) -> Void = { _ in }) -> TrackpadScript {
    var s = TrackpadScript(.clickpad, change: change)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.wait(ms: 650)
    s.pointer(700, 400, ms: 700)
    #expect(s.kinds == [.pressed, .liftBegan, .lifted, .dragBegan])
    return s
  }

  @Test("Z6, L1: a click that is held lifts at the pointer, which carries") func Z6_L1_clickHoldLifts() {
    let s = carried()
    #expect(s.log == ["began 1 500,400"])
    #expect(s.gestures.last?.point == Point(x: 700, y: 400))
  }

  @Test("Z6: letting go drops where the click was released, when the grace is over") func Z6_lettingGoDrops() {
    var s = carried()
    s.button(false, ms: 1000)
    s.up(1, ms: 1020)
    #expect(s.pad.nextDeadline == TrackpadScript.at(1500))
    // The pointer strays: the item stays.
    s.pointer(900, 700, ms: 1200)
    s.wait(ms: 1499)
    #expect(s.kinds.last == .dragBegan)
    s.wait(ms: 1500)
    #expect(s.kinds.last == .dragEnded)
    #expect(s.log.last == "ended 1 700,400")
    #expect(s.gestures.last?.time == TrackpadScript.at(1500))
    #expect(!s.pad.isActive && s.pad.nextDeadline == nil && s.engine.fingerCount == 0)
  }

  @Test("Z6: a finger that comes back within the grace carries on, without a click") func Z6_regrip() {
    var s = carried()
    s.button(false, ms: 1000)
    s.up(1, ms: 1020)
    s.down(2, 20, 30, ms: 1400)
    s.wait(ms: 5000)
    s.pointer(900, 300, ms: 5000)
    #expect(s.gestures.last?.kind == .dragMoved && s.gestures.last?.point == Point(x: 900, y: 300))
    // And again; then not.
    s.up(2, ms: 5100)
    s.down(3, 20, 30, ms: 5500)
    s.wait(ms: 6000)
    s.up(3, ms: 6100)
    s.wait(ms: 6599)
    #expect(s.kinds.last == .dragBegan)
    s.wait(ms: 6600)
    #expect(s.log.last == "ended 1 900,300")
  }

  @Test("Z6: a re-grip that is only a tap drops at once") func Z6_aTapDropsAtOnce() {
    var s = carried()
    s.button(false, ms: 1000)
    s.up(1, ms: 1020)
    s.tap(2, 20, 30, ms: 1200)
    #expect(s.kinds.last == .dragEnded && s.gestures.last?.time == TrackpadScript.at(1280))
  }

  @Test("Z6: after the release a finger that goes its own ways drops at once") func Z6_theFingerGoesItsOwnWays() {
    var s = carried()
    s.move(1, 80, 30, ms: 900)
    s.button(false, ms: 1000)
    s.move(1, 81, 30, ms: 1050)
    #expect(s.kinds.last == .dragBegan)
    s.move(1, 85, 30, ms: 1100)
    #expect(s.kinds.last == .dragEnded)
    #expect(s.log.last == "ended 1 700,400")
  }

  @Test("Z6: without a grace the release is the drop") func Z6_noGrace() {
    var s = carried { $0.trackpad.regrip = .zero }
    s.button(false, ms: 1000)
    #expect(s.kinds.last == .dragEnded && s.gestures.last?.time == TrackpadScript.at(1000))
  }

  @Test("Z6: a new click in mid-carry takes hold again") func Z6_aClickTakesHoldAgain() {
    var s = carried()
    s.button(false, ms: 1000)
    s.button(true, ms: 1200)
    s.wait(ms: 3000)
    #expect(s.kinds.last == .dragBegan)
    s.button(false, ms: 3000)
    s.wait(ms: 3600)
    #expect(s.kinds.last == .dragEnded)
  }

  @Test("Z6, A1: another finger's tap is a tap at the pointer") func Z6_A1_anotherFingersTap() {
    var s = carried()
    s.tap(2, 70, 20, ms: 1000)
    #expect(s.log == ["began 1 500,400", "began 2 700,400", "ended 2 700,400"])
    #expect(s.gestures.contains { $0.kind == .tapped && $0.contact == ContactID(2) })
    #expect(s.kinds.last == .dragBegan)
    // Two more, at once.
    s.down(3, 70, 20, ms: 1200)
    s.down(4, 80, 20, ms: 1210)
    s.up(3, ms: 1290)
    s.up(4, ms: 1300)
    #expect(s.gestures.count { $0.kind == .tapped } == 3)
  }

  @Test("Z6, A1: a finger that rests or moves does not tap") func Z6_A1_noTap() {
    var s = carried()
    s.down(2, 70, 20, ms: 1000)
    s.up(2, ms: 1300)
    s.down(3, 70, 20, ms: 1400)
    s.move(3, 74, 20, ms: 1450)
    s.up(3, ms: 1480)
    #expect(!s.gestures.contains { $0.kind == .tapped })
  }

  @Test("Z6, L12: a click released before the lift is only a click") func Z6_L12_aClick() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.button(false, ms: 400)
    #expect(s.kinds == [.pressed, .liftBegan, .liftReversed])
    #expect(s.pad.contact == nil)
    s.up(1, ms: 500)
    s.wait(ms: 2000)
    #expect(s.log == ["began 1 500,400", "ended 1 500,400"])
  }

  @Test("Z6, L12: a pointer or a finger that moves before the lift ends the press") func Z6_L12_moved() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.pointer(515, 400, ms: 200)
    #expect(s.kinds == [.pressed, .pressFailed] || s.kinds == [.pressed, .liftBegan, .liftReversed])
    s.wait(ms: 2000)
    #expect(s.log.count == 1)
    s.button(false, ms: 2000)
    #expect(s.log == ["began 1 500,400", "ended 1 515,400"] && s.engine.fingerCount == 0)
    // Where the pointer is held still meanwhile, the finger says it.
    s.button(true, ms: 3000)
    s.move(1, 52, 30, ms: 3050)
    #expect(s.pad.contact != nil)
    s.move(1, 53, 30, ms: 3100)
    #expect(s.pad.contact == nil && s.log.last == "cancelled 2 515,400")
  }

  @Test("Z6: a second finger before the lift ends the press; two fingers and a click begin none")
  func Z6_twoFingers() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.down(2, 60, 30, ms: 300)
    #expect(s.kinds == [.pressed, .liftBegan, .liftReversed])
    s.button(false, ms: 400)
    s.button(true, ms: 500)
    s.wait(ms: 2000)
    #expect(s.log == ["began 1 500,400", "cancelled 1 500,400"] && s.engine.fingerCount == 0)
  }

  @Test("Z6: a palm at the edge is no second finger, until it moves") func Z6_palms() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(9, 2, 30, ms: 0)
    s.down(1, 50, 30, ms: 50)
    s.button(true, ms: 100)
    s.move(9, 3, 31, ms: 300)
    s.wait(ms: 650)
    #expect(s.kinds.last == .lifted)
    // A palm that the pad found out late is nobody's tap.
    s.down(2, 60, 30, ms: 700)
    s.palm(2, ms: 720)
    #expect(!s.gestures.contains { $0.kind == .tapped })
    // Nor does it hold what was let go of.
    s.button(false, ms: 800)
    s.up(1, ms: 810)
    s.wait(ms: 1300)
    #expect(s.log.last == "ended 1 500,400")
    s.move(9, 20, 30, ms: 1400)
    s.down(3, 50, 30, ms: 1450)
    s.button(true, ms: 1500)
    #expect(s.pad.contact == nil)
  }

  @Test("Z6: a clickpad does not lift by tap and hold, nor while nobody knows the pointer") func Z6_notByTap() {
    var s = TrackpadScript(.clickpad)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.button(false, ms: 200)
    s.up(1, ms: 300)
    s.pointer(500, 400, ms: 400)
    s.tap(2, 50, 30, ms: 1000)
    s.down(3, 50, 30, ms: 1200)
    s.wait(ms: 3000)
    #expect(s.log.isEmpty)
  }

  @Test("Z6, L1: tap and hold lifts on other pads; letting go drops after the grace") func Z6_L1_tapAndHold() {
    for pad in [TrackpadScript.Pad.plain, .box, .single] {
      var s = TrackpadScript(pad)
      s.pointer(500, 400, ms: 0)
      s.tap(1, 50, 30, ms: 0)
      s.down(2, 51, 30, ms: 280)
      #expect(s.log == ["began 1 500,400"])
      s.wait(ms: 800)
      s.pointer(700, 400, ms: 850)
      #expect(s.kinds == [.pressed, .liftBegan, .lifted, .dragBegan])
      s.up(2, ms: 1000)
      s.down(3, 20, 30, ms: 1400)
      s.pointer(900, 400, ms: 2000)
      s.up(3, ms: 2100)
      s.wait(ms: 2600)
      #expect(s.kinds.last == .dragEnded && s.log.last == "ended 1 900,400")
    }
  }

  @Test("Z6: a palm at the edge is not in the way of tap and hold") func Z6_aPalmIsNotInTheWay() {
    var s = TrackpadScript(.plain)
    s.pointer(500, 400, ms: 0)
    s.down(9, 98, 30, ms: 0)
    s.tap(1, 50, 30, ms: 100)
    s.down(2, 51, 30, ms: 300)
    s.wait(ms: 900)
    #expect(s.kinds == [.pressed, .liftBegan, .lifted])
  }

  @Test("Z6: no tap, a slow tap, a moved tap or a late touch: no press") func Z6_noTapAndHold() {
    var s = TrackpadScript(.plain)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.wait(ms: 1000)
    s.up(1, ms: 1000)
    s.down(2, 50, 30, ms: 1100)
    s.move(2, 55, 30, ms: 1120)
    s.up(2, ms: 1150)
    s.down(3, 50, 30, ms: 1200)
    s.up(3, ms: 2000)
    s.tap(4, 50, 30, ms: 3000)
    s.down(5, 50, 30, ms: 3331)
    s.wait(ms: 5000)
    s.up(5, ms: 5000)
    // Two fingers' tap is another button's.
    s.down(6, 50, 30, ms: 6000)
    s.down(7, 60, 30, ms: 6000)
    s.up(6, ms: 6050)
    s.up(7, ms: 6050)
    s.down(8, 50, 30, ms: 6100)
    s.wait(ms: 8000)
    #expect(s.log.isEmpty)
  }

  @Test("Z6: a double tap lifts nothing") func Z6_doubleTap() {
    var s = TrackpadScript(.plain)
    s.pointer(500, 400, ms: 0)
    s.tap(1, 50, 30, ms: 0)
    s.tap(2, 50, 30, ms: 200)
    s.wait(ms: 2000)
    #expect(!s.gestures.contains { $0.kind == .lifted })
    #expect(s.pad.contact == nil && s.engine.fingerCount == 0)
  }

  @Test("Z6: a button beside the pad holds as well, and its release is the drop") func Z6_aButtonBeside() {
    var s = TrackpadScript(.plain)
    s.pointer(500, 400, ms: 0)
    s.button(true, ms: 100)
    s.wait(ms: 650)
    s.down(1, 50, 30, ms: 700)
    s.pointer(700, 400, ms: 800)
    s.up(1, ms: 900)
    // The finger is free: nothing drops while the button is held.
    s.wait(ms: 3000)
    #expect(s.kinds.last == .dragBegan)
    s.tap(2, 50, 30, ms: 3000)
    #expect(s.gestures.contains { $0.kind == .tapped })
    s.button(false, ms: 3500)
    #expect(s.kinds.last == .dragEnded && s.gestures.last?.time == TrackpadScript.at(3500))
  }

  @Test("Z6, A1: a pad that only counts knows another finger's tap by the number") func Z6_A1_count() {
    var s = TrackpadScript(.single)
    s.pointer(500, 400, ms: 0)
    s.fingers(1)
    s.tap(1, 50, 30, ms: 0)
    s.down(2, 50, 30, ms: 280)
    s.wait(ms: 800)
    s.pointer(700, 400, ms: 850)
    s.fingers(2)
    // The one position that there is jumps when a finger comes, and back.
    s.move(2, 80, 10, ms: 1000)
    s.fingers(1)
    s.move(2, 50, 30, ms: 1080)
    #expect(s.gestures.contains { $0.kind == .tapped && $0.contact == ContactID(2) })
    #expect(s.kinds.last == .dragBegan)
  }

  @Test("Z6: an unplugged pad cancels the drag") func Z6_unplugged() {
    var s = carried()
    s.unplug(ms: 900)
    #expect(s.kinds.last == .dragCancelled && !s.pad.isActive)
    var t = carried()
    t.button(false, ms: 1000)
    t.unplug(ms: 1100)
    #expect(t.kinds.last == .dragCancelled && t.pad.nextDeadline == nil)
  }

  @Test("Z6: what nobody wants is let go of without a word") func Z6_ignored() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 100)
    s.engine.ignore(ContactID(1))
    s.pad.ignore(ContactID(1))
    s.wait(ms: 2000)
    s.button(false, ms: 2000)
    #expect(s.log == ["began 1 500,400", "ended 1 500,400"])
    #expect(s.kinds == [.pressed])
    #expect(s.pad.nextDeadline == nil && s.engine.fingerCount == 0)
  }

  @Test("Z6: what ends while it waits for the finger is not taken hold of again, and clicks are the applications'")
  func Z6_endsWhileItWaits() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 10)
    s.wait(ms: 600)
    s.pointer(700, 400, ms: 650)
    s.button(false, ms: 700)
    s.up(1, ms: 710)
    // Esc: the drag is over, and its finger nobody's.
    s.engine.ignore(ContactID(1))
    s.pad.ignore(ContactID(1))
    s.down(2, 50, 30, ms: 800)
    #expect(s.pad.contact == nil && s.engine.fingerCount == 0)
    s.button(true, ms: 820)
    #expect(s.pad.clicked?.contact == ContactID(2) && s.pad.clicked?.isCarrying == false)
    s.button(false, ms: 900)
    s.up(2, ms: 910)
    s.wait(ms: 2000)
    #expect(s.pad.contact == nil && s.engine.fingerCount == 0 && s.pad.nextDeadline == nil)
  }

  @Test("Z6: what ends while it waits for the finger is over when the grace is") func Z6_endsWithTheGrace() {
    var s = TrackpadScript(.clickpad)
    s.pointer(500, 400, ms: 0)
    s.down(1, 50, 30, ms: 0)
    s.button(true, ms: 10)
    s.wait(ms: 600)
    s.button(false, ms: 700)
    s.up(1, ms: 710)
    s.engine.ignore(ContactID(1))
    s.pad.ignore(ContactID(1))
    s.wait(ms: 2000)
    #expect(s.pad.contact == nil && s.engine.fingerCount == 0 && s.pad.nextDeadline == nil)
  }

  @Test("Z6: a pointer of its own starts in the middle, is linear and stays on the screen") func Z6_ownPointer() {
    var s = TrackpadScript(.clickpad, ownPointer: true)
    s.down(1, 50, 30, ms: 0)
    s.move(1, 40, 35, ms: 50)
    s.button(true, ms: 100)
    #expect(s.log == ["began 1 540,450"])
    s.wait(ms: 650)
    s.move(1, 60, 35, ms: 700)
    #expect(s.gestures.last?.point == Point(x: 740, y: 450))
    // Four strokes to the right and down are wider than the screen.
    var t = TrackpadScript(.clickpad, ownPointer: true)
    for i in 0..<4 {
      t.down(1, 20, 10, ms: i * 100)
      t.move(1, 60, 50, ms: i * 100 + 50)
      t.up(1, ms: i * 100 + 60)
    }
    t.down(1, 20, 10, ms: 1000)
    t.button(true, ms: 1000)
    #expect(t.log == ["began 1 1279,799"])
  }

  @Test("Z6: two fingers scroll: a pointer of its own stays") func Z6_scrolling() {
    var s = TrackpadScript(.clickpad, ownPointer: true)
    s.down(1, 50, 30, ms: 0)
    s.down(2, 60, 30, ms: 0)
    s.move(1, 50, 50, ms: 50)
    s.move(2, 60, 50, ms: 60)
    s.up(2, ms: 100)
    s.button(true, ms: 200)
    #expect(s.log == ["began 1 640,400"])
  }

  @Test("Z6: nothing a pad says traps, and nothing stays") func Z6_nothingTraps() {
    var random = SystemRandomNumberGenerator()
    for pad in [TrackpadScript.Pad.clickpad, .plain, .box, .single] {
      var s = TrackpadScript(pad, ownPointer: Bool.random(using: &random))
      for ms in 0..<2000 {
        let id = UInt32.random(in: 1...5, using: &random)
        let (x, y) = (Double.random(in: -2e8...2e8, using: &random), Double.random(in: -100...100, using: &random))
        switch Int.random(in: 0...7, using: &random) {
        case 0: s.down(id, Bool.random(using: &random) ? x : 50, y, ms: ms * 40)
        case 1, 2: s.move(id, 50, y, ms: ms * 40)
        case 3: s.up(id, ms: ms * 40)
        case 4: s.palm(id, ms: ms * 40)
        case 5: s.button(Bool.random(using: &random), ms: ms * 40)
        case 6: s.fingers(Int.random(in: -3...9, using: &random))
        default: s.pointer(x, y, ms: ms * 40)
        }
      }
      s.unplug(ms: 90_000)
      s.wait(ms: 100_000)
      #expect(s.pad.contact == nil && s.pad.nextDeadline == nil && s.engine.fingerCount == 0)
    }
  }
}
