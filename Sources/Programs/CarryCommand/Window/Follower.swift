import CLinux
import CarryModel
import CarrySystem

/// A program that `carry drop --exec` runs for something that was saved. Nobody waits for it.
final class Follower {
  /// Can be read when the program has ended.
  let process: Descriptor
  private let pid: pid_t
  private let program: String

  /// Runs the program with the path as its argument. It is looked for in `$PATH`, and no shell has a part in it.
  init(_ program: String, _ path: String) throws(Problem) {
    self.program = program
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tool blocks and ignores signals for its own loop.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    sigaddset(&none, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(path), nil]
    defer { for argument in arguments { free(argument) } }
    var started = pid_t()
    let failed = posix_spawnp(&started, program, nil, &attributes, &arguments, clinux_environ())
    guard failed == 0 else { throw Problem("\(program): \(String(cString: strerror(failed)))") }
    pid = started
    let watched = clinux_open_process(started)
    guard watched >= 0 else { throw Problem(SystemError.last("pidfd_open", program).sentence) }
    process = Descriptor(owning: watched)
  }

  /// Takes note of its end. Call it once `process` can be read.
  ///
  /// - Returns: what went wrong; nil for nothing.
  func end() -> String? {
    var status: CInt = 0
    guard waitpid(pid, &status, 0) == pid else { return nil }
    let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
    if signal != 0 { return "\(program) was ended by signal \(signal)" }
    return code == 0 ? nil : "\(program) ended with status \(code)"
  }
}
