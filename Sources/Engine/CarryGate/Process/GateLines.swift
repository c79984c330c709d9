import CLinux
import CX11
import CarryModel
import CarrySystem
import CarryX

/// A gate's connections: to the X server, and to the engine.
final class GateLines {
  let display: OpaquePointer
  let engine: CInt
  var guarded: Set<UInt32> = []
  private let opcode: CInt
  private var outbox = GateOutbox()

  /// - Parameters:
  ///   - engine: the socket to the engine.
  ///   - held: the things that cannot be held if this fails, in the plural; for the error's sentence.
  init(displayName: String?, engine: CInt, held: String) throws(Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(displayName) else {
      throw Problem("cannot open the display")
    }
    guard let input = XInput(on: display) else {
      XInput.close(display)
      throw Problem("the X server has no XInput 2.2, so \(held) cannot be held")
    }
    self.display = display
    self.engine = engine
    opcode = input.opcode
    XSetIOErrorExitHandler(display, { _, _ in exit(0) }, nil)
  }

  // MARK: To the engine

  /// Sends a message to the engine, now or when the engine reads again; returns false if the message is dropped.
  @discardableResult
  func report(_ message: GateMessage) -> Bool { outbox.send(message) { $0.send(to: engine) } }

  func sendWaiting() { outbox.flush { $0.send(to: engine) } }

  /// Waits for either side or the deadline. Returns false if a connection is lost.
  func wait(until deadline: Instant?) -> Bool {
    var fds = [
      pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0),
      pollfd(fd: engine, events: Int16(outbox.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
    ]
    // Sending may have read events, for which the descriptor does not become readable.
    guard XEventsQueued(display, CInt(QueuedAfterFlush)) == 0 else { return true }
    return poll(&fds, 2, Self.timeout(deadline)) >= 0 || clinux_errno() == EINTR
  }

  private static func timeout(_ deadline: Instant?) -> CInt {
    guard let deadline else { return -1 }
    return CInt(clamping: max(0, (deadline - MonotonicClock.now()).microseconds / 1000 + 1))
  }

  // MARK: From the X server

  func takeEvents(_ duty: some GateDuty) {
    var event = XEvent()
    while XEventsQueued(display, CInt(QueuedAfterReading)) > 0 {
      guard ServerEvents.take(from: display, into: &event), event.type == GenericEvent,
        event.xcookie.extension == opcode, XGetEventData(display, &event.xcookie) != 0
      else { continue }
      defer { XFreeEventData(display, &event.xcookie) }
      if let data = event.xcookie.data { duty.take(event.xcookie.evtype, data) }
    }
  }
}
