import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import Testing

@Suite struct LoopTurnTests {
  @Test("C13: a turn that does not wait returns at once, and calls back for what has happened")
  func C13_aTurnThatDoesNotWait() throws {
    let host = try TestLoop()
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let reader = Descriptor(owning: ends[0])
    let writer = Descriptor(owning: ends[1])
    var count = 0
    let source = host.loop.watch(reader.raw) { count += 1 }
    // Returns although nothing has happened, and nothing will.
    host.loop.turn(waits: false)
    #expect(count == 0)
    #expect(write(writer.raw, "x", 1) == 1)
    host.loop.turn(waits: false)
    #expect(count == 1)
    source.cancel()
  }
}
