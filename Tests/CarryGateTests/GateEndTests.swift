import CLinux
import CarryGate
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@Suite struct GateEndTests {
  /// Starts what only sleeps.
  private final class Sleeper: GateSpawner {
    private(set) var pid: pid_t = 0

    func spawn(_ job: GateJob, at socket: CInt) throws(SystemError) -> CInt {
      var argv: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
      defer { for word in argv { free(word) } }
      let code = posix_spawn(&pid, "/bin/sleep", nil, nil, &argv, clinux_environ())
      guard code == 0 else { throw SystemError(code: code, call: "posix_spawn") }
      return pid
    }
  }

  /// Holds a process as a debugger does: after its end nobody else can wait for it.
  private static let holder = """
    import ctypes, sys, time
    # PTRACE_SEIZE
    held = ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None) == 0
    print("held" if held else "not held", flush=True)
    time.sleep(60)
    """

  @Test("a gate that does not end when it is killed is not waited for") func aGateThatDoesNotEnd() throws {
    let sleeper = Sleeper()
    let gate = Gate<TouchEvent>(displayName: nil, patience: .milliseconds(600), spawner: sleeper)
    try gate.start()
    let holder = try ChildProcess(["python3", "-c", Self.holder, "\(sleeper.pid)"], output: .pipe)
    // Some systems let nobody hold processes.
    guard holder.readLine(seconds: 10) != "not held" else { return }
    // The thread that would wait for ever is not the test's: then the test would hang.
    let box = Box(gate)
    try Worker.start {
      box.gate.stop()
      box.hasStopped.store(true, ordering: .releasing)
    }
    let isFree = Wait.until { box.hasStopped.load(ordering: .acquiring) }
    #expect(isFree && !box.gate.isRunning)
    // Once it is over, nothing is left of it.
    holder.stop(SIGKILL)
    let isGone = Wait.until { kill(sleeper.pid, 0) != 0 }
    #expect(isGone)
  }

  /// One thread at a time uses it.
  private final class Box: @unchecked Sendable {
    let gate: Gate<TouchEvent>
    let hasStopped = Atomic(false)
    init(_ gate: Gate<TouchEvent>) { self.gate = gate }
  }
}
