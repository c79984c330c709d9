import CX11
import CarryX
import CarryModel
import CarrySystem

/// Holds presses of the left button in guarded windows, for trackpads, mice and pens, until the engine decides, and
/// no longer than `ClickHold` allows.
///
/// While a press is held, the X server stops the pointer for all clients. A followed click's motion and end therefore
/// come from the raw events of the device, which is not stopped, and its place from the cursor. Once the engine has
/// taken the click, the grab reports both.
final class ClickDuty: GateDuty {
  private let lines: GateLines
  private var clicks: ClickHold
  private let device: ClickDevice
  /// The time of each pointer's newest press, by the server's clock, and the window whose grab received it.
  private var presses: [CInt: (time: Time, window: CX11.Window)] = [:]
  /// X's Button1.
  private static let left: CInt = 1
  /// The devices' number for that button, at the time when the newest click began to be followed.
  private var leftOfDevices = left
  /// The buttons that wheels press.
  private static let wheels: ClosedRange<CInt> = 4...7

  init(_ lines: GateLines, patience: Interval) {
    self.lines = lines
    clicks = ClickHold(patience: patience)
    device = ClickDevice(lines.display)
  }

  var patience: Interval {
    get { clicks.patience }
    set { clicks.patience = newValue }
  }

  var nextDeadline: Instant? { clicks.nextDeadline }

  func expire(at now: Instant) {
    while let (click, place) = clicks.takeUnreported() {
      tell(.clickReleased, click, place)
      listen()
    }
    if let click = clicks.unlocated {
      // The request for the place waits for the X server, so any report of the grab has arrived after it.
      clicks.deviceReleased(click.id, at: device.cursor ?? click.point)
    }
    for click in clicks.expire(at: now) { giveAway(click) }
  }

  /// Passes a click to the application without the engine's decision.
  private func giveAway(_ click: ClickHold.Click) {
    allow(click, XIReplayDevice)
    lines.report(GateMessage(kind: .clickExpired, id: click.id))
  }

  func carryOut(_ order: ClickOrder) {
    switch order {
    case .keep(let id): clicks.keep(id)
    case .follow(let id): follow(id)
    case .take(let id): if let click = clicks.take(id) { allow(click, XIAsyncDevice) }
    case .give(let id): if let click = clicks.decide(id) { allow(click, XIReplayDevice) }
    }
  }

  // MARK: Grabs

  /// No modifiers except the locks and Shift: clicks with other modifiers are meant for the application.
  private static var heldModifiers: [XIGrabModifiers] {
    [0, ShiftMask].flatMap { shift in
      [0, LockMask, Mod2Mask, LockMask | Mod2Mask].map { XIGrabModifiers(modifiers: CInt($0 | shift), status: 0) }
    }
  }

  /// Grabs the left button: the pointer stops at a press until the press is decided.
  func grab(_ window: UInt32) -> CInt {
    var modifiers = Self.heldModifiers
    // The release ends the grab.
    return XInput.withMask(of: [XI_ButtonPress, XI_ButtonRelease, XI_Motion]) { mask in
      XIGrabButton(
        lines.display, XIAllMasterDevices, Self.left, CX11.Window(window), 0, CInt(XIGrabModeSync),
        CInt(XIGrabModeAsync), 0, &mask, CInt(modifiers.count), &modifiers)
    }
  }

  func ungrab(_ window: UInt32) {
    var modifiers = Self.heldModifiers
    XIUngrabButton(
      lines.display, XIAllMasterDevices, Self.left, CX11.Window(window), CInt(modifiers.count), &modifiers)
  }

  private func allow(_ click: ClickHold.Click, _ mode: CInt) {
    XIAllowEvents(lines.display, click.pointer, mode, Time(CurrentTime))
    if click.isFollowed { listen() }
  }

  /// Selects the events of the devices that the present clicks need.
  private func listen() {
    device.listen(
      motion: clicks.followsHeldClick, releases: clicks.followsHeldClick || clicks.followsTakenClick)
  }

  // MARK: Following

  private func follow(_ id: UInt32) {
    guard let click = clicks.follow(id) else { return }
    // Select the events first and query then, or changes in between are missed.
    listen()
    leftOfDevices = device.deviceButton(Self.left)
    if !device.isDown(leftOfDevices, of: click.source) { return released(click) }
    // The pointer may have moved before.
    moved(click)
  }

  private func moved(_ click: ClickHold.Click) {
    guard let place = device.cursor else { return }
    clicks.moved(click.id, to: place)
    tell(.clickMoved, click, place)
  }

  private func released(_ click: ClickHold.Click) {
    let place = device.cursor ?? click.point
    clicks.moved(click.id, to: place)
    if let over = clicks.released(click.id, time: MonotonicClock.now()) {
      giveAway(over)
    } else {
      tell(.clickReleased, click, place)
    }
  }

  private func tell(_ kind: GateMessage.Kind, _ click: ClickHold.Click, _ place: Point) {
    lines.report(GateMessage(kind: kind, id: click.id, at: place, time: MonotonicClock.now()))
  }

  // MARK: From the server

  func take(_ type: CInt, _ event: UnsafeMutableRawPointer) {
    switch type {
    case XI_RawMotion, XI_RawButtonRelease: takeRaw(type, event.assumingMemoryBound(to: XIRawEvent.self).pointee)
    case XI_ButtonPress, XI_ButtonRelease, XI_Motion:
      takeGrabbed(type, event.assumingMemoryBound(to: XIDeviceEvent.self).pointee)
    default: break
    }
  }

  private func takeRaw(_ type: CInt, _ e: XIRawEvent) {
    // The pointer's copies of the device's events arrive once the pointer is released.
    guard e.deviceid == e.sourceid else { return }
    if type == XI_RawButtonRelease, e.detail == leftOfDevices, let click = clicks.taken(from: e.sourceid) {
      return clicks.deviceReleased(click.id)
    }
    guard let click = clicks.followed(of: e.sourceid) else { return }
    if type == XI_RawMotion {
      moved(click)
    } else if e.detail == leftOfDevices {
      released(click)
    }
  }

  private func takeGrabbed(_ type: CInt, _ e: XIDeviceEvent) {
    let place = Point(x: e.root_x, y: e.root_y)
    guard let click = clicks.taken(by: e.deviceid) else {
      if type == XI_ButtonPress { began(e, place) }
      return
    }
    switch type {
    case XI_Motion: tell(.clickMoved, click, place)
    case XI_ButtonRelease where e.detail == Self.left:
      clicks.forgetTaken(click.id)
      listen()
      tell(.clickReleased, click, place)
    case XI_ButtonPress where e.detail == Self.left:
      // Another mouse, or a release that was missed. The X server may have stopped the pointer for it.
      clicks.forgetTaken(click.id)
      listen()
      tell(.clickReleased, click, place)
      began(e, place)
    case XI_ButtonPress where !Self.wheels.contains(e.detail): tell(.otherPressed, click, place)
    default: break
    }
  }

  private func began(_ e: XIDeviceEvent, _ place: Point) {
    guard e.detail == Self.left else { return }
    // The same press, which the server also sends to the grab of a window further inside.
    let before = presses.updateValue((e.time, e.event), forKey: e.deviceid)
    guard before?.time != e.time || before?.window == e.event else {
      XIAllowEvents(lines.display, e.deviceid, XIReplayDevice, Time(CurrentTime))
      return
    }
    let now = MonotonicClock.now()
    let id = clicks.began(pointer: e.deviceid, source: e.sourceid, at: place, time: now)
    var flags: ClickFlags = e.mods.effective & CInt(ShiftMask) != 0 ? .shift : []
    if device.isPen(e.sourceid) { flags.insert(.pen) }
    // Replay the click at once if it is emulated from a touch, because that touch has been decided; or if the engine
    // does not read, because then it cannot decide.
    let isTouch = e.flags & XIPointerEmulated != 0
    let message = GateMessage(kind: .clicked, id: id, at: place, time: now, device: flags.rawValue)
    if isTouch || !lines.report(message), let click = clicks.decide(id) { allow(click, XIReplayDevice) }
  }
}
