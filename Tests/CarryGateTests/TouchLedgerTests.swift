import CarryGate
import CarryModel
import Testing

@Suite struct TouchLedgerTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }
  private let here = Point(x: 10, y: 10)
  private let screen = DeviceID(3)
  /// The same place, as the device says.
  private let raw = Point(x: 1000, y: 1000)

  /// Numbers from 1.
  private final class Numbers {
    var last: UInt32 = 0
    func next() -> ContactID {
      last += 1
      return ContactID(last)
    }
  }

  @Test("Z4: a held touch is one contact, though it comes in two ways") func Z4_aHeldTouchIsOneContact() {
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    let began = l.began(7, at: here, time: at(1), next: n.next)
    #expect(began?.phase == .began)
    let late = l.advance(to: at(100), next: n.next) { _ in true }
    #expect(late.isEmpty)
    let moved = [l.moved(7, to: here, time: at(2))?.phase, l.rawMoved(7, to: here, time: at(2))?.phase]
    #expect(moved == [.moved, nil])
    let raw = l.rawEnded(7, time: at(3), next: n.next)
    let ended = l.ended(7, at: here, time: at(3))
    #expect(raw.isEmpty && ended?.phase == .ended)
    let verdict = l.yield(ContactID(1))
    #expect(verdict == .reject(7))
    #expect(l.count == 0 && n.last == 1)
  }

  @Test("Z4: a touch that nobody holds is seen if it is of interest") func Z4_aTouchThatNobodyHoldsIsSeen() {
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    l.rawBegan(8, on: screen, at: Point(x: 99, y: 99), raw: raw, time: at(0))
    #expect(l.nextDeadline == at(8))
    let changes = l.advance(to: at(8), next: n.next) { $0 == here }
    #expect(changes.map(\.phase) == [.began] && l.count == 1)
    let moved = l.rawMoved(7, to: Point(x: 11, y: 10), time: at(20))
    #expect(moved?.point.x == 11)
    let told = l.claim(ContactID(1))
    #expect(told == .cancelled(7))
    let ended = l.rawEnded(7, time: at(30), next: n.next)
    #expect(ended.map(\.phase) == [.ended])
  }

  @Test("Z4: a tap is decided after its end") func Z4_aTapIsDecidedAfterItsEnd() {
    var l = TouchLedger()
    let n = Numbers()
    _ = l.began(7, at: here, time: at(0), next: n.next)
    _ = l.ended(7, at: here, time: at(50))
    let verdict = l.claim(ContactID(1))
    #expect(verdict == .accept(7))
    #expect(l.count == 0)
  }

  @Test("Z4: what was decided while somebody else had the touch counts when it is held") func Z4_decidedBeforeItIsHeld()
  {
    for takes in [true, false] {
      var l = TouchLedger()
      let n = Numbers()
      l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
      _ = l.advance(to: at(8), next: n.next) { _ in true }
      _ = takes ? l.claim(ContactID(1)) : l.yield(ContactID(1))
      // The desktop's gestures have given it away.
      let began = l.began(7, at: here, time: at(300), next: n.next)
      let verdict = l.lateVerdict(7)
      #expect(began == nil && n.last == 1)
      #expect(verdict == (takes ? .accept(7) : .reject(7)))
      _ = l.rawEnded(7, time: at(900), next: n.next)
      let ended = l.ended(7, at: here, time: at(900))
      #expect(ended?.phase == (takes ? .ended : nil) && l.count == 0)
    }
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    _ = l.advance(to: at(8), next: n.next) { _ in true }
    _ = l.began(7, at: here, time: at(300), next: n.next)
    let undecided = l.lateVerdict(7)
    let claimed = l.claim(ContactID(1))
    #expect(undecided == nil && claimed == .accept(7))
  }

  @Test("Z7: a palm that is known before its grabbed begin comes makes no finger") func Z7_aPalmBeforeItsBegin() {
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    let cancelled = l.cancel(7, time: at(0))
    let began = l.began(7, at: here, time: at(1), next: n.next)
    let verdict = l.lateVerdict(7)
    let late = l.advance(to: at(100), next: n.next) { _ in true }
    #expect(cancelled == nil && began == nil && late.isEmpty && n.last == 0)
    #expect(verdict == .reject(7))
    let ended = l.rawEnded(7, time: at(200), next: n.next)
    #expect(ended.isEmpty && l.count == 0)
  }

  @Test("Z4: a touch given to the application still ends for the recognisers") func Z4_aGivenTouchStillEnds() {
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    _ = l.began(7, at: here, time: at(0), next: n.next)
    let verdict = l.yield(ContactID(1))
    #expect(verdict == .reject(7))
    let ended = l.rawEnded(7, time: at(90), next: n.next)
    #expect(ended.map(\.phase) == [.ended] && l.count == 0)
  }

  @Test("Z4: a held touch whose window went away ends all the same") func Z4_aHeldTouchWhoseWindowWentAwayEnds() {
    var l = TouchLedger()
    let n = Numbers()
    l.rawBegan(7, on: screen, at: here, raw: raw, time: at(0))
    _ = l.began(7, at: here, time: at(0), next: n.next)
    _ = l.claim(ContactID(1))
    _ = l.rawEnded(7, time: at(100), next: n.next)
    let early = l.advance(to: at(150), next: n.next) { _ in true }
    let late = l.advance(to: at(160), next: n.next) { _ in true }
    #expect(early.isEmpty && late.map(\.phase) == [.ended] && l.count == 0)
  }

  @Test("Z7: it is bounded, and everything ends with the gate") func Z7_itIsBounded() {
    var l = TouchLedger()
    let n = Numbers()
    for touch in 0..<10_000 { _ = l.began(UInt32(touch), at: here, time: at(0), next: n.next) }
    #expect(l.count <= 128)
    let all = l.cancelAll(time: at(1))
    #expect(all.count <= 128 && all.allSatisfy { $0.phase == .cancelled })
    #expect(l.count == 0 && l.nextDeadline == nil)
  }
}
