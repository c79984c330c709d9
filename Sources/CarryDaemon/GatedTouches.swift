import CarryContacts
import CarryDisplay
import CarryModel
import CarrySystem
import CarryWireServer

/// Fingers as the X server sees them, in the windows that the touch gate guards: a source of contacts like a device,
/// and the place where the engine's decisions about touches go.
final class GatedTouches {
  private let gate: TouchGate
  private let identifiers: ContactIDSource
  private var source: EventLoop.Source?
  /// The server's numbers of the touches that are down, and ours.
  private var touches: [(touch: UInt32, contact: ContactID, last: Point)] = []
  /// When the gate's process is started again, should it be lost.
  private(set) var restart: Instant?

  /// Called with the time of a change, then with the change.
  var onFrame: (Instant) -> Void = { _ in }
  var onTouch: (InputSources.Touch, Instant) -> Void = { _, _ in }
  /// Screen pixels per pixel at 96 dpi.
  var scale = 1.0

  init(displayName: String?, settings: Settings, identifiers: ContactIDSource) {
    self.identifiers = identifiers
    let patience = Interval(microseconds: settings.liftCompletes.microseconds &+ 100_000)
    gate = TouchGate(displayName: displayName, patience: patience)
  }

  var isRunning: Bool { gate.isRunning }

  func start(_ loop: EventLoop) {
    do { try gate.start() } catch {
      Log.error("\(error.sentence); touches cannot be held for applications")
      return
    }
    source = loop.watch(gate.fileDescriptor) { [weak self, weak loop] in
      guard let self, let loop else { return }
      self.dispatch(loop)
    }
    Log.info("the touch gate runs")
  }

  func stop() {
    source?.cancel()
    gate.stop()
  }

  func guardWindows(_ windows: Set<WindowID>) { gate.guardWindows(windows) }

  func claim(_ contact: ContactID) {
    if let t = touches.first(where: { $0.contact == contact }) { gate.accept(t.touch) }
  }

  func yield(_ contact: ContactID) {
    if let t = touches.first(where: { $0.contact == contact }) { gate.reject(t.touch) }
  }

  func advance(to now: Instant, _ loop: EventLoop) {
    guard let due = restart, due <= now else { return }
    restart = nil
    start(loop)
  }

  private func dispatch(_ loop: EventLoop) {
    gate.dispatch { event in
      switch event {
      case .began(let touch, let point, let time):
        let contact = identifiers.next()
        touches.append((touch, contact, point))
        deliver(contact, .began, point, time)
        // What has ended long ago is forgotten: its decision has been given, or the gate gave it.
        if touches.count > 128 { touches.removeFirst(64) }
      case .moved(let touch, let point, let time):
        guard let i = touches.firstIndex(where: { $0.touch == touch }) else { return }
        touches[i].last = point
        deliver(touches[i].contact, .moved, point, time)
      case .ended(let touch, let point, let time):
        // Kept: a tap is decided after its end.
        guard let i = touches.firstIndex(where: { $0.touch == touch }) else { return }
        deliver(touches[i].contact, .ended, point, time)
      case .expired(let touch):
        guard let i = touches.firstIndex(where: { $0.touch == touch }) else { return }
        let t = touches.remove(at: i)
        deliver(t.contact, .cancelled, t.last, MonotonicClock.now())
      case .guarding(let window):
        Log.debug("window \(window.raw): its touches are held until they are decided")
      case .unguarded(let window):
        Log.warning("window \(window.raw): another client holds its touches; they are seen by both")
      case .lost:
        source?.cancel()
        let now = MonotonicClock.now()
        Log.warning("the touch gate's process ended; starting it again")
        for t in touches { deliver(t.contact, .cancelled, t.last, now) }
        touches = []
        restart = now + .seconds(1)
      }
    }
  }

  private func deliver(_ contact: ContactID, _ phase: Contact.Phase, _ point: Point, _ time: Instant) {
    onFrame(time)
    onTouch(InputSources.Touch(id: contact, phase: phase, point: point, scale: scale), time)
  }
}
