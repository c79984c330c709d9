import CLinux
import CarrySystem
import CarryTesting
import Testing

/// What tests start their programs with.
@Suite struct ChildProcessTests {
  @Test("a program that has ended is taken in though nobody asks for it: exit tests wait for any child that has ended")
  func isTakenIn() throws {
    let child = try ChildProcess(["true"])
    #expect(Wait.until { kill(child.pid, 0) != 0 })
    #expect(child.exitStatus == 0)
  }

  @Test("a program says what it ended with, and which signal ended it") func status() throws {
    #expect(try ChildProcess(["sh", "-c", "exit 7"]).waitForExit(seconds: 10) == 7)
    let stopped = try ChildProcess(["sleep", "60"])
    stopped.signal(SIGSTOP)
    #expect(stopped.isRunning)
    #expect(stopped.stop(SIGKILL) == 128 + SIGKILL)
  }
}
