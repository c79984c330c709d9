import CLinux
import CX11
package import CarryModel
import CarrySystem
import CarryX

/// The touch gate: a process of its own between the X server and the applications that have drag regions.
///
/// It holds each touch that begins in a guarded window until the engine decides, and no longer than its patience: an
/// engine that is stopped, stuck or slow costs an application one late touch, never its touchscreen. It ends when the
/// engine does; the server then gives every undecided touch to its application.
package final class GateProcess {
  private let display: OpaquePointer
  private let engine: CInt
  private let opcode: CInt
  private var queue: GateQueue
  private var outbox = GateOutbox()
  private var guarded: Set<UInt32> = []
  /// A touch that is down, or that has ended undecided.
  private struct Touch {
    /// The master pointer, and the windows in whose names the touch is held: guarded ones may be inside one another.
    let device: CInt
    var windows: [CX11.Window]
    /// Screen pixels.
    var x: Double
    var y: Double
    var hasEnded = false
    /// Whether it is ours to decide. Not while somebody comes first who may act on it, as an open menu does.
    var isOwned = false
  }
  private var touches: [UInt32: Touch] = [:]
  /// Touches that are seen and not held, whose positions the engine wants.
  private var observed: [UInt32: (x: Double, y: Double)] = [:]
  /// Touches that are down, anywhere.
  private var down: Set<UInt32> = []

  /// Why there can be no gate.
  package struct Problem: Error {
    package let sentence: String
  }

  /// - Parameter engine: the socket to the engine.
  package init(displayName: String?, engine: CInt, patience: Interval) throws(Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(displayName) else { throw Problem(sentence: "cannot open the display") }
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var (major, minor): (CInt, CInt) = (2, 2)
    guard XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0,
      XIQueryVersion(display, &major, &minor) == Success, major > 2 || (major == 2 && minor >= 2)
    else {
      XCloseDisplay(display)
      throw Problem(sentence: "the X server has no XInput 2.2, so touches cannot be held")
    }
    self.display = display
    self.engine = engine
    self.opcode = opcode
    queue = GateQueue(patience: patience)
    selectRawEvents()
    XSetIOErrorExitHandler(display, { _, _ in exit(0) }, nil)
  }

  /// Runs until the engine or the X server is gone.
  package func run() {
    XSync(display, XFalse)
    report(GateMessage(kind: .ready, id: 0))
    while true {
      var fds = [
        pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0),
        pollfd(fd: engine, events: Int16(outbox.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
      ]
      // Sending may read events too, and the descriptor does not tell of those.
      if XEventsQueued(display, CInt(QueuedAfterFlush)) == 0, poll(&fds, 2, timeout) < 0, clinux_errno() != EINTR {
        return
      }
      outbox.flush { $0.send(to: engine) }
      // Deadlines before all else, and orders last: each may wait for the X server, and there may be any number of them.
      for touch in queue.expire(at: MonotonicClock.now()) { giveBackUnasked(touch) }
      takeEvents()
      guard takeOrders() else { return }
    }
  }

  /// So many orders are taken before deadlines and events have their turn again.
  static let ordersAtOnce = 16

  @discardableResult
  private func report(_ message: GateMessage) -> Bool { outbox.send(message) { $0.send(to: engine) } }

  private var timeout: CInt {
    guard let due = queue.nextDeadline else { return -1 }
    return CInt(clamping: max(0, (due - MonotonicClock.now()).microseconds / 1000 + 1))
  }

  // MARK: From the engine

  /// False when the engine is gone.
  private func takeOrders() -> Bool {
    for _ in 0..<Self.ordersAtOnce {
      switch GateMessage.receive(from: engine) {
      case .nothing: return true
      case .closed: return false
      case .message(let m):
        switch m.kind {
        case .guardWindow: guardWindow(m.id)
        case .unguardWindow: unguard(m.id)
        case .accept: if queue.accept(m.id) { take(m.id) }
        case .reject:
          // Whether it has gone up by now is what its replay depends on.
          takeEvents()
          reject(m.id)
        case .ping: report(GateMessage(kind: .pong, id: 0))
        case .observe:
          // One that has ended by now would never be let go of.
          guard down.contains(m.id) else { break }
          observed[m.id] = (Double(m.x) / 256, Double(m.y) / 256)
          if observed.count == 1 { selectRawEvents() }
        case .unobserve:
          observed[m.id] = nil
          if observed.isEmpty { selectRawEvents() }
        case .patience: queue.patience = Interval(microseconds: max(0, m.time))
        default: break
        }
      }
    }
    return true
  }

  /// Touches anywhere: they come to whoever asks, whoever holds them. How they move is asked only while it is wanted.
  private func selectRawEvents() {
    let moves = observed.isEmpty ? [] : [XI_RawTouchUpdate]
    _ = withMask([XI_RawTouchBegin, XI_RawTouchEnd] + moves) { mask in
      XISelectEvents(display, XDefaultRootWindow(display), &mask, 1)
    }
  }

  private func withMask<T>(_ events: [CInt], _ body: (inout XIEventMask) -> T) -> T {
    var bytes: [UInt8] = [0, 0, 0, 0]
    for event in events { cx11_set_xi_mask(&bytes, event) }
    return bytes.withUnsafeMutableBufferPointer {
      var mask = XIEventMask(deviceid: XIAllMasterDevices, mask_len: CInt($0.count), mask: $0.baseAddress)
      return body(&mask)
    }
  }

  private func guardWindow(_ window: UInt32) {
    guard guarded.insert(window).inserted else { return }
    var modifiers = XIGrabModifiers(modifiers: CInt(bitPattern: UInt32(1) << 31), status: 0)
    let failed = withMask([XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd, XI_TouchOwnership]) { mask in
      XIGrabTouchBegin(display, XIAllMasterDevices, CX11.Window(window), XFalse, &mask, 1, &modifiers)
    }
    if failed != 0 {
      guarded.remove(window)
      // Of a window that is gone there is an error instead of an answer.
      report(GateMessage(kind: failed < 0 ? .windowGone : .guardFailed, id: window))
    } else {
      report(GateMessage(kind: .guarded, id: window))
    }
  }

  private func unguard(_ window: UInt32) {
    guard guarded.remove(window) != nil else { return }
    var modifiers = XIGrabModifiers(modifiers: CInt(bitPattern: UInt32(1) << 31), status: 0)
    XIUngrabTouchBegin(display, XIAllMasterDevices, CX11.Window(window), 1, &modifiers)
    report(GateMessage(kind: .released, id: window))
  }

  /// The touch is the engine's.
  private func take(_ id: UInt32) {
    guard let touch = touches[id], let window = touch.windows.first else { return }
    XIAllowTouchEvents(display, touch.device, id, window, XIAcceptTouch)
    if touch.hasEnded { touches[id] = nil }
  }

  /// The touch is the application's, and so are those that must come before it.
  private func reject(_ id: UInt32) {
    for touch in queue.reject(id) {
      if touch == id { giveBack(touch) } else { giveBackUnasked(touch) }
    }
  }

  /// Gives the touch to the application though the engine has not said so, and tells it: the tap must not add as well.
  private func giveBackUnasked(_ id: UInt32) {
    giveBack(id)
    report(GateMessage(kind: .expired, id: id))
  }

  /// The touch is the application's.
  ///
  /// The server keeps no end of a touch that it holds back. The one that it makes up when the touch is given away is
  /// where its pointer is, which another finger may have moved (GetDixTouchEnd in dix/touch.c): a button would be
  /// released beside itself and not click. So for this one moment the pointer is put where the finger went up.
  private func giveBack(_ id: UInt32) {
    guard let touch = touches.removeValue(forKey: id) else { return }
    var pointer: (x: Double, y: Double)?
    if touch.hasEnded, let p = pointerPosition(touch.device), abs(p.x - touch.x) >= 1 || abs(p.y - touch.y) >= 1 {
      pointer = p
      warp(touch.device, touch.x, touch.y)
    }
    for window in touch.windows { XIAllowTouchEvents(display, touch.device, id, window, XIRejectTouch) }
    if let pointer { warp(touch.device, pointer.x, pointer.y) }
  }

  private func warp(_ device: CInt, _ x: Double, _ y: Double) {
    XIWarpPointer(display, device, 0, XDefaultRootWindow(display), 0, 0, 0, 0, x, y)
  }

  private func pointerPosition(_ device: CInt) -> (x: Double, y: Double)? {
    var (root, child): (CX11.Window, CX11.Window) = (0, 0)
    var (x, y, windowX, windowY) = (0.0, 0.0, 0.0, 0.0)
    var buttons = XIButtonState()
    var modifiers = XIModifierState()
    var group = XIGroupState()
    let found = XIQueryPointer(
      display, device, XDefaultRootWindow(display), &root, &child, &x, &y, &windowX, &windowY, &buttons, &modifiers,
      &group)
    if let mask = buttons.mask { cx11_free(mask) }
    return found != 0 ? (x, y) : nil
  }

  // MARK: From the server

  private func takeEvents() {
    var event = XEvent()
    while XEventsQueued(display, QueuedAfterReading) > 0 {
      guard ServerEvents.take(from: display, into: &event), event.type == GenericEvent,
        event.xcookie.extension == opcode, XGetEventData(display, &event.xcookie) != 0
      else { continue }
      defer { XFreeEventData(display, &event.xcookie) }
      guard let data = event.xcookie.data else { continue }
      switch event.xcookie.evtype {
      case XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd:
        touch(event.xcookie.evtype, data.assumingMemoryBound(to: XIDeviceEvent.self).pointee)
      case XI_TouchOwnership:
        owned(data.assumingMemoryBound(to: XITouchOwnershipEvent.self).pointee)
      case XI_RawTouchBegin, XI_RawTouchUpdate, XI_RawTouchEnd:
        raw(event.xcookie.evtype, data.assumingMemoryBound(to: XIRawEvent.self))
      default:
        break
      }
    }
  }

  private func raw(_ type: CInt, _ e: UnsafePointer<XIRawEvent>) {
    let id = UInt32(bitPattern: e.pointee.detail)
    if type == XI_RawTouchUpdate, observed[id] == nil { return }
    var (x, y) = observed[id] ?? (0, 0)
    cx11_raw_position(e, &x, &y)
    var message = GateMessage(kind: .rawMoved, id: id)
    message.device = UInt32(clamping: e.pointee.sourceid)
    message.x = fixed(x)
    message.y = fixed(y)
    message.time = MonotonicClock.now().microseconds
    switch type {
    case XI_RawTouchBegin:
      message.kind = .rawBegan
      down.insert(id)
    case XI_RawTouchEnd:
      message.kind = .rawEnded
      down.remove(id)
      if observed.removeValue(forKey: id) != nil, observed.isEmpty { selectRawEvents() }
    default: observed[id] = (x, y)
    }
    report(message)
  }

  private func fixed(_ v: Double) -> Int32 { v.isFinite ? Int32(max(-8_000_000, min(8_000_000, v)) * 256) : 0 }

  private func touch(_ type: CInt, _ e: XIDeviceEvent) {
    let id = UInt32(bitPattern: e.detail)
    if type == XI_TouchBegin {
      if touches[id] == nil {
        touches[id] = Touch(device: e.deviceid, windows: [e.event], x: e.root_x, y: e.root_y)
      } else {
        touches[id]?.windows.append(e.event)
      }
      return
    }
    // In the name of the outermost window; the others say the same.
    guard let touch = touches[id], touch.windows.first == e.event else { return }
    touches[id]?.x = e.root_x
    touches[id]?.y = e.root_y
    if type == XI_TouchEnd {
      touches[id]?.hasEnded = true
      guard touch.isOwned else {
        // Who came first has kept it, or it becomes ours when it is over.
        forgetOldTouches()
        return
      }
      // A held touch that has ended still wants its decision; one that was decided is over.
      if !queue.ended(id) { touches[id] = nil }
    }
    if touch.isOwned { report(message(type == XI_TouchEnd ? .ended : .moved, id, e.root_x, e.root_y)) }
  }

  /// The touch is ours to decide from now on: at its begin, or when all who came first have given it away.
  private func owned(_ e: XITouchOwnershipEvent) {
    let id = e.touchid
    guard let touch = touches[id], touch.windows.contains(e.event) else {
      XIAllowTouchEvents(display, e.deviceid, id, e.event, XIRejectTouch)
      return
    }
    guard !touch.isOwned else { return }
    guard !touch.hasEnded else {
      giveBack(id)
      return
    }
    touches[id]?.isOwned = true
    queue.began(id, at: MonotonicClock.now())
    // An engine that does not read cannot decide: the touch is the application's, now rather than later.
    if !report(message(.began, id, touch.x, touch.y)) { reject(id) }
  }

  private func message(_ kind: GateMessage.Kind, _ id: UInt32, _ x: Double, _ y: Double) -> GateMessage {
    GateMessage(kind: kind, id: id, x: fixed(x), y: fixed(y), time: MonotonicClock.now().microseconds)
  }

  /// Touches that never became ours leave no other trace. Numbers only grow: the lowest are the oldest.
  private func forgetOldTouches() {
    let over = touches.filter { !$0.value.isOwned && $0.value.hasEnded }.keys.sorted()
    for id in over.dropLast(32) { touches[id] = nil }
  }
}

private let XFalse: CInt = 0
