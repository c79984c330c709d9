import CarryContacts
import CarryDisplay
import CarryGate
import CarryModel
import CarrySystem

/// Receives the X server's touches, and knows which of them matter.
protocol GateSourceOwner: TouchReceiver {
  /// A touchscreen was added.
  func addDevice(_ name: String) -> DeviceID

  /// A touchscreen is gone, and its fingers are to be cancelled.
  func lose(_ device: DeviceID, at now: Instant)

  /// Whether the engine needs to see a touch that the gate does not hold.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool
}

/// Fingers as the X server reports them. In the windows that the touch gate guards, their touches are held;
/// everywhere else they are only seen. This is a source of fingers like a device, and it also carries out the
/// engine's decisions about touches.
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

  /// Releases everything: the process, the fingers and the touchscreens.
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
      owner.handle(touch)
      // The engine has just decided whether it wants this finger.
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
    // When a touchscreen is unplugged or disabled, the X server ends its touches as if the fingers had gone up. The
    // gestures wait a moment before a carrying finger drops; losing the device in that time turns the drop into a
    // cancel.
    for (_, device) in old where !devices.contains(where: { $0.device == device }) { owner.lose(device, at: now()) }
  }

  // MARK: Decisions

  func isHeld(_ contact: ContactID) -> Bool { ledger.held(contact) != nil }

  /// Asks the gate to hold the finger's touch for longer.
  func liftBegan(_ contact: ContactID) { if let touch = ledger.held(contact) { gate.liftBegan(touch) } }

  /// Claims the finger for a drag.
  ///
  /// - Returns: the touch's number if an application also receives the touch and must be told.
  func claim(_ contact: ContactID) -> UInt32? {
    let verdict = ledger.claim(contact)
    carryOut(verdict)
    if case .cancelled(let touch) = verdict { return touch }
    return nil
  }

  /// Passes the finger to the application.
  func yield(_ contact: ContactID) { carryOut(ledger.yield(contact)) }

  /// Carries out a decision about a touch. All decisions come through here.
  private func carryOut(_ verdict: TouchLedger.Verdict?) {
    switch verdict {
    case .accept(let touch): gate.accept(touch)
    case .reject(let touch): gate.reject(touch)
    case .observe(let touch, let raw): gate.observe(touch, from: raw)
    case .unobserve(let touch): gate.unobserve(touch)
    // The caller tells the application.
    case .cancelled, nil: break
    }
  }

  // MARK: Reports of the gate

  private func known(_ id: UInt32) -> (server: TouchDevice, device: DeviceID)? { devices.first { $0.server.id == id } }

  func handle(_ event: TouchEvent) {
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
      for change in ledger.rawEnded(touch, time: time, next: identifiers.next) { owner.handle(change) }
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
    for touch in ledger.cancelAll(time: now) { owner.handle(touch) }
    matcher = ContactMatcher()
  }

  private func deliver(_ touch: Touch?) { if let touch { owner.handle(touch) } }

  // MARK: Contacts from the device's node

  /// Handles a contact of a node that the X server reads as well.
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

  /// Ends a touch that turned out to be a palm: X drivers do not report that.
  private func palm(_ touch: UInt32?, _ time: Instant) {
    guard let touch else { return }
    deliver(ledger.cancel(touch, time: time))
    // The application receives the palm's touch like any other.
    carryOut(.reject(touch))
  }
}
