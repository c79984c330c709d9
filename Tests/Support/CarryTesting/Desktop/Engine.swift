import CLinux
import CarryModel
import CarrySystem

/// A running carryd with its socket and its files in a folder of its own. Its verbose output can be read. Its session is
/// recorded in the folder that `$CARRY_SESSIONS` names.
package final class Engine: ChildProcess {
  package let folder: TestFolder
  package let socket: String

  /// Starts it, and waits until it listens.
  ///
  /// - Parameters:
  ///   - display: the X server that it serves.
  ///   - script: what it plays before it exits. It begins once the newest region is half a second old.
  ///   - clients: how many programs are to have a region before it plays.
  ///   - settings: what is in its carry.conf; empty for the usual ones.
  ///   - options: more of its options.
  ///   - environment: what differs from the environment of this process.
  ///   - folder: where its socket comes; nil for a new one.
  package init(
    on display: String, playing script: (any Playable)? = nil, clients: Int = 1, settings: String = "",
    options: [String] = [], environment: [String: String?] = [:], in folder: TestFolder? = nil
  ) throws {
    let folder = try folder ?? TestFolder("engine")
    self.folder = folder
    socket = folder.path + "/socket"
    var arguments = [try Checkout.program("carryd"), "--display", display, "--socket", socket, "--verbose"]
    if let script {
      let recording = try folder.write(script.text, to: "recording.events")
      arguments += ["--replay", recording, "--replay-clients", "\(clients)"]
    }
    if !settings.isEmpty { arguments += ["--config", try folder.write(settings, to: "carry.conf")] }
    if let place = CarrySystem.environment("CARRY_SESSIONS") {
      let name = folder.path.split(separator: "/").last.map(String.init) ?? ""
      arguments += ["--record-session", "\(place)/\(name)-\(MonotonicClock.now().microseconds).session"]
    }
    try super.init(arguments + options, environment: environment, output: .pipe)
    // An engine before it may have left a socket.
    guard Wait.until(seconds: 30, { SocketListener.isServed(socket) || !isRunning }), isRunning else {
      throw NotStarted(description: "the engine did not start: \(remainingLines())")
    }
  }

  deinit { stop(SIGKILL) }

  package struct NotStarted: Error, CustomStringConvertible {
    package var description: String
  }
}

/// `carry monitor` on an engine, with which it ends.
package final class MonitorProcess: ChildProcess {
  /// Starts it, and waits until the engine has it: later it would miss the beginning.
  package init(of engine: Engine) throws {
    try super.init(
      [try Checkout.program("carry"), "monitor", "--verbose", "--json", "--with-engine", "--socket", engine.socket],
      output: .pipe)
    guard engine.readLine(where: { $0.contains("is carry monitor") }) != nil else {
      throw Engine.NotStarted(description: "the monitor did not connect")
    }
  }

  /// Waits for a step of a session.
  @discardableResult
  package func step(_ event: String, seconds: Double = 20) -> String? {
    readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") }
  }
}
