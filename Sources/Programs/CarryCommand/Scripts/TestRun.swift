import CLinux
import Carry
import CarryModel
import CarryRecordings
import CarrySystem

/// One script before its programs: an X server, an engine and the programs, which end with the run.
final class TestRun {
  /// How long the server and the engine may take to start, and the programs to show their regions.
  private static let patience = Interval.seconds(30)

  private let file: String
  private let script: GestureScript
  private let programs: [String]
  /// How the files are called that are kept.
  private let name: String
  private let wanted: Int
  private let screen: Size
  private let keep: String
  private let interruption: Interruption
  /// The newest first.
  private var processes: [(name: String, pid: pid_t)] = []

  init(
    _ file: String, named name: String, _ script: GestureScript, _ programs: [String], wanted: Int, screen: Size,
    keep: String, _ interruption: Interruption
  ) {
    (self.file, self.name, self.script, self.programs) = (file, name, script, programs)
    (self.wanted, self.screen, self.keep, self.interruption) = (wanted, screen, keep, interruption)
  }

  deinit { end() }

  /// Ends the programs first: one that loses its X server would say so.
  private func end() {
    for (_, pid) in processes {
      // With its children: each process leads a session of its own.
      kill(-pid, SIGTERM)
      // Two seconds. A process that has ended is waited for once: its number may be another's then.
      var hasEnded = false
      for _ in 0..<200 {
        hasEnded = waitpid(pid, nil, WNOHANG) != 0
        if hasEnded { break }
        poll(nil, 0, 10)
      }
      guard !hasEnded else { continue }
      kill(-pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    processes = []
  }

  func run(_ report: inout TestReport) throws(Problem) {
    let base = "\(keep)/\(name)"
    do throws(SystemError) { try Self.makeFolder(keep) } catch { throw Problem("\(keep): \(error.reason)") }
    // Files of the run before; a link would lead elsewhere.
    for kind in ["output", "log", "session", "png"] { unlink("\(base).\(kind)") }
    let output = try Self.create("\(base).output"), log = try Self.create("\(base).log")
    let display = try startServer(log)
    setenv("DISPLAY", display, 1)
    // Toolkits would prefer the desktop's own compositor.
    unsetenv("WAYLAND_DISPLAY")
    let folder = try Self.makeTemporaryFolder()
    defer {
      for file in ["socket", "socket.lock", "carry.conf"] { unlink("\(folder)/\(file)") }
      rmdir(folder)
    }
    let socket = "\(folder)/socket"
    _ = try Self.create("\(folder)/carry.conf")
    setenv("CARRY_SOCKET", socket, 1)
    defer { end() }
    let session = "\(base).session"
    let client = try startEngine(display, folder, session, log)
    let player = try ScriptPlayer(client, screen: screen, interruption: interruption)
    let steps = Printer(capturing: true)
    player.onStep = { step in if step.kind != "updated" { StepLine.print(step, steps) } }
    for program in programs {
      try start(program, "/bin/sh", ["sh", "-c", "exec \(program)"], output: output)
    }
    try waitForRegions(player)
    var problem: Problem?
    do { try player.play(script, file: SafeText.displayable(file, limit: 4096)) } catch let error as Problem {
      problem = error
    } catch { problem = Problem(sentence(of: error)) }
    let failed = problem != nil || player.outcomes.contains { $0.failure != nil }
    for outcome in player.outcomes {
      report.add("\(file):\(outcome.line): \(outcome.words)", failure: outcome.failure)
    }
    // What was expected behind the mistake did not come either.
    for (line, expectation) in script.expectations.dropFirst(player.outcomes.count) {
      report.add("\(file):\(line): \(ScriptPlayer.words(expectation))", failure: problem?.sentence ?? "not reached")
    }
    if failed {
      steps.flush()
      Output.write(steps.output, to: log.raw)
      let picture = savePicture("\(base).png")
      report.addDiagnostic("kept: \(base).output, \(base).log, \(session)" + (picture ? ", \(base).png" : ""))
      if player.hasDrags { report.addDiagnostic("carry replay --explain \(session) says what lay under the finger") }
    } else {
      unlink("\(base).output")
      unlink("\(base).log")
      unlink(session)
      rmdir(keep)
    }
  }

  // MARK: Programs

  private func startServer(_ log: borrowing Descriptor) throws(Problem) -> String {
    do throws(SystemError) {
      let pipe = try Pipe()
      // The server's standard output is the pipe to which it writes its number.
      let pid = try DetachedProcess.start(
        try Self.find("Xvfb"),
        [
          "Xvfb", "-displayfd", "1", "-screen", "0", "\(Int(screen.width))x\(Int(screen.height))x24", "-noreset",
          "-nolisten", "tcp",
        ], output: pipe.write.raw, error: log.raw)
      processes.insert(("Xvfb", pid), at: 0)
      let reading = pipe.takeReading()
      var text = ""
      let deadline = MonotonicClock.now() + Self.patience
      while !text.hasSuffix("\n"), MonotonicClock.now() < deadline, !interruption.hasHappened {
        var fd = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
        poll(&fd, 1, 500)
        guard fd.revents != 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 16)
        let n = read(reading.raw, &bytes, bytes.count)
        guard n > 0 else { break }
        text += String(decoding: bytes[..<n], as: UTF8.self)
      }
      guard let number = Int(text.dropLast()) else { throw SystemError(code: ETIMEDOUT, call: "Xvfb") }
      return ":\(number)"
    } catch {
      try interruption.check()
      throw Problem("Xvfb does not start: \(error.sentence); install the package xvfb", status: 3)
    }
  }

  private func startEngine(
    _ display: String, _ folder: String, _ session: String, _ log: borrowing Descriptor
  ) throws(Problem) -> Client {
    let engine = EngineConnection.program
    let pid: pid_t
    do throws(SystemError) {
      pid = try DetachedProcess.start(
        engine,
        [
          "carryd", "--test", "--display", display, "--socket", "\(folder)/socket", "--config", "\(folder)/carry.conf",
          "--record-session", session,
        ], error: log.raw)
    } catch {
      throw Problem("\(engine) does not start: \(error.sentence)", status: 3)
    }
    processes.insert(("carryd", pid), at: 0)
    let deadline = MonotonicClock.now() + Self.patience
    while MonotonicClock.now() < deadline {
      if let client = try? Client(name: "carry test", socket: "\(folder)/socket") { return client }
      try interruption.check()
      guard waitpid(pid, nil, WNOHANG) == 0 else {
        processes.removeFirst()
        throw Problem("the engine has ended as it began; its log is in \(keep)", status: 3)
      }
      poll(nil, 0, 20)
    }
    throw Problem("the engine does not answer", status: 3)
  }

  private func start(
    _ name: String, _ path: String, _ words: [String], output: borrowing Descriptor
  ) throws(Problem) {
    do throws(SystemError) {
      processes.insert(
        (name, try DetachedProcess.start(path, words, output: output.raw, error: output.raw)), at: 0)
    } catch {
      throw Problem("\(name) does not start: \(error.sentence)", status: 3)
    }
  }

  private func waitForRegions(_ player: ScriptPlayer) throws(Problem) {
    let deadline = MonotonicClock.now() + Self.patience
    var shown: Set<Int32> = []
    while true {
      shown = Set(try player.list().filter { $0.rect != nil && !$0.isForeign }.compactMap(\.process))
      if shown.count >= wanted { return }
      for (name, pid) in processes where waitpid(pid, nil, WNOHANG) == pid {
        processes.removeAll { $0.pid == pid }
        throw Problem("'\(name)' has ended before the script began; its output is in \(keep)", status: 3)
      }
      guard MonotonicClock.now() < deadline else { break }
      poll(nil, 0, 50)
    }
    let silent = processes.filter { programs.contains($0.name) && !shown.contains($0.pid) }.map { "'\($0.name)'" }
    throw Problem(
      "no region of \(silent.reversed().joined(separator: ", ")) is on the screen after \(Int(Self.patience.seconds)) s; "
        + "--wait says how many programs make regions", status: 3)
  }

  // MARK: Files

  private static func makeFolder(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o755) != 0, clinux_errno() != EEXIST else { return }
    throw SystemError(code: clinux_errno(), call: "mkdir", subject: path)
  }

  private static func makeTemporaryFolder() throws(Problem) -> String {
    var path = Array("/tmp/carry-test-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw Problem("/tmp: \(SystemError.last("mkdtemp").reason)") }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func create(_ path: String) throws(Problem) -> Descriptor {
    do throws(SystemError) {
      return try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, mode: 0o644)
    } catch {
      throw Problem("\(SafeText.displayable(path, limit: 4096)): \(error.reason)")
    }
  }

  private static func find(_ program: String) throws(SystemError) -> String {
    for folder in (environment("PATH") ?? "").split(separator: ":") where access("\(folder)/\(program)", X_OK) == 0 {
      return "\(folder)/\(program)"
    }
    throw SystemError(code: ENOENT, call: "exec", subject: program)
  }

  /// Saves a picture of the screen, if ImageMagick is there; returns whether it is saved.
  private func savePicture(_ path: String) -> Bool {
    guard let tool = try? Self.find("import"),
      let pid = try? DetachedProcess.start(tool, ["import", "-window", "root", path])
    else { return false }
    // A program may hold the server.
    let deadline = MonotonicClock.now() + .seconds(5)
    var status: CInt = 0
    while MonotonicClock.now() < deadline, !interruption.hasHappened {
      if waitpid(pid, &status, WNOHANG) != 0 { return status == 0 }
      poll(nil, 0, 10)
    }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    return false
  }
}
