import CLinux
package import CarryModel
package import CarrySystem

/// The arguments of a gate's process.
package struct GateJob: Equatable, Sendable {
  package var kind: GateKind
  /// Nil for the display that the environment names.
  package var displayName: String?
  /// Maximum time for which anything is held.
  package var patience: Interval
}

/// Starts the process of a gate. A test may play the gate instead.
package protocol GateSpawner {
  /// Starts a gate that answers at the socket. The caller closes the socket.
  ///
  /// - Returns: the child to wait for at the end; 0 if there is none.
  func spawn(_ job: GateJob, at socket: CInt) throws(SystemError) -> CInt
}

/// Starts a program as a gate.
package struct GateProgram: GateSpawner {
  private let path: String

  /// - Parameter path: the path of `carryd`; by default this program.
  package init(_ path: String = "/proc/self/exe") { self.path = path }

  /// The corresponding C function is `posix_spawn`.
  package func spawn(_ job: GateJob, at socket: CInt) throws(SystemError) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A process group of its own, so that a signal to the engine's group does not stop or kill the gate.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let arguments =
      ["carryd", "--\(job.kind.rawValue)", "3", "--patience-us", String(job.patience.microseconds)]
      + (job.displayName.map { ["--display", $0] } ?? [])
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for p in argv { free(p) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, &argv, clinux_environ())
    guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", subject: job.kind.name) }
    return pid
  }
}
