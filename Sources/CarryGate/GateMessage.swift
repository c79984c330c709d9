import CLinux
package import CarryModel
import CarrySystem

/// What the engine and a gate's process say to each other: fixed-size packets over a socket pair.
package struct GateMessage: Equatable, Sendable {
  package enum Kind: Int32, Sendable {
    // Engine to gate.
    /// Hold touches that begin in this window (`id`) until they are decided.
    case guardWindow = 1
    case unguardWindow = 2
    /// The touch (`id`) is the engine's: the application never sees it.
    case accept = 3
    /// The touch (`id`) is the application's: it gets it as if nobody had been there.
    case reject = 4
    /// The positions of this touch, which is not held, are wanted.
    case observe = 5
    case unobserve = 6
    /// Touches that begin from now on are held for `time` microseconds at the most.
    case patience = 7
    /// A finger of a trackpad may lift something with this click (`id`): hold it for as long as a touch.
    case keepClick = 8
    case takeClick = 9
    case giveClick = 10
    /// Say that you live.
    case ping = 11
    // Gate to engine. `x` and `y` are screen pixels times 256.
    case began = 16
    case moved = 17
    case ended = 18
    /// The gate decided by itself, as its deadline passed: the touch is the application's.
    case expired = 19
    /// Another client holds the touches of this window: they can only be seen, not held.
    case guardFailed = 20
    /// Touches that begin in this window are held from now on.
    case guarded = 21
    /// A touch anywhere on the screen; `x` and `y` are what its `device` says, times 256.
    case rawBegan = 22
    case rawMoved = 23
    case rawEnded = 24
    /// Touches are seen from now on.
    case ready = 25
    case pong = 26
    /// This window is not guarded any more, as it was ordered.
    case released = 27
    /// There is no such window.
    case windowGone = 28
    /// The left button went down in a guarded window, and the pointer waits for what is to become of it.
    case clicked = 32
    /// The click (`id`) was given to the application, as the deadline passed.
    case clickExpired = 33
  }

  package var kind: Kind
  /// A touch, a click or a window.
  package var id: UInt32
  package var x: Int32
  package var y: Int32
  /// Microseconds on the monotonic clock, when it was read; or a patience.
  package var time: Int64
  /// The slave device of a raw touch.
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

  /// `time`, when it is one.
  package var instant: Instant { Instant(microseconds: time) }

  private static func fixed(_ v: Double) -> Int32 {
    v.isFinite ? Int32(max(-8_000_000, min(8_000_000, v)) * 256) : 0
  }

  private static let size = 32

  /// Sends without waiting; false when the other side is gone or does not read.
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
