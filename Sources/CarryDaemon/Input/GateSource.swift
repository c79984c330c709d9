import CarryContacts
import CarryDisplay
import CarryGate
import CarryModel
import CarrySystem

/// Takes in the X server's touches, and knows which of them matter.
protocol GateSourceOwner: TouchReceiver {
  /// There is another touchscreen.
  func addDevice(_ name: String) -> DeviceID

  /// A touchscreen is gone, and its fingers are to be cancelled.
  func lose(_ device: DeviceID, at now: Instant)

  /// Whether a touch that is not held is of any interest.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool
}

/// Fingers as the X server sees them: held in the windows that the touch gate guards, only seen everywhere else. A
/// source of fingers like a device, and the place where the engine's decisions about touches go.
final class GateSource: TouchSource, GateOwner {
  let runner: GateRunner<TouchEvent>
  private var gate: Gate<TouchEvent> { runner.gate }
  private let identifiers: ContactIDSource
  private unowned let owner: any GateSourceOwner
  private let now: () -> Instant
  private var ledger = TouchLedger()
  private var matcher = ContactMatcher()
  /// The screen's size in pixels.
  private var screen = Size.zero
  private var devices: [(server: TouchDevice, device: DeviceID)] = []

  init(
    _ runner: GateRunner<TouchEvent>, _ identifiers: ContactIDSource, _ owner: any GateSourceOwner,
    now: @escaping () -> Instant = MonotonicClock.now
  ) {
    (self.runner, self.identifiers, self.now) = (runner, identifiers, now)
    self.owner = owner
    runner.owner = self
  }

  /// Lets go of everything: the process, the fingers and the touchscreens.
  func stop() {
    runner.stop()
    gateIsGone(at: now())
    remap(ScreenLayout())
  }

  // MARK: As a source

  var nextDeadline: Instant? { Instant.earliest(runner.nextDeadline, ledger.nextDeadline) }

  func advance(to now: Instant) {
    runner.advance(to: now)
    guard let due = ledger.nextDeadline, due <= now else { return }
    let began = ledger.advance(to: now, next: identifiers.next) { point in
      owner.wantsToSee(touchAt: point, unguardable: runner.unguardable)
    }
    for touch in began {
      owner.take(touch)
      // The engine has just said whether it wants this finger.
      if touch.phase == .began { carryOut(ledger.observation(of: touch.id)) }
    }
  }

  func read() { runner.dispatch() }

  func remap(_ layout: ScreenLayout) {
    ledger.scale = layout.scale
    screen = layout.size
    let old = devices
    devices = layout.touchDevices.map { new in
      let known = old.first { $0.server.id == new.id && $0.server.name == new.name }
      return (new, known?.device ?? owner.addDevice(SafeText.displayable(new.name)))
    }
    // The X server lets go of the fingers of a touchscreen that is unplugged or switched off, as if they had gone up. A
    // carrying one is waited for before it drops, and until then this says that it is no drop.
    for (_, device) in old where !devices.contains(where: { $0.device == device }) { owner.lose(device, at: now()) }
  }

  // MARK: Decisions

  /// The finger is taken.
  ///
  /// - Returns: the touch's number when an application has it as well and must be told.
  func claim(_ contact: ContactID) -> UInt32? {
    let verdict = ledger.claim(contact)
    carryOut(verdict)
    if case .cancelled(let touch) = verdict { return touch }
    return nil
  }

  /// The finger is the application's.
  func yield(_ contact: ContactID) { carryOut(ledger.yield(contact)) }

  /// Every decision about a touch comes through here, whenever and by whomever it is made.
  private func carryOut(_ verdict: TouchLedger.Verdict?) {
    switch verdict {
    case .accept(let touch): gate.accept(touch)
    case .reject(let touch): gate.reject(touch)
    case .observe(let touch, let raw): gate.observe(touch, from: raw)
    case .unobserve(let touch): gate.unobserve(touch)
    // The application is told, by those who know which it is.
    case .cancelled, nil: break
    }
  }

  // MARK: What the gate reports

  private func known(_ id: UInt32) -> (server: TouchDevice, device: DeviceID)? { devices.first { $0.server.id == id } }

  func take(_ event: TouchEvent) {
    switch event {
    case .rawBegan(let touch, let device, let point, let time):
      guard let (server, known) = known(device) else { return }
      ledger.rawBegan(touch, on: known, at: server.point(point, on: screen), raw: point, time: time)
      palm(matcher.touchBegan(touch, device: device, at: server.normalized(point), time: time), time)
    case .rawMoved(let touch, let device, let point, let time):
      guard let (server, _) = known(device) else { return }
      deliver(ledger.rawMoved(touch, to: server.point(point, on: screen), time: time))
    case .rawEnded(let touch, _, let time):
      matcher.touchEnded(touch)
      for change in ledger.rawEnded(touch, time: time, next: identifiers.next) { owner.take(change) }
    case .began(let touch, let point, let time):
      let began = ledger.began(touch, at: point, time: time, next: identifiers.next)
      if began == nil { carryOut(ledger.lateVerdict(touch)) }
      deliver(began)
    case .moved(let touch, let point, let time): deliver(ledger.moved(touch, to: point, time: time))
    case .ended(let touch, let point, let time): deliver(ledger.ended(touch, at: point, time: time))
    case .expired(let touch): deliver(ledger.cancel(touch, time: now()))
    }
  }

  func gateIsGone(at now: Instant) {
    for touch in ledger.cancelAll(time: now) { owner.take(touch) }
    matcher = ContactMatcher()
  }

  private func deliver(_ touch: Touch?) { if let touch { owner.take(touch) } }

  // MARK: What the device's node says of the same fingers

  /// A contact of the node that an X device reads as well.
  ///
  /// - Parameters:
  ///   - device: the X server's number.
  ///   - normalized: where it is, as 0…1 of the device.
  func nodeContact(_ contact: Contact, device: UInt32, at normalized: Point, time: Instant) {
    switch contact.phase {
    case .began: matcher.contactBegan(contact.id, device: device, at: normalized, time: time)
    case .moved: break
    case .ended: matcher.contactEnded(contact.id)
    case .cancelled: palm(matcher.contactCancelled(contact.id, time: time), time)
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
