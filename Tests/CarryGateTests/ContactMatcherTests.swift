import CarryGate
import CarryModel
import Testing

@Suite struct ContactMatcherTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }
  private func point(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }

  @Test("Z4: the n-th contact of a device is its n-th touch, whichever side is first")
  func Z4_theNthContactIsTheNthTouch() {
    var m = ContactMatcher()
    _ = m.touchBegan(70, device: 3, at: point(0.1, 0.1), time: at(0))
    m.contactBegan(ContactID(1), device: 3, at: point(0.1, 0.1), time: at(1))
    m.contactBegan(ContactID(2), device: 3, at: point(0.11, 0.1), time: at(5))
    _ = m.touchBegan(71, device: 3, at: point(0.111, 0.1), time: at(6))
    #expect(m.touch(of: ContactID(1)) == 70 && m.touch(of: ContactID(2)) == 71)
  }

  @Test("Z4: another device or another place is another finger") func Z4_anotherDeviceIsAnotherFinger() {
    var m = ContactMatcher()
    _ = m.touchBegan(70, device: 3, at: point(0.1, 0.1), time: at(0))
    m.contactBegan(ContactID(1), device: 4, at: point(0.1, 0.1), time: at(1))
    m.contactBegan(ContactID(2), device: 3, at: point(0.6, 0.1), time: at(2))
    #expect(m.touch(of: ContactID(1)) == nil && m.touch(of: ContactID(2)) == nil)
  }

  @Test("Z4: a palm ends its touch, though the driver says nothing, and though the touch comes later")
  func Z4_aPalmEndsItsTouch() {
    var m = ContactMatcher()
    _ = m.touchBegan(70, device: 3, at: point(0.1, 0.1), time: at(0))
    m.contactBegan(ContactID(1), device: 3, at: point(0.1, 0.1), time: at(1))
    let palm = m.contactCancelled(ContactID(1), time: at(40))
    #expect(palm == 70)
    m.contactBegan(ContactID(2), device: 3, at: point(0.5, 0.5), time: at(50))
    let early = m.contactCancelled(ContactID(2), time: at(51))
    let late = m.touchBegan(71, device: 3, at: point(0.5, 0.5), time: at(52))
    #expect(early == nil && late == 71 && m.count == 0)
  }

  @Test("Z4: what finds no partner is forgotten, and there is a bound") func Z4_whatFindsNoPartnerIsForgotten() {
    var m = ContactMatcher()
    _ = m.touchBegan(70, device: 3, at: point(0.1, 0.1), time: at(0))
    m.contactBegan(ContactID(1), device: 3, at: point(0.1, 0.1), time: at(1500))
    #expect(m.touch(of: ContactID(1)) == nil)
    for i in 2..<1000 { m.contactBegan(ContactID(UInt32(i)), device: 3, at: point(0.5, 0.5), time: at(1500)) }
    #expect(m.count <= 64)
  }
}
