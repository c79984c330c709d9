import CarryModel
import CarryXdnd
import Testing

/// T29: what programs do to the selection without end costs the bridge little.
@Suite struct OtherDragTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }

  /// A drag that was noticed at 0 ms.
  private func drag(by window: UInt32) -> OtherDrag {
    var drag = OtherDrag()
    drag.taken(by: window)
    #expect(drag.looked(isButtonDown: true, at: at(0)) == .begins(window))
    return drag
  }

  @Test("Z1: it is looked at once when a program takes the selection") func Z1_atOnce() {
    var drag = OtherDrag()
    #expect(!drag.isUnderWay && drag.looksAgain == nil)
    drag.taken(by: 1)
    #expect((drag.looksAgain ?? .distantFuture) <= at(0))
    #expect(drag.looked(isButtonDown: true, at: at(0)) == .begins(1))
    #expect(drag.isUnderWay && drag.looksAgain == at(100))
  }

  @Test("programs that take the selection from each other without end begin one drag with each look")
  func manyOwners() {
    var drag = drag(by: 1)
    for n in 0..<1000 { drag.taken(by: 2 + UInt32(n % 7)) }
    // Nothing that is taken puts the look off.
    #expect(drag.looksAgain == at(100))
    #expect(drag.looked(isButtonDown: true, at: at(100)) == .isAnothers(2 + 999 % 7))
    #expect(drag.looked(isButtonDown: true, at: at(200)) == nil && drag.looksAgain == at(300))
  }

  @Test("programs that take the selection without end and with no button down cost ten looks a second")
  func noButton() {
    var drag = OtherDrag()
    var looks = 0
    for microseconds in stride(from: Int64(0), to: 1_000_000, by: 10) {
      let now = Instant(microseconds: microseconds)
      drag.taken(by: UInt32(microseconds % 7 + 1))
      guard let due = drag.looksAgain, due <= now else { continue }
      looks += 1
      #expect(drag.looked(isButtonDown: false, at: now) == nil)
    }
    #expect(looks == 10 && !drag.isUnderWay)
  }

  @Test("Z1: a drag that begins right after a stranger took the selection is noticed when the rest ends")
  func Z1_inTheRest() {
    var drag = OtherDrag()
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: false, at: at(0)) == nil)
    // Nobody asks in vain.
    #expect(drag.looksAgain == nil)
    drag.taken(by: 2)
    drag.taken(by: 3)
    #expect(drag.looksAgain == at(100))
    #expect(drag.looked(isButtonDown: true, at: at(100)) == .begins(3) && drag.isUnderWay)
  }

  @Test("Z1: after the rest it is looked at once again") func Z1_afterTheRest() {
    var drag = OtherDrag()
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: false, at: at(0)) == nil)
    drag.taken(by: 2)
    #expect((drag.looksAgain ?? .distantFuture) <= at(150))
    #expect(drag.looked(isButtonDown: true, at: at(150)) == .begins(2))
  }

  @Test("Z1: who gives the selection up before the look drags nothing") func Z1_givenUp() {
    var drag = OtherDrag()
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: false, at: at(0)) == nil)
    drag.taken(by: 2)
    drag.givenUp()
    #expect(drag.looksAgain == nil && drag.looked(isButtonDown: true, at: at(100)) == nil && !drag.isUnderWay)
    // The rest goes on: giving it up and taking it again is no way around.
    drag.taken(by: 2)
    #expect(drag.looksAgain == at(100))
  }

  @Test("Z1: a drag that is under way goes on when the selection is given up") func Z1_givenUpLater() {
    var drag = drag(by: 1)
    drag.givenUp()
    #expect(drag.isUnderWay && drag.looked(isButtonDown: true, at: at(100)) == nil && drag.looksAgain == at(200))
  }

  @Test("Z1: a program that takes the selection once more in a drag begins no other one") func Z1_sameOwner() {
    var drag = drag(by: 1)
    drag.taken(by: 2)
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: true, at: at(100)) == nil)
  }

  @Test("Z1: it is over when the button is up, whoever has taken the selection") func Z1_over() {
    var drag = drag(by: 1)
    drag.taken(by: 2)
    #expect(drag.looked(isButtonDown: false, at: at(100)) == .isOver)
    #expect(!drag.isUnderWay && drag.looksAgain == nil)
    // What was taken then is none of the next one's, which is noticed at once.
    drag.taken(by: 3)
    #expect((drag.looksAgain ?? .distantFuture) <= at(100))
    #expect(drag.looked(isButtonDown: true, at: at(150)) == .begins(3))
    #expect(drag.looked(isButtonDown: true, at: at(250)) == nil)
  }

  @Test("who has the selection and took it with no button down does not drag, whoever presses later")
  func idleOwner() {
    var drag = OtherDrag()
    #expect(!drag.mayBeUnderWay)
    drag.taken(by: 1)
    #expect(drag.mayBeUnderWay)
    #expect(drag.looked(isButtonDown: false, at: at(0)) == nil)
    #expect(!drag.mayBeUnderWay)
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: true, at: at(100)) == .begins(1))
    #expect(drag.mayBeUnderWay)
  }

  @Test("a drag is over once the button is known to be nobody else's") func stopped() {
    var drag = drag(by: 1)
    let wasUnderWay = drag.stopped()
    #expect(wasUnderWay)
    #expect(!drag.mayBeUnderWay && drag.looksAgain == nil)
    drag.taken(by: 1)
    let isUnderWay = drag.stopped()
    #expect(!isUnderWay)
    #expect(!drag.mayBeUnderWay && drag.looksAgain == nil)
  }
}
