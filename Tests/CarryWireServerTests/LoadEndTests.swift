import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// The end of a load, as its destination sees it.
@Suite(.serialized) struct LoadEndTests {
  private typealias R = RawClient

  @Test("R3: who is done with a load hears that nothing follows") func R3_ended() throws {
    let b = try Bench()
    let destination = try b.client()
    b.makeRegion(destination)
    b.offer()
    destination.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.loads == 1 })
    #expect(!destination.hasReceived(6, 8))
    destination.send(R.message(6, 2, R.words([0])))
    #expect(b.turn { destination.hasReceived(6, 8) })
    destination.send(R.message(6, 0))
    #expect(b.settle(destination, sync: 7) && !destination.hasEnded)
  }
}
