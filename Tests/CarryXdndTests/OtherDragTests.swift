import CarryModel
import CarryXdnd
import Testing

/// T29: what programs do to the selection without end costs the bridge little.
@Suite struct OtherDragTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }

  @Test("T29: programs that take the selection from each other without end begin one drag with each look")
  func T29_manyOwners() {
    var drag = OtherDrag()
    #expect(!drag.isUnderWay)
    drag.begin(by: 1, at: at(0))
    #expect(drag.looksAgain == at(100))
    for n in 0..<1000 { drag.taken(by: 2 + UInt32(n % 7)) }
    // Nothing that is taken puts the look off.
    #expect(drag.looksAgain == at(100))
    #expect(drag.looked(isButtonDown: true, at: at(100)) == .isAnothers(2 + 999 % 7))
    #expect(drag.looked(isButtonDown: true, at: at(200)) == nil && drag.looksAgain == at(300))
  }

  @Test("Z1: a program that takes the selection once more in a drag begins no other one") func Z1_sameOwner() {
    var drag = OtherDrag()
    drag.begin(by: 1, at: at(0))
    drag.taken(by: 2)
    drag.taken(by: 1)
    #expect(drag.looked(isButtonDown: true, at: at(100)) == nil)
  }

  @Test("Z1: it is over when the button is up, whoever has taken the selection") func Z1_over() {
    var drag = OtherDrag()
    drag.begin(by: 1, at: at(0))
    drag.taken(by: 2)
    #expect(drag.looked(isButtonDown: false, at: at(100)) == .isOver)
    #expect(!drag.isUnderWay && drag.looksAgain == nil)
    // What was taken then is none of the next one's.
    drag.begin(by: 3, at: at(150))
    #expect(drag.looked(isButtonDown: true, at: at(250)) == nil)
  }
}
