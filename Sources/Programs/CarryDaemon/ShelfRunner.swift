import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Starts the shelf's process when a drag begins and it is not running, and kills one that hangs, because its window
/// would stay on the screen. The process exits by itself when the shelf is empty.
final class ShelfRunner {
  private let server: WireServer
  private let process: CompanionProcess
  private let now: () -> Instant
  /// Whether the log has mentioned that the process cannot be started.
  private var hasSaidSo = false
  private var hasFailed = false
  /// A process that keeps exiting is restarted at increasing intervals.
  private var restart = ProcessRestart()

  /// The state of the process.
  var status: EngineStatus.Shelf.Process { process.isRunning ? .running : hasFailed ? .failed : .waiting }

  init(_ server: WireServer, displayName: String?, now: @escaping () -> Instant = MonotonicClock.now) {
    (self.server, self.now) = (server, now)
    process = CompanionProcess(.shelf, option: "--shelf-process", server, displayName: displayName, now: now)
    process.onEnd = { [weak self] in self?.ended() }
    server.shelf.onWanted = { [weak self] in self?.start() }
    server.shelf.onEnded = { [weak self] in self?.ended() }
    server.shelf.onAsked = { [weak self] in self?.process.expectHeartbeat() }
    server.shelf.onSign = { [weak self] in self?.process.hasSaidSomething() }
  }

  private func start() {
    let now = now()
    if let due = restart.due, now < due { return }
    _ = restart.takeDue(at: now)
    guard !process.isRunning else { return }
    do throws(SystemError) {
      try process.start()
      restart.succeeded(at: now)
      hasFailed = false
    } catch {
      hasFailed = true
      if !hasSaidSo { Log.error("the shelf cannot be started: \(error.sentence)") }
      hasSaidSo = true
    }
  }

  /// The process exits by itself when it has nothing to show; otherwise it failed, or its window was destroyed.
  private func ended() {
    guard process.isRunning else { return }
    let why = "the shelf ended while it was needed"
    if server.shelf.place != nil, restart.lost(why, at: now()) {
      Log.warning("\(why); it comes back with a later drag")
    }
    end()
  }

  /// Ends the process and releases the items on the shelf.
  func end() { process.end() }

  // MARK: Time

  /// When `advance` has to be called.
  var nextDeadline: Instant? { process.nextDeadline }

  /// The caller has already read the shelf's messages.
  func advance(to now: Instant) {
    switch process.advance(to: now) {
    case .nothing: break
    case .ask: server.askShelf()
    case .hung:
      Log.warning("the shelf does not answer, and is ended; its items are lost")
      end()
    }
  }
}
