import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Keeps the bridge's process running: starts it, and restarts it when it exits. Without it everything works except
/// drags to and from foreign applications.
final class BridgeRunner {
  private let server: WireServer
  private let now: () -> Instant
  private let process: CompanionProcess
  private var restart = ProcessRestart()
  private var isStopped = true

  init(_ server: WireServer, displayName: String?, now: @escaping () -> Instant = MonotonicClock.now) {
    (self.server, self.now) = (server, now)
    process = CompanionProcess(.bridge, option: "--bridge", server, displayName: displayName, now: now)
    process.onEnd = { [weak self] in self?.ended("the bridge's process ended; starting it again") }
    server.bridge.onEnded = { [weak self] in self?.ended("the bridge has closed its connection; starting it again") }
    server.bridge.onAsked = { [weak self] in self?.process.expectHeartbeat() }
    server.bridge.onSign = { [weak self] in self?.process.hasSaidSomething() }
  }

  /// The pid of the bridge's process, if it runs.
  var pid: Int32? { process.pid }

  /// For `carry doctor`.
  var status: EngineStatus.Bridge { isStopped ? .off : process.isRunning ? .running : .failed }

  /// Starts the process, unless it runs. If that fails, `advance` tries again.
  func start() {
    isStopped = false
    guard !process.isRunning else { return }
    do throws(SystemError) { try process.start() } catch {
      let sentence = "the bridge cannot be started: \(error.sentence); other applications take no drops"
      if restart.failed(sentence, at: now()) { Log.error(sentence) }
      return
    }
    restart.succeeded(at: now())
  }

  /// Ends the process. Only `start` starts it again.
  func stop() {
    isStopped = true
    restart = ProcessRestart()
    process.end()
  }

  private func ended(_ why: String) {
    guard !isStopped, process.isRunning else { return }
    if restart.lost(why, at: now()) { Log.warning(why) }
    process.end()
  }

  // MARK: Time

  /// When `advance` has to be called.
  var nextDeadline: Instant? { .earliest(restart.due, process.nextDeadline) }

  /// The caller has already read the bridge's messages.
  func advance(to now: Instant) {
    if restart.takeDue(at: now) { start() }
    switch process.advance(to: now) {
    case .nothing: break
    case .ask: server.pingBridge()
    case .hung: ended("the bridge does not answer; starting it again")
    }
  }
}
