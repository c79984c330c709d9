import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Keeps the bridge's process running: starts it, and starts it again when it ends. Without it everything goes on but drags
/// to and from programs of other protocols.
final class BridgeRunner {
  private let server: WireServer
  private let displayName: String?
  private let now: () -> Instant
  private var restart = ProcessRestart()
  private var process: HelperProcess?
  private var watch: EventLoop.Source?
  private var isStopped = true
  private var life = ProcessLife()
  /// Whether it has not answered once. The engine itself may have stood still, with the answer unread.
  private var isSuspected = false

  /// The program, started again as the bridge.
  private static let program = "/proc/self/exe"

  init(_ server: WireServer, displayName: String?, now: @escaping () -> Instant = MonotonicClock.now) {
    (self.server, self.displayName, self.now) = (server, displayName, now)
    server.bridge.onEnded = { [weak self] in self?.ended("the bridge has closed its connection; starting it again") }
    server.bridge.onAsked = { [weak self] in self?.expectsSign() }
    server.bridge.onSign = { [weak self] in
      self?.life.hasSaidSomething()
      self?.isSuspected = false
    }
  }

  private func expectsSign() { if process != nil { life.expectsSign(at: now()) } }

  /// The bridge's process, while there is one.
  var pid: Int32? { process?.pid }

  /// For `carry doctor`.
  var status: EngineStatus.Bridge { isStopped ? .off : process == nil ? .failed : .running }

  /// Starts the process, unless it runs. If that fails, `advance` tries again.
  func start() {
    isStopped = false
    guard process == nil else { return }
    do throws(SystemError) { try connect() } catch {
      let sentence = "the bridge cannot be started: \(error.sentence); other applications take no drops"
      if restart.failed(sentence, at: now()) { Log.error(sentence) }
      return
    }
    restart.succeeded(at: now())
  }

  private func connect() throws(SystemError) {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    let arguments =
      ["--bridge", String(HelperProcess.socketNumber)] + (displayName.map { ["--display", $0] } ?? [])
      + (Log.threshold == .debug ? ["--verbose"] : [])
    (life, isSuspected) = (ProcessLife(), false)
    let process = try HelperProcess(Self.program, arguments, at: pair.theirs.raw)
    self.process = process
    do throws(SystemError) { try server.add(.bridge, at: pair.takeOurs(), process: process.pid) } catch {
      self.process = nil
      throw error
    }
    guard process.handle >= 0 else { return }
    watch = server.loop.watch(process.handle) { [weak self] in
      self?.ended("the bridge's process ended; starting it again")
    }
  }

  /// Ends the process. Only `start` starts it again.
  func stop() {
    isStopped = true
    restart = ProcessRestart()
    end()
  }

  private func end() {
    watch?.cancel()
    watch = nil
    // Whoever is let go of is killed.
    process = nil
    server.end(.bridge)
  }

  private func ended(_ why: String) {
    guard !isStopped, process != nil else { return }
    let now = now()
    if restart.lost(why, at: now) { Log.warning(why) }
    end()
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Instant? { .earliest(restart.due, process == nil ? nil : life.nextDeadline) }

  /// The bridge's messages have been read before.
  func advance(to now: Instant) {
    if restart.takeDue(at: now) { start() }
    guard process != nil else { return }
    switch life.advance(to: now) {
    case .nothing: break
    case .ask: server.pingBridge()
    case .hung where isSuspected: ended("the bridge does not answer; starting it again")
    case .hung:
      isSuspected = true
      life.expectsSign(at: now)
    }
  }
}
