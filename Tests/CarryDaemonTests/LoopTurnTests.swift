import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import Testing

@Suite struct LoopTurnTests {
  @Test("a turn that does not wait returns at once, and calls back for what has happened")
  func aTurnThatDoesNotWait() throws {
    let host = try TestLoop()
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let reader = Descriptor(owning: ends[0])
    let writer = Descriptor(owning: ends[1])
    var count = 0
    let source = host.loop.watch(reader.raw) { count += 1 }
    // A turn that waits ends when this rings.
    let alarm = Descriptor(owning: timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC)))
    var spec = itimerspec()
    spec.it_value.tv_sec = 10
    #expect(timerfd_settime(alarm.raw, 0, &spec, nil) == 0)
    var hasRung = false
    let alarmSource = host.loop.watch(alarm.raw) { hasRung = true }
    // Returns although nothing has happened.
    host.loop.turn(waits: false)
    #expect(count == 0)
    #expect(!hasRung)
    alarmSource.cancel()
    #expect(write(writer.raw, "x", 1) == 1)
    host.loop.turn(waits: false)
    #expect(count == 1)
    source.cancel()
  }
}
