import CarryContacts
import CarryGate
import CarryModel
import CarrySystem

/// Decides whose a click is, and receives the fingers that clicks make.
protocol ClickOwner: TouchReceiver {
  /// The virtual finger that a trackpad's button holds down now, and whether it carries something; nil if no
  /// trackpad's button is down, so that a click comes from a mouse or a pen.
  func clickedFinger() -> (contact: ContactID, isCarrying: Bool)?

  /// The possible use of a mouse's or a pen's click.
  ///
  /// - Parameter isAdding: whether it is an adding click: with Shift held.
  func use(ofClickAt point: Point, isAdding: Bool) -> ClickUse

  /// A device of fingers was added.
  func addDevice(_ name: String) -> DeviceID

  /// Screen pixels per pixel at 96 dpi.
  var clickScale: Double { get }
}

/// The possible use of a mouse's or a pen's click.
enum ClickUse {
  /// The click belongs to the application.
  case none
  case lifts
  /// It may add an item to a session.
  case adds
}

/// Holds clicks in windows with drag regions until the engine has decided about them: clicks of a trackpad's virtual
/// finger, and clicks of a mouse or a pen, which are fingers themselves.
final class HeldClicks: GateOwner {
  let runner: GateRunner<ClickEvent>
  private var gate: Gate<ClickEvent> { runner.gate }
  private unowned let owner: any ClickOwner
  private let now: () -> Instant
  private let identifiers: ContactIDSource
  private let mouse: MouseFingers
  /// The undecided clicks, with their fingers.
  private var held: [(click: UInt32, contact: ContactID)] = []
  private var hasStarted = false

  init(
    _ runner: GateRunner<ClickEvent>, _ identifiers: ContactIDSource, _ owner: any ClickOwner,
    now: @escaping () -> Instant = MonotonicClock.now
  ) {
    (self.runner, self.identifiers, self.now) = (runner, identifiers, now)
    self.owner = owner
    mouse = MouseFingers(owner)
    runner.owner = self
  }

  /// Starts the gate's process, once. From then on the runner keeps it running.
  func start() {
    guard !hasStarted else { return }
    hasStarted = true
    runner.start()
  }

  /// Ends the gate's process, and the fingers with it.
  func stop() {
    runner.stop()
    gateIsGone(at: now())
  }

  // MARK: Time

  var nextDeadline: Instant? { Instant.earliest(runner.nextDeadline, mouse.hasEnded ? .zero : nil) }

  func advance(to now: Instant) {
    runner.advance(to: now)
    mouse.sayEnds(at: now)
  }

  // MARK: Decisions

  /// Claims the finger for a drag, and its click with it.
  func claim(_ contact: ContactID) { if let click = release(contact) { gate.claim(click) } }

  /// Passes the finger's click to the application.
  func yield(_ contact: ContactID) {
    guard let click = release(contact) else { return }
    gate.give(click)
    // The gate no longer reports how it continues.
    mouse.ended(click)
  }

  private func release(_ contact: ContactID) -> UInt32? {
    guard let i = held.firstIndex(where: { $0.contact == contact }) else { return nil }
    return held.remove(at: i).click
  }

  // MARK: Reports of the gate

  func handle(_ event: ClickEvent) {
    switch event {
    case .clicked(let click, let point, let flags, let time): clicked(click, point, flags, time)
    case .moved(let click, let point, let time): mouse.moved(click, to: point, time: time)
    case .released(let click, let point, let time): mouse.released(click, at: point, time: time)
    case .otherPressed(_, let point, let time): mouse.tap(identifiers.next(), at: point, time: time)
    case .expired(let click):
      Log.debug("click \(click) was not decided in time: its application has it")
      guard let i = held.firstIndex(where: { $0.click == click }) else {
        // The engine took the click at the same moment. The gate no longer follows it.
        mouse.ended(click)
        break
      }
      let contact = held.remove(at: i).contact
      mouse.gaveAway(click, contact)
    }
    mouse.sayEnds(at: now())
  }

  private func clicked(_ click: UInt32, _ point: Point, _ flags: ClickFlags, _ time: Instant) {
    if !flags.contains(.shift), let finger = owner.clickedFinger() {
      if finger.isCarrying { return gate.claim(click) }
      held.append((click, finger.contact))
      return gate.keep(click)
    }
    switch owner.use(ofClickAt: point, isAdding: flags.contains(.shift)) {
    case .none:
      Log.debug("click \(click) is neither a trackpad's nor one that lifts: its application has it")
      gate.give(click)
    case .lifts:
      let contact = identifiers.next()
      held.append((click, contact))
      gate.follow(click)
      mouse.began(click, contact, at: point, tool: flags.contains(.pen) ? .pen : .mouse, time: time)
    case .adds:
      let contact = identifiers.next()
      held.append((click, contact))
      gate.keep(click)
      mouse.tap(contact, at: point, time: time)
    }
  }

  func gateIsGone(at now: Instant) {
    held = []
    mouse.cancelAll()
    mouse.sayEnds(at: now)
  }
}
