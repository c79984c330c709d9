import CLinux
import CX11
package import CarryModel
import CarrySystem
import CarryX

/// The touch gate's counterpart for the clicks of trackpads: a process of its own that holds the left button's press in
/// guarded windows until the engine decides, and no longer than `ClickHold` says. It ends when the engine does.
package final class ClickGateProcess {
  private let display: OpaquePointer
  private let engine: CInt
  private let opcode: CInt
  private var clicks: ClickHold
  private var guarded: Set<UInt32> = []
  /// X's Button1.
  private static let left: CInt = 1

  /// - Parameter engine: the socket to the engine.
  package init(displayName: String?, engine: CInt, patience: Interval) throws(GateProcess.Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(displayName) else {
      throw GateProcess.Problem(sentence: "cannot open the display")
    }
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var (major, minor): (CInt, CInt) = (2, 2)
    guard XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0,
      XIQueryVersion(display, &major, &minor) == Success, major > 2 || (major == 2 && minor >= 2)
    else {
      XCloseDisplay(display)
      throw GateProcess.Problem(sentence: "the X server has no XInput 2.2, so clicks cannot be held")
    }
    self.display = display
    self.engine = engine
    self.opcode = opcode
    clicks = ClickHold(patience: patience)
    XSetIOErrorExitHandler(display, { _, _ in exit(0) }, nil)
  }

  /// Runs until the engine or the X server is gone.
  package func run() {
    GateMessage(kind: .ready, id: 0).send(to: engine)
    while true {
      var fds = [
        pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0),
        pollfd(fd: engine, events: Int16(POLLIN), revents: 0),
      ]
      // Sending may read events too, and the descriptor does not tell of those.
      if XEventsQueued(display, CInt(QueuedAfterFlush)) == 0, poll(&fds, 2, timeout) < 0, clinux_errno() != EINTR {
        return
      }
      for click in clicks.expire(at: MonotonicClock.now()) {
        allow(click, XIReplayDevice)
        GateMessage(kind: .clickExpired, id: click.id).send(to: engine)
      }
      takeEvents()
      guard takeOrders() else { return }
    }
  }

  private var timeout: CInt {
    guard let due = clicks.nextDeadline else { return -1 }
    return CInt(clamping: max(0, (due - MonotonicClock.now()).microseconds / 1000 + 1))
  }

  /// False when the engine is gone.
  private func takeOrders() -> Bool {
    for _ in 0..<GateProcess.ordersAtOnce {
      switch GateMessage.receive(from: engine) {
      case .nothing: return true
      case .closed: return false
      case .message(let m):
        switch m.kind {
        case .guardWindow: guardWindow(m.id)
        case .unguardWindow: unguard(m.id)
        case .patience: clicks.patience = Interval(microseconds: max(0, m.time))
        case .keepClick: clicks.keep(m.id)
        case .takeClick: if let click = clicks.decide(m.id) { allow(click, XIAsyncDevice) }
        case .giveClick: if let click = clicks.decide(m.id) { allow(click, XIReplayDevice) }
        case .ping: GateMessage(kind: .pong, id: 0).send(to: engine)
        default: break
        }
      }
    }
    return true
  }

  // MARK: Grabs

  /// No modifier but the locks: what is clicked with others is meant for the application.
  private static var plainModifiers: [XIGrabModifiers] {
    [0, LockMask, Mod2Mask, LockMask | Mod2Mask].map { XIGrabModifiers(modifiers: CInt($0), status: 0) }
  }

  /// The pointer stops at a press of the left button, until somebody says what is to become of it.
  private func guardWindow(_ window: UInt32) {
    guard guarded.insert(window).inserted else { return }
    var bytes: [UInt8] = [0, 0, 0, 0]
    // The release ends the grab.
    for event in [XI_ButtonPress, XI_ButtonRelease] { cx11_set_xi_mask(&bytes, event) }
    var modifiers = Self.plainModifiers
    let failed = bytes.withUnsafeMutableBufferPointer {
      var mask = XIEventMask(deviceid: XIAllMasterDevices, mask_len: CInt($0.count), mask: $0.baseAddress)
      return XIGrabButton(
        display, XIAllMasterDevices, Self.left, CX11.Window(window), 0, CInt(XIGrabModeSync), CInt(XIGrabModeAsync),
        0, &mask, CInt(modifiers.count), &modifiers)
    }
    if failed != 0 { guarded.remove(window) }
    GateMessage(kind: failed == 0 ? .guarded : failed < 0 ? .windowGone : .guardFailed, id: window).send(to: engine)
  }

  private func unguard(_ window: UInt32) {
    guard guarded.remove(window) != nil else { return }
    var plain = Self.plainModifiers
    XIUngrabButton(display, XIAllMasterDevices, Self.left, CX11.Window(window), CInt(plain.count), &plain)
    GateMessage(kind: .released, id: window).send(to: engine)
  }

  private func allow(_ click: ClickHold.Click, _ mode: CInt) {
    XIAllowEvents(display, click.pointer, mode, Time(CurrentTime))
  }

  // MARK: From the server

  private func takeEvents() {
    var event = XEvent()
    while XEventsQueued(display, CInt(QueuedAfterReading)) > 0 {
      guard ServerEvents.take(from: display, into: &event), event.type == GenericEvent,
        event.xcookie.extension == opcode, XGetEventData(display, &event.xcookie) != 0
      else { continue }
      defer { XFreeEventData(display, &event.xcookie) }
      guard event.xcookie.evtype == XI_ButtonPress, let data = event.xcookie.data else { continue }
      clicked(data.assumingMemoryBound(to: XIDeviceEvent.self).pointee)
    }
  }

  private func clicked(_ e: XIDeviceEvent) {
    let now = MonotonicClock.now()
    let id = clicks.began(pointer: e.deviceid, at: now)
    // A touch that the application was given, and that stands for a click: it has been decided.
    let isTouch = e.flags & XIPointerEmulated != 0
    let message = GateMessage(kind: .clicked, id: id, time: now.microseconds)
    if isTouch || !message.send(to: engine), let click = clicks.decide(id) { allow(click, XIReplayDevice) }
  }
}
