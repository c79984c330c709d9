import CarryModel
import Testing

@testable import CarryDaemon

@Suite struct ReplayStartTests {
  private let source = ClientID(1)
  private let target = ClientID(2)

  @Test("Z22: recordings start half a second after the newest region, and after the newest window")
  func Z22_afterTheNewestWindow() {
    var start = ReplayStart(begin: ms(0), delay: nil, clients: 2)
    #expect(start.due(registrants: 1, lastRegistration: ms(100)) == nil)
    start.see([source], of: 1, at: ms(200))
    // The target's window is not there yet.
    start.see([source], of: 2, at: ms(300))
    #expect(start.due(registrants: 2, lastRegistration: ms(300)) == ms(10_300))
    start.see([source, target], of: 2, at: ms(2000))
    #expect(start.due(registrants: 2, lastRegistration: ms(300)) == ms(2500))
    start.see([source, target], of: 2, at: ms(2100))
    #expect(start.due(registrants: 2, lastRegistration: ms(300)) == ms(2500))
    #expect(start.due(registrants: 2, lastRegistration: ms(2200)) == ms(2700))
    // A window that goes, and one that comes in its place.
    start.see([source], of: 2, at: ms(2300))
    #expect(start.due(registrants: 2, lastRegistration: ms(300)) == ms(10_300))
    start.see([source, ClientID(3)], of: 3, at: ms(2400))
    #expect(start.due(registrants: 3, lastRegistration: ms(300)) == ms(2900))
    // One that comes again and again puts it off no further than one that never comes.
    start.see([source], of: 2, at: ms(10_100))
    start.see([source, target], of: 2, at: ms(10_200))
    #expect(start.due(registrants: 2, lastRegistration: ms(300)) == ms(10_300))
    // And nor does one that registers again and again.
    #expect(start.due(registrants: 2, lastRegistration: ms(10_200)) == ms(10_300))
    // Those that are left are waited for anew.
    start.see([source], of: 1, at: ms(10_250))
    #expect(start.due(registrants: 1, lastRegistration: ms(10_200)) == nil)
    start.see([source], of: 2, at: ms(11_000))
    #expect(start.due(registrants: 2, lastRegistration: ms(11_000)) == ms(21_000))
  }

  @Test("Z22: a delay counts from the engine's start, whoever is there") func Z22_delays() {
    let start = ReplayStart(begin: ms(50), delay: .milliseconds(300), clients: 1)
    #expect(start.due(registrants: 0, lastRegistration: nil) == ms(350))
  }
}
