import CLinux
import Carry
import CarrySystem
import CarryTesting
import Testing

extension GateTests {
  /// The touch gate of an engine.
  private func gate(of engine: ChildProcess) -> pid_t? {
    // The engine has no other child.
    let children = try? Files.readAll("/proc/\(engine.pid)/task/\(engine.pid)/children", limit: 4096)
    return children.flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").first.flatMap { pid_t($0) } }
  }

  /// No descriptor from this number on.
  private func allow(_ engine: ChildProcess, descriptors: Int) throws {
    let tool = try ChildProcess(["prlimit", "--pid", "\(engine.pid)", "--nofile=\(descriptors):"])
    #expect(tool.waitForExit(seconds: 5) == 0)
  }

  @Test("a gate that cannot be started again at first is started when it can be")
  func aGateThatCannotBeStartedAtFirst() throws {
    let s = try Scene()
    let lost = try #require(gate(of: s.engine))
    try allow(s.engine, descriptors: 3)
    kill(lost, SIGKILL)
    #expect(s.engine.readLine { $0.contains("touches cannot be held") } != nil)
    // It is tried each second, and said once.
    var again = 0
    let quiet = s.engine.readLine(seconds: 2.5) {
      again += $0.contains("cannot be held") ? 1 : 0
      return false
    }
    #expect(quiet == nil && again == 0)
    try allow(s.engine, descriptors: 256)
    #expect(s.engine.readLine { $0.contains("touches are held") } != nil)
    s.server.down(1, 200, 150)
    #expect(s.run { s.source.calls.contains("begin") })
    s.server.up(1, 200, 150)
  }
}
