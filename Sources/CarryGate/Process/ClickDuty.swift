import CX11
import CarryX
import CarryModel
import CarrySystem

/// Holds the left button's press in guarded windows, for trackpads, until the engine decides, and no longer than
/// `ClickHold` says.
final class ClickDuty: GateDuty {
  private let lines: GateLines
  private var clicks: ClickHold
  /// X's Button1.
  private static let left: CInt = 1

  init(_ lines: GateLines, patience: Interval) {
    self.lines = lines
    clicks = ClickHold(patience: patience)
  }

  var patience: Interval {
    get { clicks.patience }
    set { clicks.patience = newValue }
  }

  var nextDeadline: Instant? { clicks.nextDeadline }

  func expire(at now: Instant) {
    for click in clicks.expire(at: now) {
      allow(click, XIReplayDevice)
      lines.report(GateMessage(kind: .clickExpired, id: click.id))
    }
  }

  func carryOut(_ order: ClickOrder) {
    switch order {
    case .keep(let id): clicks.keep(id)
    case .take(let id): if let click = clicks.decide(id) { allow(click, XIAsyncDevice) }
    case .give(let id): if let click = clicks.decide(id) { allow(click, XIReplayDevice) }
    }
  }

  // MARK: Grabs

  /// No modifiers except the locks: clicks with other modifiers are meant for the application.
  private static var plainModifiers: [XIGrabModifiers] {
    [0, LockMask, Mod2Mask, LockMask | Mod2Mask].map { XIGrabModifiers(modifiers: CInt($0), status: 0) }
  }

  /// Grabs the left button: the pointer stops at a press until the press is decided.
  func grab(_ window: UInt32) -> CInt {
    var modifiers = Self.plainModifiers
    // The release ends the grab.
    return XInput.withMask(of: [XI_ButtonPress, XI_ButtonRelease]) { mask in
      XIGrabButton(
        lines.display, XIAllMasterDevices, Self.left, CX11.Window(window), 0, CInt(XIGrabModeSync),
        CInt(XIGrabModeAsync), 0, &mask, CInt(modifiers.count), &modifiers)
    }
  }

  func ungrab(_ window: UInt32) {
    var plain = Self.plainModifiers
    XIUngrabButton(
      lines.display, XIAllMasterDevices, Self.left, CX11.Window(window), CInt(plain.count), &plain)
  }

  private func allow(_ click: ClickHold.Click, _ mode: CInt) {
    XIAllowEvents(lines.display, click.pointer, mode, Time(CurrentTime))
  }

  // MARK: From the server

  func take(_ type: CInt, _ event: UnsafeMutableRawPointer) {
    guard type == XI_ButtonPress else { return }
    let e = event.assumingMemoryBound(to: XIDeviceEvent.self).pointee
    let now = MonotonicClock.now()
    let id = clicks.began(pointer: e.deviceid, at: now)
    // Replay the click at once if it is emulated from a touch, because that touch has been decided; or if the engine does
    // not read, because then it cannot decide.
    let isTouch = e.flags & XIPointerEmulated != 0
    if isTouch || !lines.report(GateMessage(kind: .clicked, id: id, time: now.microseconds)),
      let click = clicks.decide(id)
    {
      allow(click, XIReplayDevice)
    }
  }
}
