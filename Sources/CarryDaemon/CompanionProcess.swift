import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// The process of one of the engine's companions: this program, started again as a client of the engine's own.
final class CompanionProcess {
  private let companion: Companion
  private let arguments: [String]
  private let server: WireServer
  private let now: () -> Instant
  private var process: HelperProcess?
  private var watch: EventLoop.Source?
  private var life = ProcessLife()
  /// Whether it has not answered once. The engine itself may have stood still, with the answer unread.
  private var isSuspected = false
  /// Called when the process has ended by itself.
  var onEnd: (() -> Void)?

  /// The engine's own program, whatever has become of its file.
  private static let program = "/proc/self/exe"

  /// - Parameters:
  ///   - option: tells the program what it is; the number of its socket follows.
  ///   - displayName: the X display; nil for the one in `$DISPLAY`.
  init(
    _ companion: Companion, option: String, _ server: WireServer, displayName: String?, now: @escaping () -> Instant
  ) {
    (self.companion, self.server, self.now) = (companion, server, now)
    arguments =
      [option, String(HelperProcess.socketNumber)] + (displayName.map { ["--display", $0] } ?? [])
      + (Log.threshold == .debug ? ["--verbose"] : [])
  }

  /// nil while it does not run.
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

  /// Kills the process, and hangs up.
  func end() {
    watch?.cancel()
    watch = nil
    // Whoever is let go of is killed.
    process = nil
    server.end(companion)
  }

  // MARK: Whether it lives

  /// It was told something, which it answers.
  func expectsSign() { if isRunning { life.expectsSign(at: now()) } }

  func hasSaidSomething() {
    life.hasSaidSomething()
    isSuspected = false
  }

  /// When `advance` wants to be called.
  var nextDeadline: Instant? { isRunning ? life.nextDeadline : nil }

  /// What to do now. The process's messages have been read before.
  func advance(to now: Instant) -> ProcessLife.Verdict {
    guard isRunning else { return .nothing }
    let verdict = life.advance(to: now)
    guard verdict == .hung, !isSuspected else { return verdict }
    isSuspected = true
    life.expectsSign(at: now)
    return .nothing
  }
}
