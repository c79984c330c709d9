import CLinux

/// Keeps the writer of a ring off the processor that the reader runs on. Pure.
///
/// Two threads that wake each other through a socket may share one processor for a whole transfer while another is
/// idle: the kernel expects the waking thread to sleep next, and runs the woken thread on the same processor. The two
/// then copy alternately instead of in parallel. The reader therefore reports its processor in each credit.
struct ReaderPlace {
  private var together = 0
  private var rest = 0
  private var hasLeft = false
  /// This many credits in a row from the writer's own processor are no coincidence. The first time, one credit
  /// suffices: a reader that has just begun runs where the writer woke it.
  static let limit = 4
  /// The credits to ignore after a move: the kernel knows better when all processors are busy.
  static let pause = 64

  /// Encodes the sender's processor in a credit. 0 means unknown.
  static func credit(of processor: CInt) -> UInt8 { processor < 0 ? 0 : UInt8(processor % 255) + 1 }

  /// Processes a received credit.
  ///
  /// - Parameter processor: the writer's processor.
  /// - Returns: whether the writer should leave that processor.
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

/// The processor functions of the calling thread. Tests replace them.
struct Processors {
  /// Returns the current processor; -1 if unknown.
  var own: () -> CInt = { clinux_processor() }
  /// Moves the thread to another processor.
  var leave: (_ processor: CInt) -> Void = { clinux_leave_processor($0) }
}
