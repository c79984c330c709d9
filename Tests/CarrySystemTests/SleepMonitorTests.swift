import CLinux
@testable import CarrySystem
import CarryModel
import Testing

@Suite struct SleepMonitorTests {
  @Test("Z5: sleep is told from clocks that are set") func Z5_sleepIsToldFromClocksThatAreSet() throws {
    let monitor = try SleepMonitor()
    #expect(!monitor.read())
    var ready = pollfd(fd: monitor.fileDescriptor, events: Int16(POLLIN), revents: 0)
    // Nothing has happened: nobody is woken.
    #expect(poll(&ready, 1, 0) == 0)
    _ = monitor.update(.seconds(10))
    let again = [monitor.update(.seconds(10)), monitor.update(.seconds(40)), monitor.update(.seconds(40))]
    #expect(again == [false, true, false])
  }
}
