import CarrySystem
import CarryTesting
import Synchronization
import Testing

extension DisplayTests {
  /// Several threads, each with connections of its own.
  @Suite struct Threads {
    @Test("connections that use XInput begin and end on several threads at once")
    func connectionsOfSeveralThreads() throws {
      let server = try PrivateXServer()
      let name = server.display
      let count = Mutex((begun: 0, ended: 0))
      for _ in 0..<4 {
        try Worker.start {
          for _ in 0..<50 {
            let opcode = XClient(name)?.beginXInput()
            count.withLock { $0.begun += opcode == nil ? 0 : 1 }
          }
          count.withLock { $0.ended += 1 }
        }
      }
      #expect(Wait.until(seconds: 60) { count.withLock { $0 } == (200, 4) })
    }
  }
}
