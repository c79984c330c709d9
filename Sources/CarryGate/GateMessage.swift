import CLinux
import CarrySystem

/// What the engine and the touch gate's process say to each other: fixed-size packets over a socket pair.
struct GateMessage: Equatable {
  enum Kind: Int32 {
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

  var kind: Kind
  /// A touch or a window.
  var id: UInt32
  var x: Int32 = 0
  var y: Int32 = 0
  /// Microseconds on the monotonic clock, when it was read; or a patience.
  var time: Int64 = 0
  /// The slave device of a raw touch.
  var device: UInt32 = 0

  private static let size = 32

  /// Sends without waiting; false when the other side is gone or does not read.
  @discardableResult
  func send(to fd: CInt) -> Bool {
    var words: (Int32, UInt32, Int32, Int32, Int64, UInt32, UInt32) = (kind.rawValue, id, x, y, time, device, 0)
    return withUnsafeBytes(of: &words) {
      CLinux.send(fd, $0.baseAddress, Self.size, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) == Self.size
    }
  }

  enum Received {
    case message(GateMessage)
    case nothing
    case closed
  }

  static func receive(from fd: CInt) -> Received {
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
