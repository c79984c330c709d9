import CarryContacts
import CarryDisplay
import CarryGate
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Fingers as the X server sees them: held in the windows that the touch gate guards, only seen everywhere else. A
/// source of contacts like a device, and the place where the engine's decisions about touches go.
final class GatedTouches {
  private let gate: TouchGate
  private let identifiers: ContactIDSource
  private var source: EventLoop.Source?
  private var ledger = TouchLedger()
  private var matcher = ContactMatcher()
  /// Where touches began or were last seen, as their devices say.
  private var raw: [UInt32: Point] = [:]
  /// Windows whose touches another client holds: they can only be seen.
  private(set) var unguardable: Set<WindowID> = []
  private var retry = GateRestart()
  /// Whether the gate has ever run: from then on fingers come from here.
  private(set) var hasRun = false

  /// Called with the time of a change, then with the change.
  var onFrame: (Instant) -> Void = { _ in }
  var onTouch: (InputSources.Touch, Instant) -> Void = { _, _ in }
  /// Called before a new finger, with the name of its touchscreen.
  var onDevice: (ContactID, String) -> Void = { _, _ in }
  /// Whether a touch that is not held is of any interest: where it began, and whether its window is beyond the gate.
  var wantsObserved: (Point, _ isUnguardable: (WindowID) -> Bool) -> Bool = { _, _ in false }
  /// Screen pixels per pixel at 96 dpi.
  var scale = 1.0
  /// The screen's size in pixels, and its touchscreens.
  var screen = Size.zero
  var devices: [TouchDevice] = [] { didSet { cancelFingersOfLostDevices() } }
  /// The newest fingers that were taken, and the touchscreens that they are on.
  private var taken: [(contact: ContactID, device: UInt32)] = []
  private var deviceOfTouch: [UInt32: UInt32] = [:]

  init(displayName: String?, settings: Settings, identifiers: ContactIDSource) {
    self.identifiers = identifiers
    gate = TouchGate(displayName: displayName, patience: Self.patience(settings))
  }

  /// How long a touch is held at the most: the lift's time and a little.
  static func patience(_ settings: Settings) -> Interval {
    Interval(microseconds: settings.liftCompletes.microseconds &+ 100_000)
  }

  /// New constants, for touches that begin from now on.
  func apply(_ settings: Settings) { gate.setPatience(Self.patience(settings)) }

  var isRunning: Bool { gate.isRunning }

  func start(_ loop: EventLoop) {
    guard !gate.isRunning else { return }
    do { try gate.start() } catch {
      let sentence = "\(error.sentence); touches cannot be held for applications"
      if retry.failed(sentence, at: MonotonicClock.now()) { Log.error(sentence) }
      return
    }
    retry.succeeded(at: MonotonicClock.now())
    hasRun = true
    source = loop.watch(gate.fileDescriptor) { [weak self] in self?.dispatch() }
  }

  func stop() {
    source?.cancel()
    gate.stop()
    let now = MonotonicClock.now()
    for change in ledger.cancelAll(time: now) { deliver(change) }
  }

  func guardWindows(_ windows: Set<WindowID>) {
    unguardable.formIntersection(windows)
    gate.guardWindows(windows)
  }

  // MARK: Decisions

  /// The finger is taken.
  ///
  /// - Returns: the touch's number when an application has it as well and must be told.
  func claim(_ contact: ContactID) -> UInt32? {
    if let touch = ledger.touch(of: contact), let device = deviceOfTouch[touch] {
      taken = taken.suffix(31) + [(contact, device)]
    }
    let verdict = ledger.claim(contact)
    carryOut(verdict)
    if case .cancelled(let touch) = verdict { return touch }
    return nil
  }

  func yield(_ contact: ContactID) { carryOut(ledger.yield(contact)) }

  private func carryOut(_ verdict: TouchLedger.Verdict?) {
    switch verdict {
    case .reject(let touch): gate.reject(touch)
    case .unobserve(let touch): gate.unobserve(touch)
    case .accept(let touch): gate.accept(touch)
    case .cancelled, nil: break
    }
  }

  // MARK: Time

  var nextDeadline: Instant? {
    [retry.due, gate.nextDeadline, ledger.nextDeadline].lazy.compactMap { $0 }.min()
  }

  /// Somebody touched the screen.
  func expectsSign(at now: Instant) { gate.expectsSign(at: now) }

  func advance(to now: Instant, _ loop: EventLoop) {
    if retry.take(at: now) { start(loop) }
    gate.advance(to: now) { take($0) }
    guard let due = ledger.nextDeadline, due <= now else { return }
    let changes = ledger.advance(to: now, next: identifiers.next) { [unowned self] point in
      self.wantsObserved(point) { self.unguardable.contains($0) }
    }
    for change in changes {
      deliver(change)
      // The engine has just said whether it wants this finger.
      if change.phase == .began, ledger.isObserved(change.contact), let touch = ledger.touch(of: change.contact) {
        gate.observe(touch, from: raw[touch] ?? .zero)
      }
    }
  }

  // MARK: What the gate reports

  private func device(_ id: UInt32) -> TouchDevice? { devices.first { $0.id == id } }

  /// Takes in what the gate has said, without waiting.
  func dispatch() { gate.dispatch { take($0) } }

  private func take(_ event: TouchGate.Event) {
    switch event {
    case .rawBegan(let touch, let device, let point, let time):
      if raw.count > 256 { (raw, deviceOfTouch) = ([:], [:]) }
      raw[touch] = point
      deviceOfTouch[touch] = device
      guard let known = self.device(device) else { return }
      ledger.rawBegan(touch, at: known.point(point, on: screen), time: time)
      settle(matcher.touchBegan(touch, device: device, at: known.normalized(point), time: time), time)
    case .rawMoved(let touch, let device, let point, let time):
      raw[touch] = point
      guard let known = self.device(device) else { return }
      deliver(ledger.rawMoved(touch, to: known.point(point, on: screen), time: time))
    case .rawEnded(let touch, _, let time):
      matcher.touchEnded(touch)
      for change in ledger.rawEnded(touch, time: time, next: identifiers.next) { deliver(change) }
      raw[touch] = nil
      deviceOfTouch[touch] = nil
    case .began(let touch, let point, let time):
      let change = ledger.began(touch, at: point, time: time, next: identifiers.next)
      if change == nil { carryOut(ledger.lateVerdict(touch)) }
      deliver(change)
    case .moved(let touch, let point, let time):
      deliver(ledger.moved(touch, to: point, time: time))
    case .ended(let touch, let point, let time):
      deliver(ledger.ended(touch, at: point, time: time))
    case .expired(let touch):
      deliver(ledger.cancel(touch, time: MonotonicClock.now()))
    case .ready:
      Log.info("the touch gate runs")
    case .guarding(let window):
      unguardable.remove(window)
      Log.debug("window \(window.raw): its touches are held until they are decided")
    case .clicked, .clickExpired: break
    case .unguarded(let window):
      if unguardable.insert(window).inserted {
        Log.warning("window \(window.raw): another client holds its touches; they are seen by both")
      }
    case .lost: lost("the touch gate's process ended; starting it again")
    case .hung: lost("the touch gate's process did not answer and was ended; starting it again")
    }
  }

  private func lost(_ why: String) {
    source?.cancel()
    let now = MonotonicClock.now()
    if retry.lost(why, at: now) { Log.warning(why) }
    for change in ledger.cancelAll(time: now) { deliver(change) }
    matcher = ContactMatcher()
  }

  private func deliver(_ change: TouchLedger.Change?) {
    guard let change else { return }
    if change.phase == .began, let touch = ledger.touch(of: change.contact),
      let device = deviceOfTouch[touch].flatMap({ self.device($0) })
    {
      onDevice(change.contact, SafeText.displayable(device.name))
    }
    let phase: Contact.Phase =
      switch change.phase {
      case .began: .began
      case .moved: .moved
      case .ended: .ended
      case .cancelled: .cancelled
      }
    onFrame(change.time)
    onTouch(InputSources.Touch(id: change.contact, phase: phase, point: change.point, scale: scale), change.time)
  }

  /// The X server lets go of the fingers of a touchscreen that is unplugged or switched off, as if they had gone up. A
  /// carrying one is waited for before it drops, and until then this says that it is no drop.
  private func cancelFingersOfLostDevices() {
    let now = MonotonicClock.now()
    let lost = taken.filter { finger in !devices.contains { $0.id == finger.device } }
    taken.removeAll { finger in !devices.contains { $0.id == finger.device } }
    for finger in lost {
      onFrame(now)
      onTouch(InputSources.Touch(id: finger.contact, phase: .cancelled, point: .zero, scale: scale), now)
    }
  }

  // MARK: What the device's node says of the same fingers

  /// A contact of the node that an X device reads as well.
  func nodeContact(_ contact: Contact, device: UInt32, at normalized: Point, time: Instant) {
    switch contact.phase {
    case .began:
      matcher.contactBegan(contact.id, device: device, at: normalized, time: time)
    case .moved: break
    case .ended: matcher.contactEnded(contact.id)
    case .cancelled:
      settle(matcher.contactCancelled(contact.id, time: time), time)
    }
  }

  /// Touches that are no fingers: X drivers do not pass that on, so their end is made here.
  private func settle(_ cancelled: UInt32?, _ time: Instant) {
    guard let cancelled else { return }
    deliver(ledger.cancel(cancelled, time: time))
    // For the application it is a touch like any other.
    gate.reject(cancelled)
  }
}
