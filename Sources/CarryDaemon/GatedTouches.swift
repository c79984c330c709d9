import CarryContacts
import CarryDisplay
import CarryGate
import CarryModel
import CarrySystem
import CarryWireServer

/// Fingers as the X server sees them: held in the windows that the touch gate guards, only seen everywhere else. A
/// source of contacts like a device, and the place where the engine's decisions about touches go.
final class GatedTouches: GateOwner {
  let runner: GateRunner<TouchEvent>
  private var gate: Gate<TouchEvent> { runner.gate }
  private let identifiers: ContactIDSource
  private var ledger = TouchLedger()
  private var matcher = ContactMatcher()

  /// Called with each finger's change.
  var onTouch: (Touch) -> Void = { _ in }
  /// Called before a new finger, with the name of its touchscreen.
  var onDevice: (ContactID, String) -> Void = { _, _ in }
  /// Whether a touch that is not held is of any interest: where it began, and whether its window is beyond the gate.
  var wantsObserved: (Point, _ isUnguardable: (WindowID) -> Bool) -> Bool = { _, _ in false }
  /// Screen pixels per pixel at 96 dpi.
  var scale: Double {
    get { ledger.scale }
    set { ledger.scale = newValue }
  }
  /// The screen's size in pixels, and its touchscreens.
  var screen = Size.zero
  var devices: [TouchDevice] = [] { didSet { cancelFingersOfLostDevices() } }
  /// The newest fingers that were taken, and the touchscreens that they are on.
  private var taken: [(contact: ContactID, device: DeviceID)] = []

  init(_ runner: GateRunner<TouchEvent>, identifiers: ContactIDSource) {
    self.identifiers = identifiers
    self.runner = runner
    runner.owner = self
  }

  func stop() {
    runner.stop()
    gateIsGone(at: MonotonicClock.now())
  }

  // MARK: Decisions

  /// The finger is taken.
  ///
  /// - Returns: the touch's number when an application has it as well and must be told.
  func claim(_ contact: ContactID) -> UInt32? {
    if let device = ledger.device(of: contact), device != .unknown {
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
    case .observe(let touch, let raw): gate.observe(touch, from: raw)
    case .unobserve(let touch): gate.unobserve(touch)
    case .accept(let touch): gate.accept(touch)
    case .cancelled, nil: break
    }
  }

  // MARK: Time

  var nextDeadline: Instant? { [runner.nextDeadline, ledger.nextDeadline].lazy.compactMap { $0 }.min() }

  func advance(to now: Instant) {
    runner.advance(to: now)
    guard let due = ledger.nextDeadline, due <= now else { return }
    let unguardable = runner.unguardable
    let changes = ledger.advance(to: now, next: identifiers.next) { [unowned self] point in
      self.wantsObserved(point) { unguardable.contains($0) }
    }
    for change in changes {
      deliver(change)
      // The engine has just said whether it wants this finger.
      if change.phase == .began { carryOut(ledger.observation(of: change.id)) }
    }
  }

  // MARK: What the gate reports

  private func device(_ id: UInt32) -> TouchDevice? { devices.first { $0.id == id } }

  func take(_ event: TouchEvent) {
    switch event {
    case .rawBegan(let touch, let device, let point, let time):
      guard let known = self.device(device) else { return }
      ledger.rawBegan(
        touch, on: DeviceID(device), at: known.point(point, on: screen), raw: point, time: time)
      palm(matcher.touchBegan(touch, device: device, at: known.normalized(point), time: time), time)
    case .rawMoved(let touch, let device, let point, let time):
      guard let known = self.device(device) else { return }
      deliver(ledger.rawMoved(touch, to: known.point(point, on: screen), time: time))
    case .rawEnded(let touch, _, let time):
      matcher.touchEnded(touch)
      for change in ledger.rawEnded(touch, time: time, next: identifiers.next) { deliver(change) }
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
    }
  }

  func gateIsGone(at now: Instant) {
    for change in ledger.cancelAll(time: now) { deliver(change) }
    matcher = ContactMatcher()
  }

  private func deliver(_ touch: Touch?) {
    guard let touch else { return }
    if touch.phase == .began, let device = device(touch.device.raw) {
      onDevice(touch.id, SafeText.displayable(device.name))
    }
    onTouch(touch)
  }

  /// The X server lets go of the fingers of a touchscreen that is unplugged or switched off, as if they had gone up. A
  /// carrying one is waited for before it drops, and until then this says that it is no drop.
  private func cancelFingersOfLostDevices() {
    let now = MonotonicClock.now()
    let lost = taken.filter { finger in !devices.contains { $0.id == finger.device.raw } }
    taken.removeAll { finger in !devices.contains { $0.id == finger.device.raw } }
    for finger in lost {
      onTouch(Touch(id: finger.contact, phase: .cancelled, point: .zero, device: finger.device, time: now))
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
      palm(matcher.contactCancelled(contact.id, time: time), time)
    }
  }

  /// A touch that is no finger: X drivers do not pass that on, so its end is made here.
  private func palm(_ touch: UInt32?, _ time: Instant) {
    guard let touch else { return }
    deliver(ledger.cancel(touch, time: time))
    // For the application it is a touch like any other.
    carryOut(.reject(touch))
  }
}
