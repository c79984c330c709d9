import CLinux
import Carry
import CarryModel
import CarrySystem

/// How the tools with windows get to the engine.
enum EngineConnection {
  /// Connects, and reports on standard error why there is no engine.
  ///
  /// With `--start-engine`, which menu entries and file managers give, an engine is started where there is none. Nobody
  /// reads standard error there, so a window says why that failed.
  ///
  /// - Returns: nil without an engine.
  static func open(_ name: String, _ arguments: Arguments, _ printer: Printer) -> Client? {
    let socket = arguments.value("socket")
    do { return try Client(name: name, socket: socket) } catch {
      guard arguments.has("start-engine") else {
        printer.error(error.description)
        return nil
      }
    }
    do throws(Problem) { return try start(name, socket) } catch {
      printer.error(error.sentence)
      MessageWindow.show(title: "Carry does not run", error.sentence)
      return nil
    }
  }

  /// Seconds that an engine may take until it listens.
  private static let patience = 10.0

  private static func start(_ name: String, _ socket: String?) throws(Problem) -> Client {
    let program = self.program
    let pid: pid_t
    do {
      pid = try DetachedProcess.start(
        program, ["carryd"] + (socket.map { ["--socket", Files.absolute($0)] } ?? []), in: "/")
    } catch {
      throw Problem("the engine cannot be started: \(error.sentence)")
    }
    let deadline = MonotonicClock.now().seconds + patience
    while MonotonicClock.now().seconds < deadline {
      if let client = try? Client(name: name, socket: socket) { return client }
      var status: CInt = 0
      if waitpid(pid, &status, WNOHANG) == pid { throw Problem(reason(status >> 8 & 0xFF)) }
      // Milliseconds.
      poll(nil, 0, 20)
    }
    throw Problem(
      "the engine, process \(pid), does not answer after \(Int(patience)) s; carry doctor says what is wrong")
  }

  /// The path of this tool; empty if it is not known.
  static var own: String {
    var buffer = [CChar](repeating: 0, count: 4097)
    let n = readlink("/proc/self/exe", &buffer, 4096)
    return n > 0 ? String(decoding: buffer[..<n].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
  }

  /// The engine beside this tool, or the one of `$PATH`.
  static var program: String {
    let own = self.own
    if let slash = own.lastIndex(of: "/") {
      let beside = own[...slash] + "carryd"
      if access(String(beside), X_OK) == 0 { return String(beside) }
    }
    for folder in (environment("PATH") ?? "").split(separator: ":") where access("\(folder)/carryd", X_OK) == 0 {
      return "\(folder)/carryd"
    }
    return "carryd"
  }

  /// Why an engine ended as it began: what `carry doctor` finds first.
  private static func reason(_ status: CInt) -> String {
    let arguments = try? Arguments([], options: DoctorCommand.options)
    let findings = arguments.map { DoctorCommand.look($0).findings } ?? []
    guard let first = findings.first(where: { $0.state == .failed && $0.check != "engine" }) else {
      return "the engine has ended with status \(status); carry doctor says what is wrong"
    }
    return first.message + (first.advice.isEmpty ? "" : ": \(first.advice)")
  }
}
