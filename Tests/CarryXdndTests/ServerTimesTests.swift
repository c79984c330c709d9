import CarryXdnd
import Testing

/// Z1: drags are told apart by the times that their targets get.
@Suite struct ServerTimesTests {
  @Test(
    "Z1: times are the server's, and each is given once",
    arguments: [1, 0x7fff_fff0, 0x9000_0000, 0xffff_fff0] as [UInt32])
  func Z1_timesAreTheServers(first: UInt32) {
    var times = ServerTimes()
    #expect(times.next(shown: first) == first)
    #expect(times.next(shown: first) == first &+ 1)
    #expect(times.next(shown: first &+ 10) == first &+ 10)
    // A clock that stands still, or is not known.
    #expect(times.next(shown: first &+ 5) == first &+ 11)
    #expect(times.next(shown: nil) == first &+ 12)
  }

  @Test("Z1: 0 is no time") func Z1_zeroIsNoTime() {
    var times = ServerTimes()
    #expect(times.next(shown: .max) == .max)
    #expect(times.next(shown: 0) == 1)
    var others = ServerTimes()
    #expect(others.next(shown: nil) == 1)
  }
}
