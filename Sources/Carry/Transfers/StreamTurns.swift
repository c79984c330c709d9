import CarryModel
import CarrySystem
import CarryWireClient

/// Lets so many streams of a drop be written at a time. Each has a thread and four descriptors, and a destination may ask
/// for thousands at once. On the client's thread.
final class StreamTurns {
  /// As many as a destination may well ask for at once and have served alike. A drop's archives of folders, which open more,
  /// count as several.
  static let most = 100
  /// As a zip archive counts, whose writer has two descriptors for each level of its folder.
  static let weightOfArchive = 8
  /// As many may be written where those of others hardly go on: a destination takes its time, and so may a source that
  /// fetches what it writes.
  static let mostWithSlowOnes = 160
  private static let mostAtOnce = 8

  /// A stream that is being written.
  final class Turn {
    private var turns: StreamTurns?
    private var isCounted = true
    private let weight: Int

    fileprivate init(_ turns: StreamTurns, _ weight: Int) { (self.turns, self.weight) = (turns, weight) }

    /// Nobody waits for the stream any more; its writer may take a while to end.
    func isCancelled() {
      guard isCounted, let turns else { return }
      isCounted = false
      turns.writing -= weight
      turns.goOn()
    }

    /// Its writer has ended, or could not begin.
    func ended() {
      guard let turns else { return }
      self.turns = nil
      turns.threads -= 1
      turns.haveEnded = true
      if isCounted { turns.writing -= weight }
      turns.goOn()
    }
  }

  private struct Start {
    let weight: Int
    let begin: (Turn) -> Void
  }

  private let waiting = WaitingLoads<Start>()
  private let isScarce: () -> Bool
  private var writing = 0
  /// With those of streams that were cancelled.
  private var threads = 0
  private var isGoingOn = false
  /// Whether any has ended since the engine last heard of those that wait.
  private var haveEnded = false

  /// - Parameter isScarce: whether descriptors are; other drops of the program's items have theirs, too.
  init(isScarce: @escaping () -> Bool = { DescriptorRoom.isScarce }) { self.isScarce = isScarce }

  /// Whether nothing is written, and nothing waits.
  var isIdle: Bool { threads == 0 && waiting.isEmpty }
  var isWaiting: Bool { !waiting.isEmpty }
  var nextSign: Instant? { waiting.nextSign }

  /// Starts a stream, now or when its turn comes.
  ///
  /// - Parameters:
  ///   - weight: as how many others it counts.
  ///   - start: begins to write, and says when that is over.
  ///   - giveUp: called instead of `start` when nobody waits for the load any more.
  func begin(
    _ provision: WireProvision, weight: Int = 1, start: @escaping (Turn) -> Void, giveUp: @escaping () -> Void
  ) {
    let start = Start(weight: weight, begin: start)
    if waiting.isEmpty, mayStart { return take(start) }
    waiting.append(start, for: provision, giveUp: giveUp)
  }

  private var mayStart: Bool { writing < Self.most && hasRoom }
  /// One that somebody waits for goes on in any case.
  private var hasRoom: Bool { threads < Self.mostWithSlowOnes && (writing == 0 || !isScarce()) }

  private func take(_ start: Start) {
    writing += start.weight
    threads += 1
    start.begin(Turn(self, start.weight))
  }

  private func goOn() {
    // One that cannot be written ends as it starts.
    guard !isGoingOn else { return }
    isGoingOn = true
    defer { isGoingOn = false }
    while mayStart, let start = waiting.popFirst() { take(start) }
  }

  /// Tells the engine that what waits has not been forgotten. Where none of the others has ended meanwhile, some begin that
  /// wait for them: those may be another destination's, which is slow.
  func advance(to now: Instant) {
    guard let due = waiting.nextSign, due <= now else { return }
    let goesOn = haveEnded
    haveEnded = false
    waiting.advance(to: now, isHopeful: goesOn || threads < Self.mostWithSlowOnes)
    if goesOn { return }
    for number in 0..<Self.mostAtOnce where threads < Self.mostWithSlowOnes && (number == 0 || hasRoom) {
      if let start = waiting.popFirst() { take(start) }
    }
  }

  /// The client is going.
  func forgetWaiting() { waiting.removeAll() }
}
