import CarryModel
import CarryWireServer
import Testing

@Suite struct FlushTests {
  @Test("clients are looked at when one of them is told something, and not in every turn")
  func flushes() throws {
    let bench = try Bench()
    let client = try bench.client()
    bench.makeRegion(client)
    let before = bench.server.flushCount
    for _ in 0..<10 { bench.server.flush() }
    #expect(bench.server.flushCount == before)
    // An event is sent with the next flush.
    bench.offer()
    #expect(!client.hasReceived(4))
    bench.server.flush()
    #expect(client.hasReceived(4))
    #expect(bench.server.flushCount == before + 1)
  }
}
