import CLinux
package import CarryModel
import CarrySystem

/// A message between the engine and a gate's process: a packet of fixed size over a socket pair.
package struct GateMessage: Equatable, Sendable {
  package enum Kind: Int32, Sendable {
    // From the engine to the gate.
    /// Hold touches that begin in this window (`id`) until they are decided; for `time` microseconds beyond the
    /// patience.
    case guardWindow = 1
    case unguardWindow = 2
    /// The touch (`id`) belongs to the engine: the application never sees it.
    case accept = 3
    /// The touch (`id`) belongs to the application, which receives it as if Carry were not there.
    case reject = 4
    /// Report the positions of this touch (`id`), which is not held.
    case observe = 5
    case unobserve = 6
    /// Hold touches that begin from now on for at most `time` microseconds.
    case patience = 7
    /// A finger of a trackpad may lift something with this click (`id`): hold it for as long as a touch.
    case keepClick = 8
    case takeClick = 9
    case giveClick = 10
    /// Answer with `pong`, to show that the process is alive.
    case ping = 11
    /// The mouse or the pen may lift something with this click (`id`): hold it for as long as a touch, and report
    /// where the pointer goes and when the button comes up.
    case followClick = 12
    /// The lift of this touch (`id`) has begun: hold it for longer than others.
    case liftBegan = 13
    // From the gate to the engine. `x` and `y` are screen pixels times 256.
    case began = 16
    case moved = 17
    case ended = 18
    /// The deadline passed, so the gate has passed the touch to the application.
    case expired = 19
    /// Another client has grabbed the touches of this window: the gate can see them, but not hold them.
    case guardFailed = 20
    /// Touches that begin in this window are held from now on.
    case guarded = 21
    /// A touch anywhere on the screen; `x` and `y` are in the units of its `device`, times 256.
    case rawBegan = 22
    case rawMoved = 23
    case rawEnded = 24
    /// The gate sees touches from now on.
    case ready = 25
    case pong = 26
    /// The gate has stopped guarding this window, as ordered.
    case released = 27
    /// The window does not exist.
    case windowGone = 28
    /// The left button went down in a guarded window, and the pointer waits for the decision. `device` is a
    /// `ClickFlags`.
    case clicked = 32
    /// The deadline passed, so the gate has passed the click (`id`) to the application.
    case clickExpired = 33
    /// The pointer of a followed click is here.
    case clickMoved = 34
    /// The button of a followed click came up.
    case clickReleased = 35
    /// Another button went down while the engine has the followed click (`id`).
    case otherPressed = 36
  }

  package var kind: Kind
  /// The number of a touch, a click or a window.
  package var id: UInt32
  package var x: Int32
  package var y: Int32
  /// The time when the event was read, in microseconds on the monotonic clock; or a patience.
  package var time: Int64
  /// The slave device of a raw touch; the flags of a click.
  package var device: UInt32

  package init(
    kind: Kind, id: UInt32 = 0, x: Int32 = 0, y: Int32 = 0, time: Int64 = 0, device: UInt32 = 0
  ) {
    (self.kind, self.id, self.x, self.y, self.time, self.device) = (kind, id, x, y, time, device)
  }

  package init(kind: Kind, id: UInt32, at point: Point, time: Instant = .zero, device: UInt32 = 0) {
    self.init(
      kind: kind, id: id, x: Self.fixed(point.x), y: Self.fixed(point.y), time: time.microseconds, device: device)
  }

  /// `x` and `y`, in screen pixels or in the units of a device.
  package var point: Point { Point(x: Double(x) / 256, y: Double(y) / 256) }

  /// `time` as an instant, for messages that have one.
  package var instant: Instant { Instant(microseconds: time) }

  private static func fixed(_ v: Double) -> Int32 {
    v.isFinite ? Int32(max(-8_000_000, min(8_000_000, v)) * 256) : 0
  }

  private static let size = 32

  /// Sends without waiting; returns false if the other side is gone or does not read.
  @discardableResult
  package func send(to fd: CInt) -> Bool {
    var words: (Int32, UInt32, Int32, Int32, Int64, UInt32, UInt32) = (kind.rawValue, id, x, y, time, device, 0)
    return withUnsafeBytes(of: &words) {
      CLinux.send(fd, $0.baseAddress, Self.size, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) == Self.size
    }
  }

  package enum Received {
    case message(GateMessage)
    case nothing
    case closed
  }

  package static func receive(from fd: CInt) -> Received {
    var words: (Int32, UInt32, Int32, Int32, Int64, UInt32, UInt32) = (0, 0, 0, 0, 0, 0, 0)
    while true {
      let n = withUnsafeMutableBytes(of: &words) { recv(fd, $0.baseAddress, size, CInt(MSG_DONTWAIT)) }
      if n == size, let kind = Kind(rawValue: words.0) {
        return .message(GateMessage(kind: kind, id: words.1, x: words.2, y: words.3, time: words.4, device: words.5))
      }
      if n < 0, clinux_errno() == EINTR { continue }
      if n < 0, clinux_errno() == EAGAIN { return .nothing }
      return .closed
    }
  }
}
