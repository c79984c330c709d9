import CX11
import CarryCompanion
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Detects drags of other programs, during which the shelf may appear and the side doors open. X does not report
/// drags: a dragging program acquires the selection with a button down, and drags until the button is released.
final class ForeignDragWatch {
  private let engine: BridgeClient
  private let x: XConnection
  /// The bridge's window that receives the X server's events about new selection owners.
  private let window: UInt32
  private var drag = OtherDrag()
  private var pointerCarries = false
  /// Called with the selection owner's window when a drag begins, and with nil when it ends.
  var onChange: ((UInt32?) -> Void)?

  init(_ engine: BridgeClient, _ x: XConnection, window: UInt32) {
    (self.engine, self.x, self.window) = (engine, x, window)
    x.watchOwners(for: window)
    engine.onPointerCarries = { [unowned self] in setPointerCarries($0) }
    lookAtOwner()
  }

  /// The X server reports changes only; a drag may already be under way.
  private func lookAtOwner() {
    let owner = x.selections.owner(of: x.atom("XdndSelection"))
    if owner != 0, !x.isOwn(owner) { drag.taken(by: owner) }
  }

  /// Whether another program may be dragging. A program that acquired the selection with no button down is not, even
  /// if a button is down by now.
  var mayBeUnderWay: Bool { !pointerCarries && (drag.mayBeUnderWay || !x.tellsOfOwners) }

  /// Records whether the pressed button carries a session of Carry's.
  private func setPointerCarries(_ carries: Bool) {
    pointerCarries = carries
    if !carries { return lookAtOwner() }
    if drag.stopped() { reportEnd() }
  }

  /// Handles an event sent by the X server itself.
  ///
  /// - Parameter isOurs: Whether the bridge itself makes a program drag now.
  func handle(_ event: XEvent, isOurs: Bool, at now: Instant) {
    guard let owner = x.newOwner(in: event, for: window) else { return }
    guard owner != 0, !x.isOwn(owner), !isOurs, !pointerCarries else { return drag.givenUp() }
    drag.taken(by: owner)
    advance(to: now, isOurs: isOurs)
  }

  var nextDeadline: Instant? { drag.looksAgain }

  /// - Parameter isOurs: Whether the bridge itself makes a program drag now, with a button that the bridge holds.
  func advance(to now: Instant, isOurs: Bool) {
    guard let due = nextDeadline, due <= now else { return }
    if isOurs, !drag.isUnderWay { return drag.givenUp() }
    switch drag.looked(isButtonDown: x.hasButtonDown, at: now) {
    case .begins(let owner):
      if let point = x.pointer() { engine.otherDragChanged(point) }
      onChange?(owner)
    case .isAnothers(let owner): onChange?(owner)
    case .isOver: reportEnd()
    case nil: break
    }
  }

  private func reportEnd() {
    engine.otherDragChanged(nil)
    onChange?(nil)
  }
}
