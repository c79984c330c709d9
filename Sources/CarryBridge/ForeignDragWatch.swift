import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Knows while another program drags by itself: the shelf may show itself then (Z15), and the side doors open. X has no word for
/// that: a program that drags takes the selection with a button down, and drags until the button is up.
final class ForeignDragWatch {
  private let client: Client
  private let x: XConnection
  /// The bridge's window to which the X server tells of new owners of the selection.
  private let window: UInt32
  private var drag = OtherDrag()
  private var pointerCarries = false
  /// Called with the window that owns the selection as a drag begins, and with nil once it is over.
  var onChange: ((UInt32?) -> Void)?

  init(_ client: Client, _ x: XConnection, window: UInt32) {
    (self.client, self.x, self.window) = (client, x, window)
    x.watchOwners(true, for: window)
    client.onPointerCarries = { [unowned self] in setPointerCarries($0) }
    lookAtOwner()
  }

  /// The X server tells of changes only: one may drag already.
  private func lookAtOwner() {
    let owner = x.selections.owner(of: x.atom("XdndSelection"))
    if owner != 0, isAnothers(owner) { drag.taken(by: owner) }
  }

  private func isAnothers(_ owner: UInt32) -> Bool { owner & ~x.idMask != window & ~x.idMask }

  /// Whether another program drags, as far as is known. One that has the selection and took it with no button down does not,
  /// whoever's button is down by now.
  var mayBeUnderWay: Bool { !pointerCarries && (drag.mayBeUnderWay || !x.tellsOfOwners) }

  /// Whether the button that is down carries a session of Carry's.
  private func setPointerCarries(_ carries: Bool) {
    pointerCarries = carries
    if !carries { return lookAtOwner() }
    if drag.stopped() { tellEnd() }
  }

  /// Takes in an event of the X server's own.
  ///
  /// - Parameter isOurs: whether the bridge itself has a program drag now.
  func take(_ event: XEvent, isOurs: Bool, at now: Instant) {
    guard let owner = x.newOwner(in: event, for: window) else { return }
    guard owner != 0, isAnothers(owner), !isOurs, !pointerCarries else { return drag.givenUp() }
    drag.taken(by: owner)
    advance(to: now, isOurs: isOurs)
  }

  var nextDeadline: Instant? { drag.looksAgain }

  /// - Parameter isOurs: whether the bridge itself has a program drag now: the button is the bridge's, too.
  func advance(to now: Instant, isOurs: Bool) {
    guard let due = nextDeadline, due <= now else { return }
    if isOurs, !drag.isUnderWay { return drag.givenUp() }
    switch drag.looked(isButtonDown: x.hasButtonDown, at: now) {
    case .begins(let owner):
      if let point = x.pointer() { client.otherDragChanged(point) }
      onChange?(owner)
    case .isAnothers(let owner): onChange?(owner)
    case .isOver: tellEnd()
    case nil: break
    }
  }

  private func tellEnd() {
    client.otherDragChanged(nil)
    onChange?(nil)
  }
}
