import CLinux

/// A program that the engine starts with one end of a socket and terminates later. It leads a process group: its
/// forks are terminated with it, unless they have left the group on purpose.
package final class HelperProcess {
  package let pid: Int32
  /// Readable once the process has ended; -1 if the kernel does not support this.
  package let handle: CInt
  private var isReaped = false

  /// Starts a program, which finds the socket at the descriptor in `$CARRY_PROVIDER_SOCKET`. The corresponding C
  /// function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the program.
  ///   - arguments: Without the program's name.
  ///   - socket: The program's end; the caller closes it.
  package init(_ path: String, _ arguments: [String] = [], at socket: CInt) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, socket, Self.socketNumber)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // The engine ignores SIGPIPE.
    sigaddset(&none, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for p in argv { free(p) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("\(Self.variable)=\(Self.socketNumber)")]
    defer { free(variables[0]) }
    var next = clinux_environ()
    while let entry = next?.pointee {
      if !Self.isOwn(String(cString: entry)) { variables.append(entry) }
      next = next?.successor()
    }
    variables.append(nil)
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &variables)
    guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", subject: path) }
    self.pid = pid
    handle = clinux_open_process(pid)
  }

  deinit {
    end()
    if handle >= 0 { close(handle) }
  }

  /// Whether a variable is the engine's own: a helper has another socket, and does not talk to the service manager.
  private static func isOwn(_ entry: String) -> Bool {
    [variable, "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"].contains { entry.hasPrefix($0 + "=") }
  }

  /// The environment variable with the socket's descriptor, and that descriptor.
  package static let variable = "CARRY_PROVIDER_SOCKET"
  package static let socketNumber: CInt = 3

  /// Asks the process and its forks to terminate. The corresponding C function is `kill`.
  package func terminate() { if !isReaped { CLinux.kill(-pid, SIGTERM) } }

  package func kill() { if !isReaped { CLinux.kill(-pid, SIGKILL) } }

  /// Whether the process has ended. If so, kills its forks.
  package var hasEnded: Bool {
    guard !isReaped else { return true }
    var information = siginfo_t()
    // The process ID is not reused before it is waited for, so no other process is killed.
    let hasEnded = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
    if hasEnded { reap() }
    return hasEnded
  }

  /// Kills the process and waits for its end, but no longer than `ProcessEnd` does.
  package func end() { if !isReaped { reap() } }

  private func reap() {
    CLinux.kill(-pid, SIGKILL)
    isReaped = true
    ProcessEnd.wait(for: pid)
  }
}
