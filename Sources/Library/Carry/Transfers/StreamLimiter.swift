import CarryModel
import CarrySystem
import CarryWireClient

/// Limits the streams of a drop that are written at a time. Each has a thread and four descriptors, and a destination
/// may request thousands at once. Used on the client's thread.
final class StreamLimiter {
  private static let maxAtOnce = 8

  /// The place of a stream that is being written.
  final class Slot {
    private var turns: StreamLimiter?
    private var isCounted = true

    fileprivate init(_ turns: StreamLimiter) { self.turns = turns }

    /// Frees the place of a cancelled stream; its writer may take a while to end.
    func isCancelled() {
      guard isCounted, let turns else { return }
      isCounted = false
      turns.writing -= 1
      turns.startNext()
    }

    /// Ends the turn: the writer has ended, or could not begin.
    func ended() {
      guard let turns else { return }
      self.turns = nil
      turns.threads -= 1
      turns.haveEnded = true
      if isCounted { turns.writing -= 1 }
      turns.startNext()
    }
  }

  private let waiting = PendingProvisions<(Slot) -> Void>()
  private let isScarce: () -> Bool
  private var writing = 0
  /// Includes the threads of cancelled streams.
  private var threads = 0
  private var isGoingOn = false
  /// Whether any stream has ended since the last sign of life to the engine.
  private var haveEnded = false

  /// - Parameter isScarce: whether descriptors are scarce; other drops of the program's items use them, too.
  init(isScarce: @escaping () -> Bool = { DescriptorRoom.isScarce }) { self.isScarce = isScarce }

  /// Whether nothing is written, and nothing waits.
  var isIdle: Bool { threads == 0 && waiting.isEmpty }
  var isWaiting: Bool { !waiting.isEmpty }
  var nextSign: Instant? { waiting.nextSign }

  /// Starts a stream, now or when its turn comes.
  ///
  /// - Parameters:
  ///   - start: begins to write, and ends the turn afterwards.
  ///   - giveUp: called instead of `start` if the load is cancelled while it waits.
  func begin(
    _ provision: WireProvision, start: @escaping (Slot) -> Void, giveUp: @escaping () -> Void
  ) {
    if waiting.isEmpty, mayStart { return run(start) }
    waiting.append(start, for: provision, giveUp: giveUp)
  }

  private var mayStart: Bool { writing < Limits.writersPerDrop && hasRoom }
  /// One requested stream runs in any case.
  private var hasRoom: Bool { threads < Limits.slowWritersPerDrop && (writing == 0 || !isScarce()) }

  private func run(_ start: (Slot) -> Void) {
    writing += 1
    threads += 1
    start(Slot(self))
  }

  private func startNext() {
    // A stream that cannot be written ends within `start`.
    guard !isGoingOn else { return }
    isGoingOn = true
    defer { isGoingOn = false }
    while mayStart, let start = waiting.popFirst() { run(start) }
  }

  /// Sends the engine a sign of life for the waiting loads. If no running stream has ended meanwhile, some waiting
  /// ones start: the running ones may belong to another destination, which is slow.
  func advance(to now: Instant) {
    guard let due = waiting.nextSign, due <= now else { return }
    let goesOn = haveEnded
    haveEnded = false
    waiting.advance(to: now, isHopeful: goesOn || threads < Limits.slowWritersPerDrop)
    if goesOn { return }
    for number in 0..<Self.maxAtOnce where threads < Limits.slowWritersPerDrop && (number == 0 || hasRoom) {
      if let start = waiting.popFirst() { run(start) }
    }
  }

  /// The client is closing.
  func forgetWaiting() { waiting.removeAll() }
}
