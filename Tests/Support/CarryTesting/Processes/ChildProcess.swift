import CLinux
package import CarrySystem
import Synchronization

/// A program that runs as long as this object lives.
///
/// It starts with no signals blocked: threads of the test runner block all of them, and children would inherit that.
/// Its standard input is empty; its output can be read line by line.
package class ChildProcess {
  package enum Stream { case inherit, discard, pipe }

  /// The process ID.
  package var pid: Int32 { child.pid }
  private let child: Child
  /// The pipe with the child's standard output and error, if they are piped.
  private let output: CInt
  private var buffer: [UInt8] = []

  /// Starts `arguments[0]`, found along PATH. `environment` changes variables; nil removes one. `descriptors` become
  /// the child's 3, 4 and so on.
  package init(
    _ arguments: [String], environment changes: [String: String?] = [:], output stream: Stream = .discard,
    descriptors: [CInt] = []
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var ends: [CInt] = [-1, -1]
    switch stream {
    case .inherit: break
    case .discard:
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    case .pipe:
      try check("pipe2") { clinux_pipe(&ends) }
      posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    }
    // Moved out of the way first: a descriptor may already have the number that another is to get.
    var aside: [CInt] = []
    defer { for fd in aside { close(fd) } }
    for fd in descriptors { aside.append(try check("fcntl") { clinux_dup_above(fd, 64) }) }
    for (n, fd) in aside.enumerated() { posix_spawn_file_actions_adddup2(&actions, fd, CInt(3 + n)) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var variables = ChildProcess.environment()
    for (name, value) in changes { variables[name] = value }
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for p in argv + envp { free(p) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments.first ?? "", &actions, &attributes, &argv, &envp)
    if ends[1] >= 0 { close(ends[1]) }
    guard code == 0 else {
      if ends[0] >= 0 { close(ends[0]) }
      throw SystemError(code: code, call: "posix_spawn", subject: arguments.first ?? "")
    }
    child = Child(pid)
    output = ends[0]
  }

  deinit {
    stop(SIGKILL)
    if output >= 0 { close(output) }
  }

  private static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var p = clinux_environ()
    while let entry = p?.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      p = p?.advanced(by: 1)
    }
    return variables
  }

  package var isRunning: Bool { child.status == nil }

  /// Sends a signal without waiting for its effect.
  package func signal(_ number: CInt) { child.signal(number) }

  /// Sends a signal and waits until the process has ended; kills it if that takes more than a few seconds.
  @discardableResult
  package func stop(_ number: CInt = SIGTERM) -> CInt? {
    signal(number)
    if number != SIGKILL, waitForExit(seconds: 5) != nil { return exitStatus }
    signal(SIGKILL)
    // A process blocked on a device or a file system ends only when that responds.
    return waitForExit(seconds: 60)
  }

  /// The exit status, or 128 plus the signal that ended it; nil if it still runs after the time.
  @discardableResult
  package func waitForExit(seconds: Double) -> CInt? {
    _ = Wait.until(seconds: seconds) { !isRunning }
    return exitStatus
  }

  package var exitStatus: CInt? {
    guard let status = child.status else { return nil }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// Whether there is piped output to read, or its end has been reached.
  package var hasLine: Bool {
    var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return !buffer.isEmpty || poll(&ready, 1, 0) > 0
  }

  /// The next line of piped output, without line end; nil at the end of output or on timeout.
  package func readLine(seconds: Double = 10) -> String? {
    LineReader.next(from: output, &buffer, seconds: seconds)
  }

  /// Reads lines until `matches` holds for one; nil on timeout.
  package func readLine(seconds: Double = 10, where matches: (String) -> Bool) -> String? {
    var found: String?
    _ = Wait.until(seconds: seconds, descriptor: output) {
      // Checked first, so that its last output is available when it has ended.
      let wasRunning = isRunning
      guard let line = readLine(seconds: 0.05) else { return !wasRunning }
      if matches(line) { found = line }
      return found != nil
    }
    return found
  }

  /// Everything that it prints until it ends.
  package func remainingLines() -> [String] {
    var lines: [String] = []
    while let line = readLine(seconds: 10) { lines.append(line) }
    return lines
  }
}

/// A started process. A thread waits for its end and reaps it at once: an exit test waits for any ended child of this
/// process, and hangs if the first one that it finds is never reaped.
private final class Child: Sendable {
  let pid: Int32
  /// The status from waitpid.
  private let end = Mutex<CInt?>(nil)

  init(_ pid: Int32) {
    self.pid = pid
    Leftovers.all.note(process: pid)
    // Without a thread its end is reaped on demand.
    _ = try? Worker.start(isUrgent: true) {
      var info = siginfo_t()
      // Reaped only under the lock: its ID may be reused right afterwards.
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, clinux_errno() == EINTR {}
      _ = self.status
    }
  }

  /// The status from waitpid; nil while it runs.
  var status: CInt? {
    end.withLock { end in
      if end != nil { return end }
      var status: CInt = 0
      let result = waitpid(pid, &status, WNOHANG)
      if result == 0 || (result < 0 && clinux_errno() == EINTR) { return nil }
      end = result == pid ? status : 0
      Leftovers.all.forget(process: pid)
      return end
    }
  }

  /// Sends a signal if it still runs. SIGKILL also reaches a stopped process.
  func signal(_ number: CInt) { end.withLock { if $0 == nil { _ = kill(pid, number) } } }
}

/// Reads lines from a descriptor whose data may arrive in pieces.
enum LineReader {
  static func next(from fd: CInt, _ buffer: inout [UInt8], seconds: Double) -> String? {
    guard fd >= 0 else { return nil }
    var line: String?
    _ = Wait.until(seconds: seconds, descriptor: fd) {
      line = take(from: &buffer)
      if line != nil { return true }
      var ready = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) > 0 else { return false }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let n = read(fd, &chunk, chunk.count)
      if n > 0 { buffer += chunk[..<n] }
      return n == 0
    }
    // Data that arrived at the deadline counts.
    return line ?? take(from: &buffer)
  }

  private static func take(from buffer: inout [UInt8]) -> String? {
    guard let end = buffer.firstIndex(of: 10) else { return nil }
    defer { buffer.removeSubrange(...end) }
    return String(decoding: buffer[..<end], as: UTF8.self)
  }
}
