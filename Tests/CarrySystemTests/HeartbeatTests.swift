import CarryModel
import CarrySystem
import CLinux
import Testing

@Suite struct HeartbeatTests {
  @Test("the heartbeat is half of what the service manager waits") func half() {
    let own = "\(getpid())"
    #expect(ServiceManager.heartbeat(pid: own, microseconds: "60000000") == .seconds(30))
    #expect(ServiceManager.heartbeat(pid: nil, microseconds: "60000000") == .seconds(30))
    #expect(ServiceManager.heartbeat(pid: "1", microseconds: "60000000") == nil)
    for text in [nil, "", "0", "1", "-5", "x", "99999999999999999999"] {
      #expect(ServiceManager.heartbeat(pid: own, microseconds: text) == nil)
    }
  }
}
