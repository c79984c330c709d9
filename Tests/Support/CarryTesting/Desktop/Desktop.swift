import CLinux
import CarrySystem

/// A private X server with a compositing manager, the engine and its monitor: the real programs, each its own process.
package final class Desktop {
  package let server: PrivateXServer
  package let compositor: Compositor?
  package let client: XClient
  package private(set) var engine: Engine
  package private(set) var monitor: MonitorProcess
  package var folder: String { engine.folder.path }
  package var socket: String { engine.socket }

  /// - Parameters:
  ///   - script: as those after it, see `Engine`.
  ///   - kind: a missing manager fails the test: translucency is to be seen, not assumed.
  package init(
    _ script: (any Playable)? = nil, clients: Int = 1, compositor kind: Compositor.Kind? = .picom,
    settings: String = "", options: [String] = [], environment: [String: String?] = [:],
    in folder: TestFolder? = nil
  ) throws {
    server = try PrivateXServer()
    compositor = try kind.map { [server] in try Compositor($0, on: server) }
    guard let client = XClient(server.display) else {
      throw SystemError(code: ECONNREFUSED, call: "XOpenDisplay", subject: server.display)
    }
    self.client = client
    let folder = try folder ?? TestFolder("desktop")
    engine = try Engine(
      on: server.display, playing: script, clients: clients, settings: settings, options: options,
      environment: Self.data(in: folder).merging(environment) { $1 }, in: folder)
    monitor = try MonitorProcess(of: engine)
  }

  // Before the X server goes.
  deinit { engine.stop(SIGKILL) }

  /// Starts the engine anew in its place where it has stopped, with a new monitor.
  package func startEngine(_ script: (any Playable)? = nil, clients: Int = 1) throws {
    // It has its lock until it is gone.
    _ = engine.waitForExit(seconds: 10)
    let folder = engine.folder
    engine = try Engine(
      on: server.display, playing: script, clients: clients, environment: Self.data(in: folder), in: folder)
    monitor = try MonitorProcess(of: engine)
  }

  /// Where programs have their documents; file providers have the engine's environment.
  private static func data(in folder: TestFolder) -> [String: String?] {
    ["XDG_DATA_HOME": folder.path + "/data"]
  }

  /// Starts a program of this build; its output can be read.
  package func start(_ name: String, _ arguments: String...) throws -> ChildProcess { try start(name, arguments) }

  package func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
    let own = ["DISPLAY": server.display, "CARRY_SOCKET": socket, "LC_ALL": "C.UTF-8"]
    return try ChildProcess(
      [try Checkout.program(name)] + arguments, environment: Self.data(in: engine.folder).merging(own) { $1 },
      output: .pipe)
  }

  /// Waits for a step of a session on the monitor.
  @discardableResult
  package func step(_ event: String, seconds: Double = 20) -> String? { monitor.step(event, seconds: seconds) }

  /// Waits until the engine has played everything and exited.
  @discardableResult
  package func playToTheEnd() -> CInt? { engine.waitForExit(seconds: 30) }

  /// Waits until the screen shows what `condition` says: a compositing manager draws on its own time.
  package func shows(_ condition: (Screenshot) -> Bool) -> Bool {
    let isShown = Wait.until(seconds: 10) { client.screenshot().map(condition) ?? false }
    if !isShown { shoot("not-shown-" + folder.suffix(6)) }
    return isShown
  }

  /// Set CARRY_SHOTS to a folder to look at what tests see.
  package func shoot(_ name: String) {
    guard let folder = environment("CARRY_SHOTS") else { return }
    client.screenshot()?.write(to: folder + "/" + name + ".png")
  }
}
