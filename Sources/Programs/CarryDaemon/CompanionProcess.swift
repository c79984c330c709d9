import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// The process of one of the engine's companions: this program, started again as a client of the engine.
final class CompanionProcess {
  private let companion: Companion
  private let arguments: [String]
  private let server: WireServer
  private let now: () -> Instant
  private var process: HelperProcess?
  private var watch: EventLoop.Source?
  private var life = ProcessLife()
  /// Whether it has failed to answer once. The engine itself may have stalled, with the answer unread.
  private var isSuspected = false
  /// Called when the process has exited by itself.
  var onEnd: (() -> Void)?

  /// The engine's own program, even if its file was replaced or removed.
  private static let program = "/proc/self/exe"

  /// - Parameters:
  ///   - option: selects the companion; the number of its socket follows.
  ///   - displayName: the X display; nil for the one in `$DISPLAY`.
  init(
    _ companion: Companion, option: String, _ server: WireServer, displayName: String?, now: @escaping () -> Instant
  ) {
    (self.companion, self.server, self.now) = (companion, server, now)
    arguments =
      [option, String(HelperProcess.socketNumber)] + (displayName.map { ["--display", $0] } ?? [])
      + (Log.threshold == .debug ? ["--verbose"] : [])
  }

  /// Nil while it does not run.
  var pid: Int32? { process?.pid }
  var isRunning: Bool { process != nil }

  /// Starts the process, unless it runs.
  func start() throws(SystemError) {
    guard process == nil else { return }
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    (life, isSuspected) = (ProcessLife(), false)
    let process = try HelperProcess(Self.program, arguments, at: pair.theirs.raw)
    try server.add(companion, at: pair.takeOurs(), process: process.pid)
    self.process = process
    guard process.handle >= 0 else { return }
    watch = server.loop.watch(process.handle) { [weak self] in self?.onEnd?() }
  }

  /// Kills the process, and closes its connection.
  func end() {
    watch?.cancel()
    watch = nil
    // Releasing the process object kills the process.
    process = nil
    server.end(companion)
  }

  // MARK: Liveness

  /// A message was sent that the process has to answer.
  func expectHeartbeat() { if isRunning { life.expectHeartbeat(at: now()) } }

  func hasSaidSomething() {
    life.hasSaidSomething()
    isSuspected = false
  }

  /// When `advance` has to be called.
  var nextDeadline: Instant? { isRunning ? life.nextDeadline : nil }

  /// Returns what to do now. The caller has already read the process's messages.
  func advance(to now: Instant) -> ProcessLife.Verdict {
    guard isRunning else { return .nothing }
    let verdict = life.advance(to: now)
    guard verdict == .hung, !isSuspected else { return verdict }
    isSuspected = true
    life.expectHeartbeat(at: now)
    return .nothing
  }
}
