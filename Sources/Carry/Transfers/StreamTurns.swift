import CarryModel
import CarrySystem
import CarryWireClient

/// Lets so many streams of a session be written at a time. Each has a thread and four descriptors, and a destination may ask
/// for thousands at once. On the client's thread.
final class StreamTurns {
  /// As many as keep all processors at work, and leave a program that may have 1,024 descriptors most of them.
  static let most = 64
  /// How often the engine hears that a load still waits for its turn: three times before it would give the load up.
  private static let period = Interval.seconds(Limits.transferSeconds / 3)

  private struct Waiting {
    let provision: WireProvision
    let start: () -> Void
    let giveUp: () -> Void
  }

  private var writing = 0
  /// By the order in which they were asked for.
  private var waiting: [Int: Waiting] = [:]
  private var (first, next) = (0, 0)
  private var isGoingOn = false
  private(set) var nextSign: Instant?

  /// Whether anything waits.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Starts a stream, now or when its turn comes.
  ///
  /// - Parameters:
  ///   - provision: hears until then whether somebody still waits for the load.
  ///   - start: begins to write. `ended` is called when that is over.
  ///   - giveUp: called instead of `start` when nobody waits for the load any more.
  func begin(_ provision: WireProvision, start: @escaping () -> Void, giveUp: @escaping () -> Void) {
    guard writing >= Self.most else {
      writing += 1
      return start()
    }
    let number = next
    next += 1
    waiting[number] = Waiting(provision: provision, start: start, giveUp: giveUp)
    nextSign = nextSign ?? MonotonicClock.now() + Self.period
    provision.onEvent = { [weak self] event in
      switch event {
      // Without the engine nothing can be handed over.
      case .cancelled, .lost: self?.waiting.removeValue(forKey: number)?.giveUp()
      case .delivered, .destinationProgress: break
      }
    }
  }

  /// A stream has been written, or could not be.
  func ended() {
    writing -= 1
    // One that cannot be written ends as it starts.
    guard !isGoingOn else { return }
    isGoingOn = true
    defer { isGoingOn = false }
    while writing < Self.most, first < next {
      let number = first
      first += 1
      guard let one = waiting.removeValue(forKey: number) else { continue }
      writing += 1
      one.start()
    }
    if waiting.isEmpty { nextSign = nil }
  }

  /// The client is going.
  func forgetWaiting() { waiting = [:] }

  /// Tells the engine that what waits has not been forgotten.
  func advance(to now: Instant) {
    guard let due = nextSign, due <= now else { return }
    for one in waiting.values { one.provision.progress(TransferProgress(completed: 0, total: nil)) }
    nextSign = waiting.isEmpty ? nil : now + Self.period
  }
}
