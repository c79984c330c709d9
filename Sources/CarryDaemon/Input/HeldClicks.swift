import CarryGate
import CarryModel

/// Knows which finger a click belongs to.
protocol ClickOwner: AnyObject {
  /// The virtual finger that a trackpad's button holds down now, and whether it carries something; nil if no trackpad's
  /// button is down, so that a click is a mouse's.
  func clickedFinger() -> (contact: ContactID, isCarrying: Bool)?
}

/// Holds clicks in windows with drag regions, where trackpads are switched on, until the engine knows whether they lift.
final class HeldClicks: GateOwner {
  let runner: GateRunner<ClickEvent>
  private var gate: Gate<ClickEvent> { runner.gate }
  private unowned let owner: any ClickOwner
  /// The clicks with which a virtual finger may lift something.
  private var held: [(click: UInt32, contact: ContactID)] = []

  init(_ runner: GateRunner<ClickEvent>, _ owner: any ClickOwner) {
    self.runner = runner
    self.owner = owner
    runner.owner = self
  }

  /// Takes the virtual finger for a drag, and its click with it.
  func claim(_ contact: ContactID) { if let click = release(contact) { gate.take(click) } }

  /// Gives the virtual finger's click to the application.
  func yield(_ contact: ContactID) { if let click = release(contact) { gate.give(click) } }

  private func release(_ contact: ContactID) -> UInt32? {
    guard let i = held.firstIndex(where: { $0.contact == contact }) else { return nil }
    return held.remove(at: i).click
  }

  // MARK: What the gate reports

  func take(_ event: ClickEvent) {
    switch event {
    case .clicked(let click):
      guard let finger = owner.clickedFinger() else { return gate.give(click) }
      if finger.isCarrying { return gate.take(click) }
      held.append((click, finger.contact))
      gate.keep(click)
    case .expired(let click): held.removeAll { $0.click == click }
    }
  }

  func gateIsGone(at now: Instant) { held = [] }
}
