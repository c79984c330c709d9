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

  @Test("a helper has the usual signals, and nothing of the engine's service manager") func environment() throws {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    setenv("NOTIFY_SOCKET", "/run/somewhere", 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    // As in the engine.
    clinux_ignore(SIGPIPE)
    let process = try HelperProcess(
      "/bin/sh", ["-c", "exec 1>&3; grep SigIgn /proc/self/status; env"], at: pair.theirs.raw)
    let ours = pair.takeOurs()
    let lines = String(decoding: try Files.readStart(ours.raw, most: 100_000), as: UTF8.self).split(separator: "\n")
    let ignored = lines.first.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
    #expect(ignored.map { $0 & 1 << UInt64(SIGPIPE - 1) } == 0, "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("NOTIFY_SOCKET=") } && lines.contains("CARRY_PROVIDER_SOCKET=3"))
    withExtendedLifetime(process) {}
  }

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
