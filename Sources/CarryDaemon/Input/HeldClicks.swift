import CarryGate
import CarryModel

/// Knows which finger a click belongs to.
protocol ClickOwner: AnyObject {
  /// The virtual finger that a trackpad's button holds down now, and whether it has lifted; nil where a click is a
  /// mouse's.
  func clickedFinger() -> (contact: ContactID, isCarrying: Bool)?
}

/// Clicks in windows with drag regions, held where trackpads carry until it is clear whether they lift.
final class HeldClicks: GateOwner {
  let runner: GateRunner<ClickEvent>
  private var gate: Gate<ClickEvent> { runner.gate }
  private unowned let owner: any ClickOwner
  /// Clicks that a virtual finger may lift something with.
  private var held: [(click: UInt32, contact: ContactID)] = []

  init(_ runner: GateRunner<ClickEvent>, _ owner: any ClickOwner) {
    self.runner = runner
    self.owner = owner
    runner.owner = self
  }

  /// The virtual finger is taken.
  func claim(_ contact: ContactID) { if let click = release(contact) { gate.take(click) } }

  /// It is the application's.
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
