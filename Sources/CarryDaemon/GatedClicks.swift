import CarryDisplay
import CarryGate
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Clicks in windows with drag regions, held where trackpads carry until it is clear whether they lift.
final class GatedClicks {
  private let gate: TouchGate
  private var source: EventLoop.Source?
  /// Clicks that a virtual finger may lift something with.
  private var held: [(click: UInt32, contact: ContactID)] = []
  private var retry = GateRestart()
  var nextDeadline: Instant? { [retry.due, gate.nextDeadline].lazy.compactMap { $0 }.min() }
  /// Whose click is it: the virtual finger that a trackpad's button holds down now, and whether it has lifted.
  var finger: () -> (contact: ContactID, isCarrying: Bool)? = { nil }

  init(displayName: String?, patience: Interval) {
    gate = TouchGate(displayName: displayName, patience: patience, holds: .clicks)
  }

  func apply(_ settings: Settings) { gate.setPatience(GatedTouches.patience(settings)) }

  func start(_ loop: EventLoop) {
    guard !gate.isRunning else { return }
    do { try gate.start() } catch {
      let sentence = "\(error.sentence); clicks cannot be held for applications"
      if retry.failed(sentence, at: MonotonicClock.now()) { Log.error(sentence) }
      return
    }
    retry.succeeded(at: MonotonicClock.now())
    source = loop.watch(gate.fileDescriptor) { [weak self] in self?.dispatch() }
  }

  func stop() {
    source?.cancel()
    gate.stop()
    held = []
  }

  func guardWindows(_ windows: Set<WindowID>) { gate.guardWindows(windows) }

  func advance(to now: Instant, _ loop: EventLoop) {
    if retry.take(at: now) { start(loop) }
    gate.advance(to: now) { take($0) }
  }

  /// Somebody pressed a button.
  func expectsSign(at now: Instant) { gate.expectsSign(at: now) }

  /// The virtual finger is taken.
  func claim(_ contact: ContactID) { if let click = release(contact) { gate.take(click: click) } }

  /// It is the application's.
  func yield(_ contact: ContactID) { if let click = release(contact) { gate.give(click: click) } }

  private func release(_ contact: ContactID) -> UInt32? {
    guard let i = held.firstIndex(where: { $0.contact == contact }) else { return nil }
    return held.remove(at: i).click
  }

  private func dispatch() { gate.dispatch { take($0) } }

  private func take(_ event: TouchGate.Event) {
    switch event {
    case .clicked(let click):
      guard let finger = finger() else { return gate.give(click: click) }
      if finger.isCarrying { return gate.take(click: click) }
      held.append((click, finger.contact))
      gate.keep(click: click)
    case .clickExpired(let click):
      held.removeAll { $0.click == click }
    case .unguarded(let window):
      Log.warning("window \(window.raw): another client holds its clicks; they are seen by both")
    case .ready:
      Log.info("the click gate runs")
    case .lost: lost("the click gate's process ended; starting it again")
    case .hung: lost("the click gate's process did not answer and was ended; starting it again")
    default:
      break
    }
  }

  private func lost(_ why: String) {
    source?.cancel()
    held = []
    if retry.lost(why, at: MonotonicClock.now()) { Log.warning(why) }
  }
}
