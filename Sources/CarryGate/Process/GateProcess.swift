import CLinux
import CX11
package import CarryModel
import CarrySystem
import CarryX

/// A gate: a process of its own between the X server and the applications that have drag regions.
///
/// It holds what begins in a guarded window until the engine decides, and no longer than its patience: an engine that is
/// stopped, stuck or slow costs an application one late touch, never its touchscreen. It ends when the engine does; the
/// server then gives everything undecided to its application. What it holds, and how, its duty knows.
package enum GateProcess {
  /// Runs until the engine or the X server is gone.
  ///
  /// - Parameters:
  ///   - engine: the socket to the engine.
  ///   - patience: how long anything is held at the most.
  package static func run(
    _ kind: GateKind, displayName: String?, engine: CInt, patience: Interval
  ) throws(Problem) {
    let lines = try GateLines(displayName: displayName, engine: engine, held: kind.held)
    switch kind {
    case .touches: run(TouchDuty(lines, patience: patience), lines)
    case .clicks: run(ClickDuty(lines, patience: patience), lines)
    }
  }

  private static func run(_ duty: some GateDuty, _ lines: GateLines) {
    XSync(lines.display, 0)
    lines.report(GateMessage(kind: .ready))
    while true {
      guard lines.wait(until: duty.nextDeadline) else { return }
      lines.sendWaiting()
      // Deadlines before all else, and orders last: each may wait for the X server, and there may be any number of them.
      duty.expire(at: MonotonicClock.now())
      lines.takeEvents(duty)
      guard takeOrders(duty, lines) else { return }
    }
  }

  /// So many orders are taken before deadlines and events have their turn again.
  private static let ordersAtOnce = 16

  /// False when the engine is gone.
  private static func takeOrders<Duty: GateDuty>(_ duty: Duty, _ lines: GateLines) -> Bool {
    for _ in 0..<ordersAtOnce {
      switch GateMessage.receive(from: lines.engine) {
      case .nothing: return true
      case .closed: return false
      case .message(let message):
        if let order = Duty.Order(message) { duty.carryOut(order) } else { take(message, duty, lines) }
      }
    }
    return true
  }

  /// What a gate of any kind is ordered.
  private static func take(_ message: GateMessage, _ duty: some GateDuty, _ lines: GateLines) {
    switch message.kind {
    case .guardWindow:
      guard lines.guarded.insert(message.id).inserted else { return }
      let failed = duty.grab(message.id)
      if failed != 0 { lines.guarded.remove(message.id) }
      // Of a window that is gone there is an error instead of an answer.
      let kind: GateMessage.Kind = failed == 0 ? .guarded : failed < 0 ? .windowGone : .guardFailed
      lines.report(GateMessage(kind: kind, id: message.id))
    case .unguardWindow:
      guard lines.guarded.remove(message.id) != nil else { return }
      duty.ungrab(message.id)
      lines.report(GateMessage(kind: .released, id: message.id))
    case .patience: duty.patience = Interval(microseconds: max(0, message.time))
    case .ping: lines.report(GateMessage(kind: .pong))
    default: break
    }
  }
}

/// What one kind of gate does with what it holds.
protocol GateDuty: AnyObject {
  associatedtype Order: GateOrder

  /// How long what begins from now on is held at the most.
  var patience: Interval { get set }

  /// When `expire` wants to be called.
  var nextDeadline: Instant? { get }

  /// Gives everything to its application whose time is up.
  func expire(at now: Instant)

  func carryOut(_ order: Order)

  /// Holds what begins in the window from now on.
  ///
  /// - Returns: 0; more where another client does; less where there is no such window.
  func grab(_ window: UInt32) -> CInt

  func ungrab(_ window: UInt32)

  /// An event of XInput's; what it points to is valid during the call.
  func take(_ type: CInt, _ event: UnsafeMutableRawPointer)
}
