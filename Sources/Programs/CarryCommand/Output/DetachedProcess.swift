import CLinux
import CarrySystem

/// Processes that outlive the tool that starts them: the engine, and the one that serves what `carry copy` has copied.
enum DetachedProcess {
  /// Starts a program in a session of its own, so that neither Ctrl-C nor the end of the terminal's shell ends it. It inherits
  /// no descriptors except those named here: the reader of a pipe would wait for its end. The corresponding C function
  /// is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - words: the program's name and arguments.
  ///   - input: its standard input; nil for none.
  ///   - output: where its standard output goes; nil for nowhere.
  ///   - error: where its standard error goes; nil for nowhere.
  ///   - directory: its working directory, which keeps a file system from being unmounted; nil for the tool's.
  static func start(
    _ program: String, _ words: [String], input: CInt? = nil, output: CInt? = nil, error: CInt? = nil,
    in directory: String? = nil
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, source) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
    }
    clinux_spawn_close_from(&actions, 3)
    if let directory { clinux_spawn_change_directory(&actions, directory) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A tool may have blocked and ignored signals for its own loop.
    var none = sigset_t()
    sigemptyset(&none)
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | clinux_spawn_setsid())
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, program, &actions, &attributes, &argv, clinux_environ())
    guard code == 0 else { throw SystemError(code: code, call: "posix_spawn", subject: program) }
    return pid
  }
}
