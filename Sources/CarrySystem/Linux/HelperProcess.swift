import CLinux

/// A program that the engine starts with one end of a socket, and ends again. It is the leader of a process group: what it
/// forks is ended with it, unless it has left the group on purpose.
package final class HelperProcess {
  package let pid: Int32
  /// Readable once the process has ended; -1 where the kernel cannot tell.
  package let handle: CInt
  private var isReaped = false

  /// Starts a program. The program finds the socket as the descriptor whose number is in
  /// `$CARRY_PROVIDER_SOCKET`. The corresponding C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - path: of the program; absolute.
  ///   - arguments: without the program's name.
  ///   - socket: the program's end, which stays the caller's to close.
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
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for p in argv { free(p) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("\(Self.variable)=\(Self.socketNumber)")]
    defer { free(variables[0]) }
    var next = clinux_environ()
    while let entry = next?.pointee {
      if strncmp(entry, "\(Self.variable)=", Self.variable.utf8.count + 1) != 0 { variables.append(entry) }
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

  /// The environment variable with the number of the socket, and the number.
  package static let variable = "CARRY_PROVIDER_SOCKET"
  package static let socketNumber: CInt = 3

  /// Asks the process and all that it has forked to end. The corresponding C function is `kill`.
  package func terminate() { if !isReaped { CLinux.kill(-pid, SIGTERM) } }

  package func kill() { if !isReaped { CLinux.kill(-pid, SIGKILL) } }

  /// Whether the process has ended. If so, what it has forked is killed.
  package var hasEnded: Bool {
    guard !isReaped else { return true }
    var information = siginfo_t()
    // The number is not given away while the process is not waited for, so that nobody else is killed.
    let hasEnded = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
    if hasEnded { reap() }
    return hasEnded
  }

  /// Kills the process, and waits for its end, but not for longer than `ProcessEnd` does.
  package func end() { if !isReaped { reap() } }

  private func reap() {
    CLinux.kill(-pid, SIGKILL)
    isReaped = true
    ProcessEnd.wait(for: pid)
  }
}
