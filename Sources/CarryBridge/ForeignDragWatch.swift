import CX11
import Carry
import CarryModel
import CarrySystem

/// Knows while another program drags by itself: the shelf may show itself then (Z15), and the side doors open. X has no word for
/// that: a program that drags takes the selection with a button down, and drags until the button is up.
final class ForeignDragWatch {
  private let client: Client
  private let x: XConnection
  /// The bridge's window to which the X server tells of new owners of the selection.
  private let window: UInt32
  /// When it is looked whether the button is up; nil while nothing is dragged.
  private var looksAgain: Instant?
  /// Called with the window that owns the selection as a drag begins, and with nil once it is over.
  var onChange: ((UInt32?) -> Void)?
  private static let pause = Interval.milliseconds(100)

  init(_ client: Client, _ x: XConnection, window: UInt32) {
    (self.client, self.x, self.window) = (client, x, window)
    x.watchOwners(true, for: window)
  }

  /// Takes in an event of the X server's own.
  ///
  /// - Parameter isOurs: whether the bridge itself has a program drag now.
  func take(_ event: XEvent, isOurs: Bool, at now: Instant) {
    guard let owner = x.newOwner(in: event, for: window), owner != 0,
      owner & ~x.idMask != window & ~x.idMask, !isOurs, x.hasButtonDown, let point = x.pointer()
    else { return }
    // The same press may begin another drag.
    if looksAgain == nil { client.otherDragChanged(point) }
    looksAgain = now + Self.pause
    onChange?(owner)
  }

  var nextDeadline: Instant? { looksAgain }

  func advance(to now: Instant) {
    guard let due = looksAgain, due <= now else { return }
    looksAgain = x.hasButtonDown ? now + Self.pause : nil
    guard looksAgain == nil else { return }
    client.otherDragChanged(nil)
    onChange?(nil)
  }
}
