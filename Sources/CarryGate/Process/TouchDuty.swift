import CX11
import CarryX
import CarryModel
import CarrySystem

/// Holds each touch that begins in a guarded window, and sees all others.
final class TouchDuty: GateDuty {
  private let lines: GateLines
  private var queue: GateQueue
  /// A touch that is down, or that has ended undecided.
  private struct Held {
    /// The master pointer, and the windows in whose names the touch is held: guarded ones may be inside one another.
    let device: CInt
    var windows: [CX11.Window]
    /// Screen pixels.
    var place: Point
    var hasEnded = false
    /// Whether it is ours to decide. Not while somebody comes first who may act on it, as an open menu does.
    var isOwned = false
  }
  private var touches: [UInt32: Held] = [:]
  /// Touches that are seen and not held, whose positions the engine wants.
  private var observed: [UInt32: Point] = [:]
  /// Touches that are down, anywhere.
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
    case .reject(let id):
      // Whether it has gone up by now is what its replay depends on.
      lines.takeEvents(self)
      reject(id)
    case .observe(let id, let raw):
      // One that has ended by now would never be let go of.
      guard down.contains(id) else { return }
      observed[id] = raw
      if observed.count == 1 { selectRawEvents() }
    case .unobserve(let id):
      observed[id] = nil
      if observed.isEmpty { selectRawEvents() }
    }
  }

  /// Touches anywhere: they come to whoever asks, whoever holds them. How they move is asked only while it is wanted.
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

  func ungrab(_ window: UInt32) {
    var modifiers = Self.anyModifier
    XIUngrabTouchBegin(display, XIAllMasterDevices, CX11.Window(window), 1, &modifiers)
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
    lines.report(GateMessage(kind: .expired, id: id))
  }

  /// The touch is the application's.
  ///
  /// The server keeps no end of a touch that it holds back. The one that it makes up when the touch is given away is
  /// where its pointer is, which another finger may have moved (GetDixTouchEnd in dix/touch.c): a button would be
  /// released beside itself and not click. So for this one moment the pointer is put where the finger went up.
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
    // In the name of the outermost window; the others say the same.
    guard let touch = touches[id], touch.windows.first == e.event else { return }
    let place = Point(x: e.root_x, y: e.root_y)
    touches[id]?.place = place
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
    if touch.isOwned { report(type == XI_TouchEnd ? .ended : .moved, id, place) }
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
    if !report(.began, id, touch.place) { reject(id) }
  }

  /// False when it is left out.
  @discardableResult
  private func report(_ kind: GateMessage.Kind, _ id: UInt32, _ place: Point) -> Bool {
    lines.report(GateMessage(kind: kind, id: id, at: place, time: MonotonicClock.now()))
  }

  /// Touches that never became ours leave no other trace. Numbers only grow: the lowest are the oldest.
  private func forgetOldTouches() {
    let over = touches.filter { !$0.value.isOwned && $0.value.hasEnded }.keys.sorted()
    for id in over.dropLast(32) { touches[id] = nil }
  }
}
