import CX11
import CarryModel
import CarrySystem

/// The moments at which an output's refreshes begin, from the X Present extension.
///
/// While something moves, the server is asked only now and then, not for every refresh. In between, the moments are
/// computed from the interval.
final class Blanking {
  private let server: XServer
  private let opcode: CInt
  /// A window that is never mapped. Its position selects the output.
  private var window: CX11.Window = 0
  private var output: Rect?
  private var asked: Instant?
  /// Distinguishes replies about the present output from those about a previous one.
  private var number: UInt32 = 0
  /// When a refresh of the output began; nil while unknown.
  private(set) var last: Instant?

  /// How long a reply is valid, because the clocks of outputs are inexact.
  private static let keeps = Interval.milliseconds(250)
  /// A reply that differs more than this from the present time comes from another clock.
  private static let plausible = Interval.seconds(1)

  /// Nil if the server lacks the extension.
  init?(_ server: XServer) {
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    guard XPresentQueryExtension(server.display, &opcode, &event, &error) != 0 else { return nil }
    var (major, minor): (CInt, CInt) = (1, 0)
    guard XPresentQueryVersion(server.display, &major, &minor) != 0 else { return nil }
    self.server = server
    self.opcode = opcode
  }

  /// Asks for the next moment if the last known one is old. One request, no round trip.
  func follow(_ output: Rect, at now: Instant) {
    if output != self.output {
      self.output = output
      (last, asked) = (nil, nil)
      number &+= 1
      place(output)
    }
    // A sleeping output does not reply.
    if let asked, now - asked < Self.plausible { return }
    if let last, now - last < Self.keeps { return }
    asked = now
    XPresentNotifyMSC(server.display, window, number, 0, 1, 0)
  }

  private func place(_ output: Rect) {
    let (x, y) = (CInt(output.center.x), CInt(output.center.y))
    if window != 0 {
      XMoveWindow(server.display, window, x, y)
    } else {
      var attributes = XSetWindowAttributes()
      attributes.override_redirect = 1
      window = XCreateWindow(
        server.display, server.root, x, y, 1, 1, 0, 0, UInt32(InputOutput), nil, UInt(CWOverrideRedirect), &attributes)
      _ = XPresentSelectInput(server.display, window, UInt32(PresentCompleteNotifyMask))
    }
  }

  /// Handles a reply. With a real output, the server's clock is the monotonic clock in microseconds. A reply that
  /// cannot come from this clock is ignored.
  func handle(_ event: inout XEvent) -> Bool {
    guard event.type == GenericEvent, event.xcookie.extension == opcode else { return false }
    guard event.xcookie.evtype == PresentCompleteNotify, XGetEventData(server.display, &event.xcookie) != 0 else {
      return true
    }
    defer { XFreeEventData(server.display, &event.xcookie) }
    guard let data = event.xcookie.data else { return true }
    let answer = data.assumingMemoryBound(to: XPresentCompleteNotifyEvent.self).pointee
    guard answer.window == window, answer.serial_number == number else { return true }
    guard let time = Int64(exactly: answer.ust) else { return true }
    let now = MonotonicClock.now()
    let then = Instant(microseconds: time)
    let isPlausible = then <= now + Self.plausible && now <= then + Self.plausible
    last = isPlausible ? then : nil
    // A server with another clock is not asked again at once.
    if isPlausible { asked = nil }
    return true
  }
}
