import CarryGate
import CarryLoop
import CarryModel
import CarrySystem

/// Decides about the touches or clicks that a gate holds.
protocol GateOwner<Event>: AnyObject {
  associatedtype Event: GateEvent

  func handle(_ event: Event)

  /// The process is gone, and everything that it held went to the applications.
  func gateIsGone(at now: Instant)
}

/// Keeps the process of one gate running: starts it, restarts it when it exits, and reads its messages.
final class GateRunner<Event: GateEvent> {
  let gate: Gate<Event>
  weak var owner: (any GateOwner<Event>)?
  private let loop: EventLoop
  private let now: () -> Instant
  private var restart = ProcessRestart()
  private var watch: EventLoop.Source?
  /// Windows that another client has grabbed: touches or clicks there can be seen but not held.
  private(set) var unguardable: Set<WindowID> = []
  /// Whether the process has ever run.
  private(set) var hasRun = false

  init(_ gate: Gate<Event>, _ loop: EventLoop, now: @escaping () -> Instant = MonotonicClock.now) {
    self.gate = gate
    self.loop = loop
    self.now = now
  }

  private var kind: GateKind { Event.kind }
  var isRunning: Bool { gate.isRunning }

  /// Starts the process, unless it runs. If that fails, `advance` tries again.
  func start() {
    guard !gate.isRunning else { return }
    do { try gate.start() } catch {
      let sentence = "\(error.sentence); \(kind.held) cannot be held for applications"
      if restart.failed(sentence, at: now()) { Log.error(sentence) }
      return
    }
    restart.succeeded(at: now())
    hasRun = true
    watch = loop.watch(gate.fileDescriptor) { [weak self] in self?.dispatch() }
  }

  /// Ends the process. Only `start` starts it again.
  func stop() {
    watch?.cancel()
    gate.stop()
    restart = ProcessRestart()
  }

  /// Guards exactly these windows from now on.
  ///
  /// - Parameter trials: also guarded, and held for longer, while the bridge tries whether something lifts.
  func guardWindows(_ windows: Set<WindowID>, trials: Set<WindowID> = []) {
    unguardable.formIntersection(windows.union(trials))
    gate.guardWindows(windows, trials: trials)
  }

  /// Sets the maximum time for which a new touch or click is held.
  func setPatience(_ patience: Interval) { gate.setPatience(patience) }

  // MARK: Time

  /// Something happened that the process must report soon if it is alive.
  func expectHeartbeat(at now: Instant) { gate.expectHeartbeat(at: now) }

  /// When `advance` has to be called.
  var nextDeadline: Instant? { Instant.earliest(restart.due, gate.nextDeadline) }

  func advance(to now: Instant) {
    if restart.takeDue(at: now) { start() }
    gate.advance(to: now) { handle($0) }
  }

  // MARK: Reports

  /// Reads the gate's messages, without waiting.
  func dispatch() { gate.dispatch { handle($0) } }

  private func handle(_ report: GateReport<Event>) {
    switch report {
    case .event(let event): owner?.handle(event)
    case .ready: Log.info("the \(kind.name) runs")
    case .guarding(let window):
      unguardable.remove(window)
      Log.debug("window \(window.raw): its \(kind.held) are held until they are decided")
    case .unguarded(let window):
      if unguardable.insert(window).inserted {
        Log.warning("window \(window.raw): another client holds its \(kind.held); they are seen by both")
      }
    case .lost: lost("the \(kind.name)'s process ended; starting it again")
    case .hung: lost("the \(kind.name)'s process did not answer and was ended; starting it again")
    }
  }

  private func lost(_ why: String) {
    watch?.cancel()
    let now = now()
    if restart.lost(why, at: now) { Log.warning(why) }
    owner?.gateIsGone(at: now)
  }
}

extension Settings {
  /// Maximum time for which a gate holds anything: the lift's time and 100 ms.
  var gatePatience: Interval { Interval(microseconds: lift.completes.microseconds &+ 100_000) }
}
