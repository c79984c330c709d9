import CarryGestures
import CarryModel
import Testing

/// Z31: what the gestures make of a mouse and of a pen.
@Suite struct MouseGestureTests {
  private func script(_ tool: Touch.Tool) -> Script {
    var s = Script()
    s.engine.began(ContactID(1), at: Point(x: 100, y: 100), scale: 1, tool: tool, time: Script.at(0), into: &s.events)
    return s
  }

  /// As the sources of virtual fingers end them.
  private func up(_ s: inout Script, _ x: Double, _ y: Double, ms: Int) {
    s.engine.advance(to: Script.at(ms), into: &s.events)
    s.engine.ended(ContactID(1), at: Point(x: x, y: y), isFinal: true, time: Script.at(ms), into: &s.events)
  }

  @Test("Z31: a mouse drags at once after more than four pixels, at any time of the press", arguments: [10, 149, 300])
  func Z31_aMouseDragsAtOnce(ms: Int) {
    var s = script(.mouse)
    s.move(1, 104, 100, ms: ms)
    let before = s.kinds(of: 1)
    #expect(before == (ms < 150 ? [.pressed] : [.pressed, .liftBegan]))
    s.move(1, 105, 100, ms: ms)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted, .dragBegan])
    s.move(1, 300, 100, ms: ms + 10)
    up(&s, 300, 100, ms: ms + 20)
    #expect(s.kinds(of: 1).suffix(2) == [.dragMoved, .dragEnded])
    #expect(s.engine.fingerCount == 0 && s.engine.nextDeadline == nil)
  }

  @Test("Z31: a mouse that stays still lifts as a finger does") func Z31_aMouseHolds() {
    var s = script(.mouse)
    s.wait(ms: 500)
    #expect(s.kinds(of: 1) == [.pressed, .liftBegan, .lifted])
    s.move(1, 104, 100, ms: 510)
    #expect(s.kinds(of: 1).last == .lifted)
    s.move(1, 105, 100, ms: 520)
    #expect(s.kinds(of: 1).last == .dragBegan)
  }

  @Test("Z31: a click of a mouse or a pen is no tap, however short", arguments: [Touch.Tool.mouse, .pen])
  func Z31_clicksAreNoTaps(tool: Touch.Tool) {
    var s = script(tool)
    up(&s, 100, 100, ms: 60)
    #expect(s.kinds(of: 1) == [.pressed, .pressFailed])
    var late = script(tool)
    up(&late, 100, 100, ms: 200)
    #expect(late.kinds(of: 1) == [.pressed, .liftBegan, .liftReversed])
  }

  @Test("Z31: a pen that moves draws, and one that holds lifts") func Z31_aPen() {
    var s = script(.pen)
    s.move(1, 111, 100, ms: 50)
    #expect(s.kinds(of: 1) == [.pressed, .pressFailed])
    var holding = script(.pen)
    holding.move(1, 105, 100, ms: 50)
    holding.move(1, 109, 100, ms: 600)
    #expect(holding.kinds(of: 1) == [.pressed, .liftBegan, .lifted])
    holding.move(1, 110, 100, ms: 610)
    #expect(holding.kinds(of: 1).last == .dragBegan)
  }

  @Test("Z31, A1: an adding click is a tap") func Z31_A1_addingClick() {
    var s = script(.addingClick)
    up(&s, 100, 100, ms: 0)
    #expect(s.kinds(of: 1) == [.pressed, .tapped])
  }

  @Test("Z31: the slop is the pointer's own, in pixels at 96 dpi") func Z31_slop() {
    var settings = Settings()
    settings.pointer.dragSlop = 20
    var s = Script()
    s.engine.apply(settings)
    s.engine.began(
      ContactID(1), at: Point(x: 0, y: 0), scale: 2, tool: .mouse, time: Script.at(0), into: &s.events)
    s.move(1, 40, 0, ms: 10)
    #expect(s.kinds(of: 1) == [.pressed])
    s.move(1, 41, 0, ms: 20)
    #expect(s.kinds(of: 1).last == .dragBegan)
  }
}
