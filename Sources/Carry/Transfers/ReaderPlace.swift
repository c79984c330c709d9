import CLinux

/// Keeps the writer of a ring off the processor that the reader runs on. Pure.
///
/// Two threads that wake each other by a socket may stay on one processor for the whole of a transfer, while another one stands
/// still: the kernel takes each wake-up for the waker's last act, and the woken thread runs where the waker was. They then copy
/// one after the other, where they could copy at the same time. So the reader says in each credit where it runs.
struct ReaderPlace {
  private var together = 0
  private var rest = 0
  private var hasLeft = false
  /// So many credits in a row from the writer's own processor are no chance. The first time one is enough: a reader that has just
  /// begun is where the writer woke it.
  static let limit = 4
  /// So many credits later it may be looked again: the kernel knows better when all processors are busy.
  static let pause = 64

  /// What a credit says of the processor that its sender runs on: 0 is for those that do not say.
  static func credit(of processor: CInt) -> UInt8 { processor < 0 ? 0 : UInt8(processor % 255) + 1 }

  /// A credit has come.
  ///
  /// - Parameter processor: the one that the writer runs on.
  /// - Returns: whether the writer should leave it.
  mutating func takes(_ credit: UInt8, on processor: CInt) -> Bool {
    if rest > 0 {
      rest -= 1
      return false
    }
    guard credit != 0, credit == Self.credit(of: processor) else {
      together = 0
      return false
    }
    together += 1
    guard together == Self.limit || !hasLeft else { return false }
    (together, rest, hasLeft) = (0, Self.pause, true)
    return true
  }
}

/// The processors, for the calling thread. Tests have others.
struct Processors {
  /// The one that it runs on; -1 where nobody knows.
  var own: () -> CInt = { clinux_processor() }
  /// Has it go on on another one.
  var leave: (_ processor: CInt) -> Void = { clinux_leave_processor($0) }
}
