import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@Suite struct HelperProcessTests {
  /// Holds a process as a debugger does: after its end nobody else can wait for it.
  private static let holder = """
    import ctypes, sys, time
    libc = ctypes.CDLL(None, use_errno=True)
    # PTRACE_SEIZE
    held = libc.ptrace(0x4206, int(sys.argv[1]), None, None) == 0
    print("held" if held else "not held", flush=True)
    time.sleep(60)
    """

  @Test("a process that does not end when it is killed, as in a file system that hangs, is not waited for")
  func aProcessThatDoesNotEnd() throws {
    var pair: [CInt] = [-1, -1]
    try check("socketpair") { socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) }
    let (ours, theirs) = (pair[0], pair[1])
    defer { for end in [ours, theirs] { close(end) } }
    let process = try HelperProcess("/bin/sleep", ["60"], at: theirs)
    let holder = try ChildProcess(["python3", "-c", Self.holder, "\(process.pid)"], output: .pipe)
    // Some systems let nobody hold processes.
    guard holder.readLine(seconds: 10) != "not held" else { return }
    let before = MonotonicClock.now()
    process.end()
    #expect((MonotonicClock.now() - before).seconds < 1)
    #expect(process.hasEnded)
    // Once it is over, nothing is left of it.
    holder.stop(SIGKILL)
    let isGone = Wait.until { kill(process.pid, 0) != 0 }
    #expect(isGone)
  }
}
