import CX11
import CarryX
import CarryModel
import CarrySystem

/// Holds each touch that begins in a guarded window, and sees all other touches.
final class TouchDuty: GateDuty {
  private let lines: GateLines
  private var queue: GateQueue
  /// A touch that is down, or that has ended undecided.
  private struct Held {
    /// The master pointer, and the guarded windows that hold the touch: guarded windows may lie inside one another.
    let device: CInt
    var windows: [CX11.Window]
    /// Screen pixels.
    var place: Point
    var hasEnded = false
    /// Whether the gate may decide about the touch. It may not while another client, such as an open menu, comes
    /// first.
    var isOwned = false
  }
  private var touches: [UInt32: Held] = [:]
  /// The time by which touches of some windows are held beyond the patience.
  private var longer: [UInt32: Interval] = [:]
  /// Touches that are seen but not held, whose positions the engine wants.
  private var observed: [UInt32: Point] = [:]
  /// Touches that are down, anywhere on the screen.
  private var down: Set<UInt32> = []

  init(_ lines: GateLines, patience: Interval) {
    self.lines = lines
    queue = GateQueue(patience: patience)
    selectRawEvents()
  }

  private var display: OpaquePointer { lines.display }

  var patience: Interval {
    get { queue.patience }
    set { queue.patience = newValue }
  }

  var nextDeadline: Instant? { queue.nextDeadline }

  func expire(at now: Instant) { for touch in queue.expire(at: now) { giveBackUnasked(touch) } }

  // MARK: From the engine

  func carryOut(_ order: TouchOrder) {
    switch order {
    case .accept(let id): if queue.accept(id) { take(id) }
    case .liftBegan(let id): queue.liftBegan(id)
    case .reject(let id):
      // Read the events first: the replay depends on whether the touch has ended by now.
      lines.takeEvents(self)
      reject(id)
    case .observe(let id, let raw):
      // An entry for a touch that has already ended would never be removed.
      guard down.contains(id) else { return }
      observed[id] = raw
      if observed.count == 1 { selectRawEvents() }
    case .unobserve(let id):
      observed[id] = nil
      if observed.isEmpty { selectRawEvents() }
    }
  }

  /// Selects raw touches, which come from anywhere on the screen, even if another client holds them. Selects their
  /// motion only while the engine wants it.
  private func selectRawEvents() {
    let moves = observed.isEmpty ? [] : [XI_RawTouchUpdate]
    _ = XInput.withMask(of: [XI_RawTouchBegin, XI_RawTouchEnd] + moves) { mask in
      XISelectEvents(display, XDefaultRootWindow(display), &mask, 1)
    }
  }

  private static let anyModifier = XIGrabModifiers(modifiers: CInt(bitPattern: UInt32(1) << 31), status: 0)

  func grab(_ window: UInt32) -> CInt {
    var modifiers = Self.anyModifier
    return XInput.withMask(of: [XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd, XI_TouchOwnership]) { mask in
      XIGrabTouchBegin(display, XIAllMasterDevices, CX11.Window(window), 0, &mask, 1, &modifiers)
    }
  }

  func holdLonger(_ window: UInt32, by interval: Interval) { longer[window] = interval > .zero ? interval : nil }

  func ungrab(_ window: UInt32) {
    longer[window] = nil
    var modifiers = Self.anyModifier
    XIUngrabTouchBegin(display, XIAllMasterDevices, CX11.Window(window), 1, &modifiers)
  }

  /// Claims the touch for the engine.
  private func take(_ id: UInt32) {
    guard let touch = touches[id], let window = touch.windows.first else { return }
    XIAllowTouchEvents(display, touch.device, id, window, XIAcceptTouch)
    if touch.hasEnded { touches[id] = nil }
  }

  /// Passes the touch to the application, after the touches that must come before it.
  private func reject(_ id: UInt32) {
    for touch in queue.reject(id) {
      if touch == id { giveBack(touch) } else { giveBackUnasked(touch) }
    }
  }

  /// Passes the touch to the application without an order, and tells the engine, so that the tap does not also add
  /// items.
  private func giveBackUnasked(_ id: UInt32) {
    giveBack(id)
    lines.report(GateMessage(kind: .expired, id: id))
  }

  /// Passes the touch to the application.
  ///
  /// The server does not record where a held touch ended. When the touch is rejected, the server synthesises an end
  /// at the position of its pointer, which another finger may have moved (GetDixTouchEnd in dix/touch.c). A button
  /// would then see a release outside itself and not click. The pointer is therefore moved for this moment to where
  /// the finger went up.
  private func giveBack(_ id: UInt32) {
    guard let touch = touches.removeValue(forKey: id) else { return }
    var pointer: Point?
    if touch.hasEnded, let now = pointerPosition(touch.device),
      abs(now.x - touch.place.x) >= 1 || abs(now.y - touch.place.y) >= 1
    {
      pointer = now
      warp(touch.device, touch.place)
    }
    for window in touch.windows { XIAllowTouchEvents(display, touch.device, id, window, XIRejectTouch) }
    if let pointer { warp(touch.device, pointer) }
  }

  private func warp(_ device: CInt, _ place: Point) {
    XIWarpPointer(display, device, 0, XDefaultRootWindow(display), 0, 0, 0, 0, place.x, place.y)
  }

  private func pointerPosition(_ device: CInt) -> Point? {
    var (root, child): (CX11.Window, CX11.Window) = (0, 0)
    var (x, y, windowX, windowY) = (0.0, 0.0, 0.0, 0.0)
    var buttons = XIButtonState()
    var modifiers = XIModifierState()
    var group = XIGroupState()
    let found = XIQueryPointer(
      display, device, XDefaultRootWindow(display), &root, &child, &x, &y, &windowX, &windowY, &buttons, &modifiers,
      &group)
    if let mask = buttons.mask { cx11_free(mask) }
    return found != 0 ? Point(x: x, y: y) : nil
  }

  // MARK: From the server

  func take(_ type: CInt, _ event: UnsafeMutableRawPointer) {
    switch type {
    case XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd:
      touch(type, event.assumingMemoryBound(to: XIDeviceEvent.self).pointee)
    case XI_TouchOwnership:
      owned(event.assumingMemoryBound(to: XITouchOwnershipEvent.self).pointee)
    case XI_RawTouchBegin, XI_RawTouchUpdate, XI_RawTouchEnd:
      raw(type, event.assumingMemoryBound(to: XIRawEvent.self))
    default:
      break
    }
  }

  private func raw(_ type: CInt, _ e: UnsafePointer<XIRawEvent>) {
    let id = UInt32(bitPattern: e.pointee.detail)
    if type == XI_RawTouchUpdate, observed[id] == nil { return }
    var place = observed[id] ?? .zero
    cx11_raw_position(e, &place.x, &place.y)
    let kind: GateMessage.Kind
    switch type {
    case XI_RawTouchBegin:
      kind = .rawBegan
      down.insert(id)
    case XI_RawTouchEnd:
      kind = .rawEnded
      down.remove(id)
      if observed.removeValue(forKey: id) != nil, observed.isEmpty { selectRawEvents() }
    default:
      kind = .rawMoved
      observed[id] = place
    }
    lines.report(
      GateMessage(
        kind: kind, id: id, at: place, time: MonotonicClock.now(), device: UInt32(clamping: e.pointee.sourceid)))
  }

  private func touch(_ type: CInt, _ e: XIDeviceEvent) {
    let id = UInt32(bitPattern: e.detail)
    if type == XI_TouchBegin {
      if touches[id] == nil {
        touches[id] = Held(device: e.deviceid, windows: [e.event], place: Point(x: e.root_x, y: e.root_y))
      } else {
        touches[id]?.windows.append(e.event)
      }
      return
    }
    // Use the outermost window's events only; those of the other windows are duplicates.
    guard let touch = touches[id], touch.windows.first == e.event else { return }
    let place = Point(x: e.root_x, y: e.root_y)
    touches[id]?.place = place
    var kind = GateMessage.Kind.moved
    if type == XI_TouchEnd {
      kind = .ended
      touches[id]?.hasEnded = true
      guard touch.isOwned else {
        // The client that came first has kept the touch, or the gate receives it when that client is done.
        forgetOldTouches()
        return
      }
      // A held touch that has ended still waits for its decision; a decided touch is over.
      if !queue.ended(id) {
        touches[id] = nil
        if !isInUse(e.sourceid) { kind = .expired }
      }
    }
    if touch.isOwned { report(kind, id, place) }
  }

  /// Whether a device exists and is enabled. The X server ends the touches of a device that is removed as if the
  /// fingers had lifted, which would drop the carried items. It reports the removal only after that, but has removed
  /// the device by the time it answers this request.
  private func isInUse(_ device: CInt) -> Bool {
    var count: CInt = 0
    guard let info = XIQueryDevice(display, device, &count) else { return false }
    defer { XIFreeDeviceInfo(info) }
    return count > 0 && info.pointee.enabled != 0
  }

  /// The gate may decide about the touch from now on: at its begin, or when all clients before it have rejected it.
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
    let longest = touch.windows.compactMap { longer[UInt32(truncatingIfNeeded: $0)] }.max()
    queue.began(id, at: MonotonicClock.now(), longer: longest ?? .zero)
    // An engine that does not read cannot decide, so pass the touch to the application now rather than later.
    if !report(.began, id, touch.place) { reject(id) }
  }

  /// Reports to the engine; returns false if the report is dropped.
  @discardableResult
  private func report(_ kind: GateMessage.Kind, _ id: UInt32, _ place: Point) -> Bool {
    lines.report(GateMessage(kind: kind, id: id, at: place, time: MonotonicClock.now()))
  }

  /// Removes the oldest touches that the gate never got to decide, because no event reports their end. Numbers only
  /// grow, so the lowest are the oldest.
  private func forgetOldTouches() {
    let over = touches.filter { !$0.value.isOwned && $0.value.hasEnded }.keys.sorted()
    for id in over.dropLast(32) { touches[id] = nil }
  }
}
