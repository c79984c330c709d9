import CX11
import Carry
import CarryModel
import CarrySystem

/// Tells the engine while another program drags by itself, so that the shelf may show itself (Z15). X has no word for that: a
/// program that drags takes the selection with a button down, and drags until the button is up.
final class ForeignDragWatch {
  private let client: Client
  private let x: XConnection
  /// The bridge's window to which the X server tells of new owners of the selection.
  private let window: UInt32
  /// When it is looked whether the button is up; nil while nothing is dragged.
  private var looksAgain: Instant?
  private static let pause = Interval.milliseconds(100)

  init(_ client: Client, _ x: XConnection, window: UInt32) {
    (self.client, self.x, self.window) = (client, x, window)
    x.watchOwners(true, for: window)
  }

  /// Takes in an event of the X server's own.
  ///
  /// - Parameter isOurs: whether the bridge itself has a program drag now.
  func take(_ event: XEvent, isOurs: Bool, at now: Instant) {
    guard looksAgain == nil, let owner = x.newOwner(in: event, for: window), owner != 0,
      owner & ~x.idMask != window & ~x.idMask, !isOurs, x.hasButtonDown, let point = x.pointer()
    else { return }
    looksAgain = now + Self.pause
    client.otherDragChanged(point)
  }

  var nextDeadline: Instant? { looksAgain }

  func advance(to now: Instant) {
    guard let due = looksAgain, due <= now else { return }
    looksAgain = x.hasButtonDown ? now + Self.pause : nil
    if looksAgain == nil { client.otherDragChanged(nil) }
  }
}
