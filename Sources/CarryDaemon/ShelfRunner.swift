import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Starts the shelf's process when a drag begins and it does not run. It ends by itself when there is nothing on the shelf.
final class ShelfRunner {
  private let server: WireServer
  private let displayName: String?
  private var process: HelperProcess?
  private var watch: EventLoop.Source?
  /// Whether the log has mentioned that the process cannot be started.
  private var hasSaidSo = false

  /// The program, started again as the shelf.
  private static let program = "/proc/self/exe"

  init(_ server: WireServer, displayName: String?) {
    (self.server, self.displayName) = (server, displayName)
    server.shelf.onWanted = { [weak self] in self?.start() }
    server.shelf.onEnded = { [weak self] in self?.end() }
  }

  /// The shelf's process, while there is one.
  var pid: Int32? { process?.pid }

  private func start() {
    guard process == nil else { return }
    do throws(SystemError) { try connect() } catch {
      if !hasSaidSo { Log.error("the shelf cannot be started: \(error.sentence)") }
      hasSaidSo = true
    }
  }

  private func connect() throws(SystemError) {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    let arguments =
      ["--shelf-process", String(HelperProcess.socketNumber)] + (displayName.map { ["--display", $0] } ?? [])
      + (Log.threshold == .debug ? ["--verbose"] : [])
    let process = try HelperProcess(Self.program, arguments, at: pair.theirs.raw)
    try server.add(.shelf, at: pair.takeOurs(), process: process.pid)
    self.process = process
    guard process.handle >= 0 else { return }
    watch = server.loop.watch(process.handle) { [weak self] in self?.end() }
  }

  /// Ends the process, and what was on the shelf is nobody's any more.
  func end() {
    watch?.cancel()
    watch = nil
    // Whoever is let go of is killed.
    process = nil
    server.end(.shelf)
  }
}
