import CLinux
import CX11
package import CarryModel
import CarrySystem
import CarryX

/// A gate: a process of its own between the X server and the applications that have drag regions.
///
/// It holds everything that begins in a guarded window until the engine decides, but no longer than its patience. An
/// engine that is stopped, stuck or slow thus costs an application one late touch, never its touchscreen. The gate
/// exits when the engine does, and the X server then sends everything undecided to its application. A `GateDuty`
/// defines what the gate holds, and how.
package enum GateProcess {
  /// Runs until the engine or the X server is gone.
  ///
  /// - Parameters:
  ///   - engine: the socket to the engine.
  ///   - patience: maximum time for which anything is held.
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
    var startupCode = StartupCode(at: MonotonicClock.now())
    while true {
      guard lines.wait(until: .earliest(duty.nextDeadline, startupCode.due)) else { return }
      lines.sendWaiting()
      startupCode.advance(to: MonotonicClock.now())
      // Deadlines first and orders last: each order may wait for the X server, and there may be any number of orders.
      duty.expire(at: MonotonicClock.now())
      lines.takeEvents(duty)
      guard takeOrders(duty, lines) else { return }
    }
  }

  /// Maximum number of orders handled before deadlines and events are handled again.
  private static let ordersAtOnce = 16

  /// Returns false if the engine is gone.
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

  /// Carries out an order that every kind of gate knows.
  private static func take(_ message: GateMessage, _ duty: some GateDuty, _ lines: GateLines) {
    switch message.kind {
    case .guardWindow:
      duty.holdLonger(message.id, by: Interval(microseconds: max(0, message.time)))
      guard lines.guarded.insert(message.id).inserted else { return }
      let failed = duty.grab(message.id)
      if failed != 0 {
        lines.guarded.remove(message.id)
        duty.holdLonger(message.id, by: .zero)
      }
      // For a destroyed window there is an error instead of a reply.
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

/// Defines what one kind of gate holds, and how it releases it.
protocol GateDuty: AnyObject {
  associatedtype Order: GateOrder

  /// Maximum time for which a new touch or click is held.
  var patience: Interval { get set }

  /// When `expire` has to be called next.
  var nextDeadline: Instant? { get }

  /// Passes everything that has timed out to its application.
  func expire(at now: Instant)

  func carryOut(_ order: Order)

  /// Holds everything that begins in the window from now on.
  ///
  /// - Returns: 0 on success; positive if another client has the grab; negative if the window does not exist.
  func grab(_ window: UInt32) -> CInt

  func ungrab(_ window: UInt32)

  /// Extends the time for which touches that begin in the window are held beyond the patience.
  func holdLonger(_ window: UInt32, by interval: Interval)

  /// Handles an XInput event. The pointer is valid during the call only.
  func take(_ type: CInt, _ event: UnsafeMutableRawPointer)
}

extension GateDuty {
  /// Does nothing: clicks have the same patience in all windows.
  func holdLonger(_ window: UInt32, by interval: Interval) {}
}
